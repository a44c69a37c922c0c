"""The list of words that scenario files use is what battles use, and what the documentation shows."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

import sandtable
from sandtable import players, systems
from sandtable.battle.events import Rolled, Told
from sandtable.battle.scenario import AnswerDoc, AtDoc, Expect, Scenario, UnitDoc, UnitExpect, UntilDoc, WhyDoc
from sandtable.battle.vocabulary import Vocabulary, vocabulary
from sandtable.forty.scenario import Extra
from support import skirmish
from support.scenarios import scenario_files

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
KNOWN = systems.known()

RULES = """
from kinds_of_tea.flows import OTHERS
POUR = "pour"
WAYS = (POUR, "spill")
LEFT: str = "left"

def next_segment(w): ...

async def drink(b, player, strong):
    kind = "milk" if strong else "sugar"
    prompt = "With milk?" if strong else "With sugar?"
    await b.choose(player, kind, prompt, [])
    await b.choose_unit(player, kind="who", prompt=f"{player} {strong}: who drinks {kind}?", units=[])
    await b.ask(Number(player=player, kind="cups", prompt="How many cups?", low=0, high=9))
    await stir(b, "slowly")
    await stir(b, spoon=LEFT)
    b.tell(f"{kind} was told", "The kind is not known before.")
    for how, far in ((POUR, 1), ("sip", 2)):
        b.ask(Move(modes=[Mode(how, far), *(Mode(other) for other in WAYS)]))
    b.roll(2, "heat", player)
    b.roll_one("strength", player)
    await b.unheard_of("nothing")

async def stir(b, spoon):
    b.tell(spoon, "It is stirred.")
"""


@pytest.fixture
def tea(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Vocabulary:
    """The words of a small system, written for this test."""
    package = tmp_path / "kinds_of_tea"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "rules.py").write_text(RULES)
    (package / "flows.py").write_text('OTHERS = "nothing"\n')
    monkeypatch.syspath_prepend(tmp_path)
    return vocabulary(replace(skirmish.system(), next_segment=import_module("kinds_of_tea.rules").next_segment))


def test_words_are_read_off_the_code_however_they_are_given(tea: Vocabulary) -> None:
    assert [(q.kind, q.shape, q.prompt) for q in tea.questions] == [
        ("cups", "number", "How many cups?"),
        ("milk", "choose", "With milk? / With sugar?"),
        ("sugar", "choose", "With milk? / With sugar?"),
        ("who", "choose", "...: who drinks ...?"),
    ]
    assert tea.modes == ("pour", "sip", "spill")
    assert tea.rolls == ("heat", "strength")
    assert tea.told == ("left", "slowly")


def test_steps_and_windows_are_those_of_the_system(tea: Vocabulary) -> None:
    assert tea.steps == {"setup": ("plan",), "turn": ("begin", "move", "shoot", "fight", "finish")}
    assert tea.reactions == {
        "order.turn_began": ("Reveal",),
        "react.unit_fought": ("Counter",),
        "react.unit_moved": ("Overwatch",),
    }


@pytest.mark.parametrize("id_", KNOWN)
def test_every_question_that_a_system_judges_is_listed_with_how_it_is_put(id_: str) -> None:
    words = vocabulary(systems.get(id_))
    assert set(systems.get(id_).questions) - {q.kind for q in words.questions} - set(words.reactions) == set()
    assert [q.kind for q in words.questions if not q.prompt] == []


@pytest.mark.parametrize("id_", KNOWN)
def test_scenario_files_use_no_word_that_is_not_listed(id_: str) -> None:
    words = vocabulary(systems.get(id_))
    used: dict[str, set[str]] = {"kind": set(), "mode": set(), "roll": set(), "told": set()}
    for path in scenario_files(ROOT):
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        if document["system"] == id_:
            _collect(document, used)
    assert used["kind"] - {q.kind for q in words.questions} - set(words.reactions) == set()
    assert used["mode"] - set(words.modes) == set()
    assert used["roll"] - set(words.rolls) == set()
    assert used["told"] - set(words.told) == set()


def _collect(document: dict[str, Any], used: dict[str, set[str]]) -> None:
    for answer in document.get("answers", []):
        used["kind"].add(answer["to"])
        said = answer.get("answer")
        used["mode"] |= {said["mode"]} if isinstance(said, dict) and "mode" in said else set()
    expect = document.get("expect", {})
    used["told"] |= {*expect.get("told", []), *expect.get("told_not", [])}
    used["roll"] |= {roll if isinstance(roll, str) else roll["roll"] for roll in expect.get("rolls", [])}
    used["roll"] |= set(document["dice"]) - {"any"} if isinstance(document.get("dice"), dict) else set()


@pytest.mark.parametrize("id_", KNOWN)
def test_a_battle_asks_rolls_and_tells_nothing_that_is_not_listed(id_: str) -> None:
    words = vocabulary(systems.get(id_))
    battle = sandtable.new(id_, seed=3)
    player = players.random(3)
    asked: set[str] = set()
    modes: set[str] = set()
    while battle.decisions:
        decision = battle.decisions[0]
        asked.add(decision.kind)
        modes |= {mode.name for mode in getattr(decision, "modes", ()) if hasattr(mode, "name")}
        battle.answer(decision, player.choose(battle.view(decision.player), decision))
    assert len(asked) > 5
    assert asked - {q.kind for q in words.questions} - set(words.reactions) == set()
    assert {e.reason for e in battle.events if isinstance(e, Rolled)} - set(words.rolls) == set()
    assert {e.kind for e in battle.events if isinstance(e, Told)} - set(words.told) == set()
    assert modes
    assert modes - set(words.modes) == set()


@pytest.mark.parametrize("page", ["kinds", "options"])
def test_a_page_that_is_written_from_the_code_is_what_the_code_gives(
    page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(DOCS)
    written = getattr(import_module("build_tables"), f"{page}_page")()
    assert (DOCS / f"{page}.md").read_text(encoding="utf-8") == written, "it is old: say `make docs`"


@pytest.mark.parametrize("kind", [Scenario, UnitDoc, AtDoc, AnswerDoc, UntilDoc, Expect, UnitExpect, WhyDoc, Extra])
def test_the_page_about_scenario_files_explains_every_field(kind: Any) -> None:
    page = (DOCS / "scenarios.md").read_text(encoding="utf-8")
    names = [field.encode_name for field in msgspec.structs.fields(kind)]
    assert [name for name in names if not re.search(rf"`[^`\n]*\b{name}\b[^`\n]*`", page)] == []


def test_the_page_about_scenario_files_tells_of_what_is_easily_missed() -> None:
    page = (DOCS / "scenarios.md").read_text(encoding="utf-8")
    assert "`options: {windows: all}`" in page
    assert "`refused: []`" in page
    assert "(kinds.md)" in page
