"""A person at the terminal: what is shown, what may be typed, and what is said when it cannot be done."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable.battle import (
    Assign,
    Assignment,
    Battle,
    Choose,
    ChooseSome,
    Confirm,
    Decision,
    Laid,
    Mode,
    Move,
    Moves,
    Number,
    Option,
    Order,
    Place,
    Question,
    Row,
    Split,
    Spot,
    Template,
)
from sandtable.battle.dice import KeyedDice
from sandtable.battle.rulings import Correction, Modifier, PutModel, SetWounds
from sandtable.battle.state import GONE, TABLE
from sandtable.battle.verdict import refuse
from sandtable.players import Concede, Leave, Person, TakeBack
from sandtable.players.base import AnyView, Correct
from sandtable.table.grid import steps
from support import playable, skirmish


class Terminal:
    """Lines that are typed, and lines that are shown; after the last line the input ends."""

    def __init__(self, *typed: str | BaseException) -> None:
        self.typed: list[str | BaseException] = list(typed)
        self.shown: list[str] = []

    def read(self, prompt: str) -> str:
        if not self.typed:
            raise EOFError
        line = self.typed.pop(0)
        if isinstance(line, BaseException):
            raise line
        return line

    def person(self) -> Person:
        return Person(self.read, self.shown.append)

    @property
    def text(self) -> str:
        return "\n".join(self.shown)


def view(questions: dict[str, Question] | None = None, modifiers: dict[str, tuple[int, int]] | None = None) -> AnyView:
    system = replace(playable.system(), modifiers=modifiers or {})
    if questions:
        system = replace(system, questions={**system.questions, **questions})
    setup, state = skirmish.start()
    battle: Battle[Any, Any, Any, Any] = Battle(system, setup, state, dice=KeyedDice(1))
    return battle.start().view(0)


def ask(decision: Decision[Any], *typed: str | BaseException, on: AnyView | None = None) -> tuple[Any, str]:
    terminal = Terminal(*typed)
    return terminal.person().choose(on or view(), decision), terminal.text


def options(names: Iterable[str]) -> tuple[Option, ...]:
    return tuple(Option(value, name) for value, name in enumerate(names))


CHOOSE = Choose(player=0, kind="c", prompt="Which one", options=options(("alpha", "beta", "bravo")), optional=True)
SOME = ChooseSome(player=0, kind="s", prompt="Which", options=options(("alpha", "beta", "gamma")), least=0, most=2)
ORDER = Order(player=0, kind="o", prompt="Order", options=options(("alpha", "beta")))
SPLIT = Split(player=0, kind="p", prompt="Share", options=options(("alpha", "beta")), total=5)
LEADERS = Assign(
    player=0,
    kind="attach",
    prompt="Which unit does each Leader join?",
    rows=(Row("7", "Captain", 1, (4,)),),
    targets=(Option(4, "Hellblasters"),),
    secret=True,
)
ASSIGN = Assign(
    player=0,
    kind="a",
    prompt="Shoot",
    rows=(Row("gun", "Big gun", 3, (4, 5)), Row("bow", "Bow", 2, (4,), ("far", "near"))),
    targets=(Option(4, "Boyz"), Option(5, "Grots")),
)
APART = msgspec.structs.replace(ASSIGN, rows=tuple(Row(f"{n}", f"Gun of Boy {n}", 1, (4, 5)) for n in (12, 1)))
MODES = (Mode("normal", "Normal", 6144), Mode("run", "Run", 9000))
MOVE = Move(player=0, kind="m", prompt="Move", models=(0, 1), modes=MODES)
TEMPLATE = Template(player=0, kind="t", prompt="T", templates=("blast",))
PLACE = Place(player=0, kind="pl", prompt="Set up", models=(0, 1), optional=True)
FORMATION = {"pl": Question(default=lambda w, d: (Spot(0, 0, 0), Spot(1, 2048, 0)))}


@pytest.mark.parametrize(
    ("decision", "typed", "answer"),
    [
        (CHOOSE, "2", 1),
        (CHOOSE, "alpha", 0),
        (CHOOSE, "ALP", 0),
        (CHOOSE, "pass", None),
        (CHOOSE, "-", None),
        (CHOOSE, "", None),
        (SOME, "1, gamma", (0, 2)),
        (SOME, "nothing", ()),
        (ORDER, "beta, alpha", (1, 0)),
        (ORDER, "", (0, 1)),
        (SPLIT, "3 on alpha, 2 on beta", ((0, 3), (1, 2))),
        (SPLIT, "{alpha: 1, beta: 4}", ((0, 1), (1, 4))),
        (ASSIGN, "all at Boyz", (Assignment("gun", 4, 3), Assignment("bow", 4, 2, "far"))),
        (ASSIGN, "2 x big at grots; bow at boyz as near", (Assignment("gun", 5, 2), Assignment("bow", 4, 2, "near"))),
        (ASSIGN, "none", ()),
        (APART, "gun of boy 1 at grots", (Assignment("1", 5, 1),)),
        (APART, "2 at grots; gun at boyz", (Assignment("1", 5, 1), Assignment("12", 4, 1))),
        (Number(player=0, kind="n", prompt="N", least=0, most=9), "7", 7),
        (Confirm(player=0, kind="y", prompt="Y?"), "y", True),
        (Confirm(player=0, kind="y", prompt="Y?"), "no", False),
        (MOVE, "run", Moves("run")),
        (TEMPLATE, "at 3 4 facing 90", (Laid("blast", 3072, 4096, 1024),)),
        (PLACE, "pass", None),
    ],
)  # fmt: skip
def test_what_is_typed_is_understood(decision: Decision[Any], typed: str, answer: Any) -> None:
    assert ask(decision, typed)[0] == answer


def test_a_unit_is_moved_by_a_distance_or_to_a_place() -> None:
    here = view()
    x, y = (int(v) for v in here.state.models.pos[0][:2])
    by, _ = ask(MOVE, "normal by 3 -1.5", on=here)
    assert by.paths[0].legs[0].x == x + steps(3)
    assert by.paths[0].legs[0].y == y - steps(1.5)
    to, _ = ask(MOVE, "run to 10 10", on=here)
    assert sum(p.legs[0].x for p in to.paths) / 2 == steps(10)
    assert to.mode == "run"


def test_a_formation_is_set_up_around_a_place() -> None:
    answer, _ = ask(PLACE, "at 10 5", on=view(FORMATION))
    assert answer == (Spot(0, steps(9), steps(5)), Spot(1, steps(11), steps(5)))


def test_the_question_its_options_and_the_default_are_shown() -> None:
    _, said = ask(CHOOSE, "1")
    assert said.splitlines()[1:] == [
        "Red: Which one", "    1  alpha", "    2  beta", "    3  bravo", "    -  pass", "  Enter: pass",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("decision", "typed", "sentence"),
    [
        (CHOOSE, "b", "No: 'b' is not one of the options"),
        (CHOOSE, "9", "No: '9' is not one of the options"),
        (CHOOSE, "[a: b: c", "Your answer, line 1: not valid YAML"),
        (
            CHOOSE,
            "{a: 1}",
            "cannot read {'a': 1} as an answer to 'Which one': an option is asked for, of alpha, beta, bravo.",
        ),
        (CHOOSE, "red 1", "No: 'red 1' is not one of the options of 'Which one': alpha, beta, bravo, or pass."),
        (ASSIGN, "big gun at Boyz; big gun at Grots", "No: Big gun: there are only 3."),
        (SOME, "1, 2, 3", "No: Choose"),
        (SPLIT, "many", "Say how many on which"),
        (SPLIT, "1 on alpha", "No: The shares must add up to 5"),
        (ASSIGN, "fire!", "Say what at whom, for example: all at Boyz; or: 3 x Big gun at Boyz."),
        (LEADERS, "yes", "Say who goes where, for example: Captain at Hellblasters; or 'none' for nobody."),
        (ASSIGN, "sword at Boyz", "There is no 'sword' to aim at 'Boyz'"),
        (Number(player=0, kind="n", prompt="N", least=0, most=9), "x", "'x' is not a whole number"),
        (Number(player=0, kind="n", prompt="N", least=0, most=9), "12", "No: The number must be from 0 to 9"),
        (Confirm(player=0, kind="y", prompt="Y?"), "maybe", "Say yes or no"),
        (Number(player=0, kind="n", prompt="N", least=0, most=9), "\u0667", "'\u0667' is not a whole number"),
        (CHOOSE, "\u00b2", "No: '\u00b2' is not one of the options"),
        (CHOOSE, "\u0662", "No: '\u0662' is not one of the options"),
        (CHOOSE, "9" * 5000, "No: That is not an answer"),
        (ASSIGN, "\u00b2 at Boyz", "There is no '\u00b2' to aim at 'Boyz'"),
        (SPLIT, f"{'9' * 5000} on alpha", "Say how many on which"),
        (MOVE, "\u00b2", "'\u00b2' is no way of moving"),
        (MOVE, f"by {'9' * 400} 1", "is no way of moving"),
        (PLACE, f"at {'9' * 400} 1", "cannot be read as an answer"),
        (CHOOSE, "svg " + "x" * 300, "the name is too long for a file"),
        (CHOOSE, "svg a\0b", "no file can have that name"),
        (CHOOSE, "svg ~nobody-of-that-name/a", "begins with the home of somebody who has none here"),
        (CHOOSE, "save ~nobody-of-that-name/a", "begins with the home of somebody who has none here"),
        (MOVE, "fly by 1 1", "'fly' is no way of moving here, only Normal, Run"),
        (CHOOSE, "x" * 20_000, "An answer has at most 10000 characters"),
    ],
)
def test_what_cannot_be_done_is_said_and_asked_again(decision: Decision[Any], typed: str, sentence: str) -> None:
    _, said = ask(decision, typed, "")
    assert sentence in " ".join(said.split())


def test_a_refusal_names_the_rule_and_its_facts() -> None:
    far = Number(player=0, kind="how-far", prompt="How far", least=0, most=6)
    answer, said = ask(far, "5", "?", "4")
    assert answer == 4
    assert "No: Nobody moves exactly 5. [skirmish.move.five]" in said
    assert "far: 5" in said
    assert "skirmish.move.five: not in the ledger." in said


def test_a_question_mark_explains_the_rule_from_the_ledger() -> None:
    _, said = ask(Confirm(player=0, kind="y", prompt="Y?", rules=("w40k10.move.advance",)), "?", "y")
    assert "w40k10.move.advance  Advance (" in said
    assert max(len(line) for line in said.splitlines()) <= 80


def test_a_unit_that_is_not_offered_is_refused_with_the_reason() -> None:
    here = view()
    here.unit(1).shot = True
    shoot = Choose(player=0, kind="shoot-with", prompt="Shoot with", options=(Option(0, "red 0"), Option(2, "red 2")))
    _, said = ask(shoot, "red 1", "red 0", on=here)
    assert "No: red 1 has shot already. [skirmish.shoot.once]" in said


def test_a_target_that_is_not_offered_is_refused_with_the_reason() -> None:
    why = Question(why_row=lambda w, d, a: refuse(f"{w.unit(a.target).name} is hidden.", "skirmish.hidden"))
    here = view({"a": why})
    shoot = msgspec.structs.replace(ASSIGN, rows=(Row("gun", "Big gun", 1, (4,)),), targets=(Option(4, "blue 1"),))
    for typed in ("big gun at blue 2", "all at BLUE 2"):
        _, said = ask(shoot, typed, "nothing", on=here)
        assert "No: blue 2 is hidden. [skirmish.hidden]" in said


def test_models_that_go_somewhere_take_the_first_way_that_lets_them() -> None:
    stay = msgspec.structs.replace(MOVE, modes=(Mode("stay", "Stay", 0), *MODES))
    assert ask(stay, "by 0 -2")[0].mode == "normal"
    assert ask(stay, "{by: [0, -2]}")[0].mode == "normal"
    assert ask(stay, "{mode: run, by: [0, -2]}")[0].mode == "run"
    assert ask(stay, "{}")[0].mode == "stay"


def test_numbers_of_one_are_said_as_one() -> None:
    one = msgspec.structs.replace(SOME, least=1, most=1)
    _, said = ask(one, "alpha")
    assert "  Choose 1 of them." in said.splitlines()
    gun = msgspec.structs.replace(ASSIGN, rows=(Row("gun", "Big gun", 1, (4,)),))
    _, said = ask(gun, "2 x big gun at Boyz", "nothing")
    assert "No: Big gun: there is only 1." in said


def test_why_says_what_a_unit_may_do() -> None:
    _, said = ask(CHOOSE, "why red 0", "why shoot blue 2", "why", "why nobody", "why red", "1")
    assert "red 0, shoot: Allowed." in said
    assert "blue 2, shoot: Allowed." in said
    assert "No rule is cited here." in said
    assert "There is no unit 'nobody'" in said
    assert "'red' could be red 0, red 1, red 2." in said


def test_help_and_units() -> None:
    _, said = ask(CHOOSE, "help", "units", "1")
    assert "take your last answer back" in said
    assert "blue 2 (Blue): 4 of 4 models on the table" in said


def test_a_picture_is_written(tmp_path: Path) -> None:
    file = tmp_path / "table.svg"
    _, said = ask(CHOOSE, "svg", f"svg {tmp_path}", f"svg {tmp_path}/no/where.svg", f"svg {file}", "1")
    assert "Say which file to write" in said
    assert "is a folder" in " ".join(said.split())
    assert "there is no folder" in " ".join(said.split())
    assert file.read_text().startswith("<")
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("typed", "wish"),
    [
        ("undo", TakeBack),
        ("correct red 0 2 wounds 1", Correct),
        ("concede", Concede),
        ("quit", Leave),
        (EOFError(), Leave),
        (KeyboardInterrupt(), Leave),
    ],
)
def test_there_are_other_wishes_than_an_answer(typed: str | BaseException, wish: type[Exception]) -> None:
    with pytest.raises(wish):
        ask(CHOOSE, typed)


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("correct red 0 2 wounds 0", SetWounds(1, 0)),
        ("correct red 0 1 at 20 14.5", PutModel(0, steps(20), steps(14.5), 0, 0)),
        ("correct red 0 1 at 20 14.5 3.5", PutModel(0, steps(20), steps(14.5), steps(3.5), 0)),
        ("correct red 0 bonus 2", Modifier("bonus", 0, 2)),
        ("correct red 0 odd bonus -1", Modifier("odd_bonus", 0, -1)),
    ],
)
def test_corrections_are_said_in_words(typed: str, wanted: Correction) -> None:
    on = view(modifiers={"odd_bonus": (-1, 1), "bonus": (0, 3)})
    with pytest.raises(Correct) as found:
        ask(CHOOSE, typed, on=on)
    assert found.value.wanted == wanted


@pytest.mark.parametrize(
    ("place", "more", "height"), [(TABLE, "", 3), (TABLE, " 0", 0), (TABLE, " 6", 6), (GONE, "", 0), (GONE, " 6", 6)]
)
def test_who_is_put_elsewhere_stays_as_high_as_it_stands_unless_a_height_is_said(
    place: int, more: str, height: int
) -> None:
    on = view()
    on.state.models.pos[0], on.state.models.place[0] = (steps(8), steps(9), steps(3)), place
    with pytest.raises(Correct) as found:
        ask(CHOOSE, f"correct red 0 1 at 20 14{more}", on=on)
    assert found.value.wanted == PutModel(0, steps(20), steps(14), steps(height), 0)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("correct", "Say 'correct UNIT 3 wounds 1' or 'correct UNIT 3 at 20 14' (and a height)."),
        ("correct red 0 1 at 20 14 high", "Say 'correct UNIT 3 wounds 1'"),
        ("correct red 0 99 wounds 1", "red 0 has models 1 to"),
        ("correct nobody 1 wounds 1", "There is no unit 'nobody'"),
        ("correct red 0 bonus 2", "Say 'correct UNIT 3 wounds 1'"),
    ],
)
def test_a_correction_that_cannot_be_read_is_answered_with_the_way_to_say_it(typed: str, sentence: str) -> None:
    _, said = ask(CHOOSE, typed, "1")
    assert sentence in " ".join(said.split())


def test_names_cannot_command_the_terminal() -> None:
    evil = replace_label(CHOOSE, "\x1b[2Jalpha\x07")
    _, said = ask(evil, "1")
    assert "\x1b" not in said
    assert "\x07" not in said


def replace_label(decision: Choose, label: str) -> Choose:
    return Choose(player=0, kind="c", prompt=decision.prompt, options=(Option(0, label), Option(1, "other")))
