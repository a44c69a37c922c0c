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
        assert noted.text.lower() in shown.lower()
    assert "w40k10." not in shown, "rule ids are behind the link"
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


LISTS = ("orks-1000-horde", "space-marines-1000-gunline")
CROWDED: dict[str, Callable[[], Answer]] = {
    "weapons": lambda: odds.weapons("predator destructor"),
    "lists": lambda: odds.lists(*LISTS),
    "many attackers": lambda: odds.grid(
        [f"{n} hellblasters" for n in range(5, 11)] + ["5 terminators", "land raider"], ["10 boyz", "trukk", "5 nobz"]
    ),
    "split": lambda: odds.split("10 intercessors with grenade launcher", ["20 boyz", "5 nobz", "trukk"], "points"),
    "sweep": lambda: odds.sweep("10 hellblasters", "5 terminators", "S"),
    "turn of a list": lambda: odds.survive_list("5 terminators", LISTS[0]),
    "charge": lambda: odds.rolls("20 boyz led by warboss"),
    "a charge alone": lambda: odds.rolls("8"),
    "leader": lambda: odds.leader("20 boyz led by warboss", "5 terminators", odds.melee("charged")),
}


@pytest.mark.parametrize("name", CROWDED)
def test_no_print_lies_over_other_print_or_is_cut_off(name: str) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    figure = pictures.draw(CROWDED[name]())
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    shown = [t for t in figure.findobj(Text) if t.get_text().strip() and t.get_visible() and not t.get_rotation() % 90]
    boxes = [(t.get_text(), t.get_window_extent(canvas.get_renderer())) for t in shown]
    boxes = [(text, box) for text, box in boxes if box.width > 1 and box.x1 > 0 and box.y1 > 0]
    assert len(boxes) > 10
    for i, (text, box) in enumerate(boxes):
        assert box.x0 >= 0 and box.x1 <= 1200 and box.y0 >= 0 and box.y1 <= 675, text
        assert "…" not in text, text
        for other, there in boxes[i + 1 :]:
            over = min(box.x1, there.x1) - max(box.x0, there.x0), min(box.y1, there.y1) - max(box.y0, there.y0)
            assert min(over) < 3, f"{text!r} and {other!r} overlap"


@pytest.mark.parametrize("name", ANSWERS)
def test_the_assumptions_take_no_more_than_a_sixth_of_the_sheet(name: str) -> None:
    answer = ANSWERS[name]()
    _, bottom, _ = charts.sheet(answer.headline, "", answer.assumptions.words())
    assert bottom < 1 / 6


def test_the_steps_of_a_sweep_stand_over_their_numbers() -> None:
    answer = odds.sweep("10 rifle squad", "3 hulks", "S", setting=PRACTICE)
    bars = pictures.draw(answer).axes[0].patches
    assert [round(bar.get_x() + bar.get_width() / 2, 6) for bar in bars] == list(answer.values)
    assert [bar.get_height() for bar in bars] == pytest.approx(list(answer.damage))


def test_every_target_of_a_split_is_named_where_it_is_fired_at() -> None:
    answer = odds.split("10 rifle squad with 2 plasma rifles", ["3 hulks", "cannon"], setting=PRACTICE)
    shown = " ".join(t.get_text().replace("\n", " ") for t in pictures.draw(answer).axes[0].texts)
    for share in answer.shares:
        assert f"{share.count} at {share.target}" in shown


def test_both_lists_are_named_in_full_on_their_map() -> None:
    answer = odds.lists(*LISTS)
    plot = pictures.draw(answer).axes[0]
    rows = [t.get_text().replace("\n", " ") for t in plot.get_yticklabels()]
    columns = [t.get_text().replace("\n", " ") for t in plot.get_xticklabels()]
    assert (tuple(rows), tuple(columns)) == (answer.there.attackers, answer.back.attackers)


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
