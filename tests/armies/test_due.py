"""When rules matter that players apply themselves: words of packs, moments of effects, entries of the dataset."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.armies import due, find_packs, open_pack
from sandtable.armies.characteristics import printed
from sandtable.armies.checks import rule_problems
from sandtable.armies.due import Due, is_due, of_effects
from sandtable.armies.effects import AnyEffect, problem_of_effect
from sandtable.armies.enforcement import rules_of
from sandtable.armies.format import Ability, PsychicPower, Stratagem
from sandtable.armies.kdc.corrections import corrections
from sandtable.armies.kdc.judging import judged
from sandtable.armies.kdc.source import data
from sandtable.armies.kdc.timing import due_of


def effect(**fields: Any) -> AnyEffect:
    made: AnyEffect = msgspec.convert(fields, AnyEffect)
    assert problem_of_effect(made) == ""
    return made


# --- Words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["fight", "own fight", "opponent fight", "own start", "end", "deployment"])
def test_words_are_phases_with_whose_turn_it_is(word: str) -> None:
    assert msgspec.convert(word, Due) == word


@pytest.mark.parametrize("word", ["", "fights", "my fight", "own  fight", "own deployment", "own"])
def test_other_words_are_refused(word: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(word, Due)


@pytest.mark.parametrize(
    ("word", "own_turn", "their_turn"),
    [("fight", True, True), ("own fight", True, False), ("opponent fight", False, True), ("own charge", False, False)],
)
def test_a_phase_is_due_in_the_turns_that_are_meant(word: str, own_turn: bool, their_turn: bool) -> None:
    found = [is_due([word], "fight", own=own, first="command", last="fight") for own in (True, False)]
    assert found == [own_turn, their_turn]


@pytest.mark.parametrize(
    ("word", "phase", "expected"),
    [
        ("own start", "movement", True),
        ("own start", "fight", False),
        ("own end", "morale", True),
        ("end", "fight", False),
    ],
)
def test_start_and_end_are_the_first_and_the_last_phase(word: str, phase: str, expected: bool) -> None:
    assert is_due([word], phase, own=True, first="movement", last="morale") == expected


def test_deployment_is_before_the_first_turn_whoever_is_active() -> None:
    assert is_due(["deployment"], "deployment", own=False, first="command", last="fight")
    assert not is_due(["deployment"], "command", own=True, first="command", last="fight")


# --- Effects ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"kind": "heal", "amount": 1, "at": "command"}, ("own command",)),
        ({"kind": "heal", "amount": 1, "at": "any_command"}, ("command",)),
        ({"kind": "move", "distance": 6, "at": "enemy_moved", "within": 9}, ("opponent movement",)),
        ({"kind": "mortal_wounds", "amount": 1, "at": "fight"}, ("fight",)),
        ({"kind": "mortal_wounds", "amount": 1, "at": "phase_end"}, ()),
        ({"kind": "reroll", "roll": "charge"}, ("own charge",)),
        ({"kind": "reroll", "roll": "hit"}, ("own shooting", "fight")),
        ({"kind": "reroll", "roll": "hit", "when": ["melee"]}, ("fight",)),
        ({"kind": "reroll", "roll": "hit", "when": ["ranged"]}, ("own shooting",)),
        ({"kind": "modify", "roll": "hit", "value": -1, "attacks": "suffered"}, ("opponent shooting", "fight")),
        ({"kind": "modify", "roll": "save", "value": 1, "attacks": "suffered"}, ("opponent shooting", "fight")),
        ({"kind": "modify", "roll": "charge", "value": -1, "who": "enemies", "within": 6.0}, ("opponent charge",)),
        ({"kind": "characteristic", "name": "A", "add": 1, "weapons": "melee"}, ("fight",)),
        ({"kind": "characteristic", "name": "M", "add": 2}, ("own movement",)),
        ({"kind": "weapon_ability", "ability": "assault", "weapons": "ranged"}, ("own shooting",)),
        ({"kind": "feel_no_pain", "value": 5}, ("opponent shooting", "fight")),
        ({"kind": "grant", "ability": "stealth"}, ()),
    ],
)
def test_effects_tell_when_they_matter(fields: dict[str, Any], expected: tuple[str, ...]) -> None:
    assert of_effects([effect(**fields)]) == expected


def test_several_effects_matter_wherever_one_does_and_each_phase_is_told_once() -> None:
    both = [effect(kind="reroll", roll="hit", when=["melee"]), effect(kind="reroll", roll="charge")]
    assert of_effects([*both, *both]) == ("fight", "own charge")


def test_every_moment_that_is_named_belongs_to_the_vocabulary() -> None:
    for moment in due.MOMENTS:
        assert problem_of_effect(effect(kind="heal", amount=1, at=moment)) == ""


# --- Packs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", ["w40k8", "w40k10"])
def test_what_our_packs_leave_whole_mostly_says_when_it_is_due(system: str) -> None:
    rules = [rule for _, rule in rules_of(open_pack(system)) if not isinstance(rule, Stratagem)]
    left = [rule for rule in rules if not rule.enforced]
    unknown = {rule.name for rule in left if not rule.due and not isinstance(rule, PsychicPower)}
    assert unknown <= {"Fleet Commander", "Engrammatic Logic", "Perfectly Adapted"}
    assert len(left) > 10


def test_what_is_enforced_whole_is_due_for_nobody() -> None:
    table, heal = printed("w40k10"), effect(kind="heal", amount=1, at="command")
    whole, in_part = (
        Ability("Repairs", "It heals.", (heal,), due=("own command",), left_out=part) for part in (None, "The second.")
    )
    assert any("'due'" in problem for problem in rule_problems(whole, table, None))
    assert not list(rule_problems(in_part, table, None))


# --- The dataset ------------------------------------------------------------------------------------------------------


def entry(effect: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"ability_id": "x", "name": "X", "ability_type": "unit", "effect": effect, **more}


def when(condition: dict[str, Any], effect: dict[str, Any]) -> dict[str, Any]:
    return {"type": "conditional", "condition": condition, "effect": effect}


def phase(name: str) -> dict[str, Any]:
    return {"type": "phase-is", "parameters": {"phase": name}}


HIT = {"type": "roll-modifier", "target": "unit", "modifier": {"roll": "hit", "operation": "add", "value": 1}}
HARDER = {"type": "roll-modifier", "target": "attacker", "modifier": {"roll": "hit", "operation": "subtract"}}
STRANGE = {"type": "ability-grant", "target": "unit", "modifier": {"grant_type": "something"}}
THEIRS = {"type": "player-turn-is", "parameters": {"turn": "opponent"}}


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (entry(when(phase("shooting"), HIT)), ("own shooting",)),
        (entry(when(phase("shooting"), HARDER)), ("opponent shooting",)),
        (entry(when(phase("fight"), HIT)), ("fight",)),
        (entry(when(phase("command"), STRANGE)), ("own command",)),
        (entry(when({"operator": "and", "operands": [phase("command"), THEIRS]}, STRANGE)), ("opponent command",)),
        (entry(when({"type": "attack-is-type", "parameters": {"attack_type": "melee"}}, HIT)), ("fight",)),
        (entry(when({"type": "timing-is", "parameters": {"timing": "selected-to-fight"}}, STRANGE)), ("fight",)),
        (entry(STRANGE, trigger={"event": "enemy-unit-ended-move", "subject": "enemy-unit"}), ("opponent movement",)),
        (entry(STRANGE, trigger={"event": "end-of-charge-move", "subject": "self"}), ("own charge",)),
        (entry(STRANGE, trigger={"event": "declare-battle-formations"}), ("deployment",)),
        (
            entry({"type": "sequence", "steps": [{**STRANGE, "trigger": {"event": "selected-to-shoot"}}]}),
            ("own shooting",),
        ),
        (entry(HIT), ("own shooting", "fight")),
        (entry(HARDER), ("opponent shooting", "fight")),
        (entry({"type": "re-roll", "target": "unit", "modifier": {"roll": "charge"}}), ("own charge",)),
        (entry(STRANGE), ()),
        (entry(when({"type": "timing-is", "parameters": {"timing": "once-per-battle"}}, STRANGE)), ()),
    ],
)
def test_entries_of_the_dataset_tell_when_they_matter(raw: dict[str, Any], expected: tuple[str, ...]) -> None:
    assert due_of(raw) == expected


def test_all_words_that_come_of_the_dataset_are_words_of_ours_and_most_entries_have_some() -> None:
    found = [due_of(ability) for ability in data().raw["abilities"] if ability["ability_type"] == "unit"]
    for words in set(found):
        msgspec.convert(list(words), list[Due])
    assert sum(map(bool, found)) > 0.65 * len(found) > 1000


def test_only_what_is_left_has_a_moment_and_a_correction_names_its_own() -> None:
    orks = corrections("orks")
    whole = judged(data().ability("orks", "beastboss"), "Beastboss", orks, None)
    assert (whole.enforced, whole.due) == (True, ())
    in_part = orks.file.abilities["bodyguard"]
    told = msgspec.structs.replace(in_part, due=("deployment",)).verdict
    assert (in_part.left_out is not None, told.due) == (True, ("deployment",))


def test_packs_of_the_dataset_carry_moments_to_their_abilities() -> None:
    pack = open_pack(find_packs()["w40k11"].as_posix(), "necrons")
    left = [rule for _, rule in rules_of(pack) if not isinstance(rule, Stratagem) and not rule.enforced]
    assert sum(bool(rule.due) for rule in left) > 0.4 * len(left) > 20
