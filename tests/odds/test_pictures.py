"""Every answer draws itself: whole, the same each time, and with what it rests on."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from odds.practice import PACK, PRACTICE
from sandtable import charts, odds
from sandtable.errors import UserError
from sandtable.odds import pictures
from sandtable.odds.answers import Answer

ONE, TWO = (str(PACK / "lists" / f"{name}.yaml") for name in ("one", "two"))
ANSWERS: dict[str, Callable[[], Answer]] = {
    "outcome": lambda: odds.into("10 rifle squad", "10 dummies", odds.shooting("cover"), PRACTICE),
    "one model": lambda: odds.into("cannon", "cannon", odds.shooting("stationary"), PRACTICE),
    "difference": lambda: odds.compare(
        "5 rifle squad", "5 rifle squad led by captain", "3 hulks", odds.melee("charged"), PRACTICE
    ),
    "needed": lambda: odds.need("5 rifle squad", "5 dummies", 0.8, setting=PRACTICE),
    "targets": lambda: odds.targets("cannon", ["10 dummies", "3 hulks", "cannon"], setting=PRACTICE),
    "weapons": lambda: odds.weapons("10 rifle squad", setting=PRACTICE),
    "lists": lambda: odds.lists(ONE, TWO, setting=PRACTICE),
    "command point": lambda: odds.command_point("cannon", "cannon", "damage", setting=PRACTICE),
    "exchange": lambda: odds.exchange("5 rifle squad led by captain", "10 rifle squad", setting=PRACTICE),
    "split": lambda: odds.split("10 rifle squad with 2 plasma rifles", ["3 hulks", "cannon"], setting=PRACTICE),
    "order": lambda: odds.split("10 rifle squad with 2 plasma rifles", ["3 hulks"], "kills", setting=PRACTICE),
    "sweep": lambda: odds.sweep("10 rifle squad", "3 hulks", "S", setting=PRACTICE),
    "survival": lambda: odds.survive("3 hulks", ["10 rifle squad"], setting=PRACTICE, times=3),
    "turn of a list": lambda: odds.survive_list("3 hulks", ONE, setting=PRACTICE),
    "rolls": lambda: odds.rolls("5 rifle squad led by captain", 7, PRACTICE),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_picture_is_sized_for_a_chat_and_shows_headline_and_assumptions(name: str, tmp_path: Path) -> None:
    answer = ANSWERS[name]()
    figure = pictures.draw(answer)
    shown = " ".join(text.get_text() for text in figure.texts).replace("\u00a0", " ")
    headline = answer.headline[:1].upper() + answer.headline[1:]
    assert " ".join(headline.split()[:6]) in " ".join(shown.split())
    assert "10th edition, core rules as first published" in shown
    for noted in answer.assumptions.circumstances[:1]:
        assert all(rule in shown for rule in noted.rules)
    file = tmp_path / "answer.png"
    answer.save(file)
    assert struct.unpack(">II", file.read_bytes()[16:24]) == (1200, 675)


def test_no_text_of_the_sheet_leaves_it() -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    for name, ask in ANSWERS.items():
        figure = pictures.draw(ask())
        renderer = FigureCanvasAgg(figure).get_renderer()
        for text in figure.texts:
            box = text.get_window_extent(renderer)
            assert box.x0 >= 0 and box.x1 <= 1200, f"{name}: {text.get_text()}"
            assert box.y0 >= 0 and box.y1 <= 675, f"{name}: {text.get_text()}"


def test_the_same_answer_gives_the_same_picture() -> None:
    first, second = (ANSWERS["outcome"]().svg() for _ in range(2))
    assert first == second
    assert ElementTree.fromstring(first).tag.endswith("svg")


def test_in_a_notebook_an_answer_draws_itself() -> None:
    answer = ANSWERS["needed"]()
    assert answer._repr_svg_() == answer.svg()
    assert str(answer) == answer.headline


def test_a_file_is_chosen_by_its_ending(tmp_path: Path) -> None:
    answer = ANSWERS["outcome"]()
    for ending in ("svg", "png", "json", "csv"):
        answer.save(tmp_path / f"answer.{ending}")
        assert (tmp_path / f"answer.{ending}").stat().st_size > 100
    with pytest.raises(UserError, match=r"ends in \.svg, \.png, \.json or \.csv"):
        answer.save(tmp_path / "answer.bmp")


def test_lines_are_as_wide_as_they_may_be_and_lose_no_word() -> None:
    text = "many words of different lengths that have to go on several lines of the sheet " * 4
    lines = charts.wrap(text.strip(), 16, 0.4)
    assert " ".join(lines) == text.strip()
    assert len(lines) > 4
    assert charts.wrap("80 % of 5", 16, 0.001)[0] == "80\u00a0%"
