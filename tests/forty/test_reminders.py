"""What is left to the players in a phase: known moments, unknown ones, whose turn it is, and who is still there."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.battle import GONE, World
from sandtable.battle.events import Changed, Told
from sandtable.battle.reminding import Reminding, left_by_unit, sentences
from sandtable.battle.state import new_version, to_bytes
from sandtable.battle.system import Reminder
from sandtable.forty.effects.ability import Ability, DetachmentStratagem
from sandtable.forty.reminders import ANY_TIME, BEFORE, IN_PHASE, reminders
from w40k10.powers import effect_of

RED, BLUE = 0, 1
LISTS = {
    "w40k8": ("orks-40-green-tide", "orks-40-green-tide"),
    "w40k10": ("space-marines-1000-gunline", "orks-1000-horde"),
    "w40k11": ("orks-1000-dreads", "necrons-1000-silver-tide"),
}


@cache
def battle(system: str) -> Any:
    return sandtable.new(system, armies=dict(zip(("red", "blue"), LISTS[system], strict=True)), seed=3)


def world(
    *rules: Ability | DetachmentStratagem, phase: str = "command", active: int = RED, number: int = 1,
    system: str = "w40k10", segment: str = "turn",
) -> Any:  # fmt: skip
    """A moment of a battle in which nothing but these rules is left to the players."""
    b = battle(system)
    found = [rule for rule in rules if isinstance(rule, Ability)]
    cards = [rule for rule in rules if isinstance(rule, DetachmentStratagem)]
    data = msgspec.structs.replace(b.setup.data, abilities=tuple(found), stratagems=tuple(cards))
    state = b.state.copy()
    state.segment, state.round, state.active, state.game.phase = segment, number, active, phase
    return World(b.system, msgspec.structs.replace(b.setup, data=data), state)


def left(
    *due: str, player: int = RED, models: tuple[int, ...] = (0, 1), name: str = "Grot Orderly", **more: Any
) -> Ability:
    """An ability that no effect expresses."""
    told = {"left_out": "All of it.", "called": "Painboy", **more}
    return Ability(name, "painboy", 0, models, player, due=due, **told)


def told(w: Any) -> list[tuple[int, str, tuple[str, ...], str]]:
    return [(one.player, one.called, one.abilities, one.when) for one in reminders(w)]


def destroy(w: Any, *models: int) -> None:
    w.state.models.place[list(models)] = GONE
    w.state.version = w.state.stamp = new_version()


# --- When -------------------------------------------------------------------------------------------------------------


def test_an_ability_is_told_in_its_phase() -> None:
    expected = [(RED, "Painboy", ("Grot Orderly",), IN_PHASE)]
    assert told(world(left("own fight"), phase="fight")) == expected
    assert told(world(left("own fight"), phase="charge")) == []


@pytest.mark.parametrize("number", [1, 2, 5])
def test_it_is_told_in_every_round(number: int) -> None:
    assert len(told(world(left("own fight"), phase="fight", number=number))) == 1


def test_in_the_turn_of_the_other_player_only_what_is_for_it_is_told() -> None:
    own, theirs, both = left("own fight", name="Own"), left("opponent fight", name="Theirs"), left("fight", name="Both")
    assert told(world(own, theirs, both, phase="fight", active=RED))[0][2] == ("Own", "Both")
    assert told(world(own, theirs, both, phase="fight", active=BLUE))[0][2] == ("Theirs", "Both")


def test_the_opponent_is_told_as_well_whose_it_is() -> None:
    found = told(world(left("fight"), left("fight", player=BLUE, models=(40,)), phase="fight", active=BLUE))
    assert [(player, when) for player, _, _, when in found] == [(RED, IN_PHASE), (BLUE, IN_PHASE)]


@pytest.mark.parametrize(
    ("phase", "active", "number", "expected"),
    [
        ("command", RED, 1, 1),
        ("command", BLUE, 1, 0),
        ("command", RED, 2, 0),
        ("movement", RED, 1, 0),
        ("", RED, 1, 0),
    ],
)
def test_what_has_no_known_moment_is_told_once_in_the_first_phase_of_its_player(
    phase: str, active: int, number: int, expected: int
) -> None:
    found = told(world(left(), phase=phase, active=active, number=number))
    assert [when for _, _, _, when in found] == [ANY_TIME] * expected


def test_where_turns_begin_with_the_movement_phase_it_is_told_there() -> None:
    assert told(world(left(), phase="movement", system="w40k8")) == [(RED, "Painboy", ("Grot Orderly",), ANY_TIME)]
    assert told(world(left(), phase="psychic", system="w40k8")) == []


def test_steps_around_the_phases_of_a_turn_are_none() -> None:
    assert told(world(left("own start"), phase="start of turn", system="w40k11")) == []
    assert len(told(world(left("own start"), phase="command", system="w40k11"))) == 1
    assert told(world(left("own end"), phase="fight", system="w40k11"))[0][1] == "Painboy"


def test_what_is_done_before_the_battle_is_told_then() -> None:
    rule = left("deployment")
    assert told(world(rule, phase="", segment="setup", number=0)) == [(RED, "Painboy", ("Grot Orderly",), BEFORE)]
    assert told(world(rule, phase="command")) == []


def test_without_a_moment_of_its_own_the_effects_tell() -> None:
    effect = {"kind": "reroll", "roll": "charge", "once": "battle"}
    rule = Ability("Ram", "trukk", 0, (0,), RED, (effect_of(effect),), called="Trukk")
    assert told(world(rule, phase="charge")) == [(RED, "Trukk", ("Ram",), IN_PHASE)]


# --- Stratagems -------------------------------------------------------------------------------------------------------


def card(*phases: str, turn: str = "either") -> DetachmentStratagem:
    return DetachmentStratagem("Sudden Storm", "dynasty", RED, 1, phases, turn, left_out="All.", called="Dynasty")


@pytest.mark.parametrize(
    ("rule", "own", "theirs"),
    [
        (card("shooting", turn="own"), 1, 0),
        (card("shooting", turn="opponent"), 0, 1),
        (card("shooting", "fight"), 1, 1),
        (card("opponent_shooting", "fight"), 0, 1),
        (card("fight"), 0, 0),
    ],
)
def test_stratagems_are_told_in_their_phases(rule: DetachmentStratagem, own: int, theirs: int) -> None:
    found = [len(told(world(rule, phase="shooting", active=active))) for active in (RED, BLUE)]
    assert found == [own, theirs]


def test_a_stratagem_of_any_phase_is_told_once() -> None:
    assert told(world(card("any"))) == [(RED, "Dynasty", ("Sudden Storm (Stratagem)",), ANY_TIME)]
    assert told(world(card("any"), phase="fight")) == []


# --- Who --------------------------------------------------------------------------------------------------------------


def test_it_is_told_as_long_as_one_of_its_bearers_is_left() -> None:
    w = world(left("fight", models=(0, 1)), phase="fight")
    destroy(w, 0)
    assert len(told(w)) == 1
    destroy(w, 1)
    assert told(w) == []


def test_other_models_of_the_unit_do_not_keep_it() -> None:
    bearer = next(unit.models for unit in battle("w40k10").units_of(RED) if len(unit.models) > 1)[0]
    w = world(left("fight", models=(bearer,)), phase="fight")
    destroy(w, bearer)
    assert told(w) == []


def test_who_is_not_on_the_table_yet_has_it_all_the_same() -> None:
    w = world(left("fight"), phase="fight")
    assert set(w.state.models.place[[0, 1]].tolist()) == {0}
    assert len(told(w)) == 1


def test_stratagems_are_told_as_long_as_anybody_of_the_army_is_left() -> None:
    w = world(card("fight"), phase="fight")
    mine = [m for unit in w.units_of(RED) for m in unit.models]
    destroy(w, *mine[1:])
    assert len(told(w)) == 1
    destroy(w, mine[0])
    assert told(w) == []


def test_units_of_one_datasheet_are_told_once_and_its_abilities_together() -> None:
    first, second = left("fight"), left("fight", models=(2, 3))
    other = left("fight", name="Hold Still")
    assert told(world(first, second, other, phase="fight")) == [
        (RED, "Painboy", ("Grot Orderly", "Hold Still"), IN_PHASE)
    ]


def test_a_part_that_is_left_is_called_so() -> None:
    effect = effect_of({"kind": "heal", "amount": 1, "at": "command"})
    rule = Ability("Doctor", "painboy", 0, (0,), RED, (effect,), left_out="The second die.", called="Painboy")
    assert told(world(rule))[0][2] == ("Doctor (in part)",)


def test_what_is_enforced_whole_is_not_told() -> None:
    rule = Ability("Doctor", "painboy", 0, (0,), RED, (effect_of({"kind": "heal", "amount": 1, "at": "command"}),))
    assert told(world(rule)) == []


def test_older_files_without_names_are_told_by_the_id() -> None:
    assert told(world(left("fight", called=""), phase="fight"))[0][1] == "Painboy"


# --- In every edition -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", LISTS)
def test_all_that_is_left_is_told_at_some_time(system: str) -> None:
    b = battle(system)
    state = b.state.copy()
    found = set()
    phases = ("command", "movement", "psychic", "shooting", "charge", "fight", "morale")
    for segment, phase in (("setup", ""), *(("turn", phase) for phase in phases)):
        for active in (RED, BLUE):
            state.segment, state.round, state.active, state.game.phase = segment, 1, active, phase
            for one in reminders(World(b.system, b.setup, state, b.ground)):
                found |= {(one.player, one.called, name) for name in one.abilities}
    listed = {(one.player, one.called, name) for one in left_by_unit(b) for name in one.abilities}
    assert found == listed
    assert len(found) > 3


@pytest.mark.parametrize("system", LISTS)
def test_looking_changes_nothing(system: str) -> None:
    b = battle(system)
    before = to_bytes(b.state)
    reminders(b)
    assert to_bytes(b.state) == before


def test_the_option_that_plays_unreviewed_abilities_leaves_fewer() -> None:
    lists = dict(zip(("red", "blue"), LISTS["w40k11"], strict=True))
    plays = sandtable.new("w40k11", armies=lists, seed=3, options={"abilities": "unreviewed"})
    counted = [sum(len(one.abilities) for one in left_by_unit(b)) for b in (plays, battle("w40k11"))]
    assert counted[0] < counted[1]


# --- In words, and along the story ------------------------------------------------------------------------------------


BY_HAND = "Not enforced here, for {} to play by hand"


def test_reminders_are_a_sentence_for_each_player_and_moment() -> None:
    b = battle("w40k10")
    given = [
        Reminder(RED, "Painboy", ("Grot Orderly", "Hold Still"), IN_PHASE),
        Reminder(RED, "Boyz", ("Bodyguard",), IN_PHASE),
        Reminder(
            RED, "Trukk", ("Skid", "Ram", "Wheels"), ANY_TIME, gists={"Skid": "It stops.", "Wheels": "Big Wheels turn."}
        ),
        Reminder(BLUE, "Trukk", ("Ram",), IN_PHASE),
    ]
    assert list(sentences(given, b)) == [
        f"{BY_HAND.format('red')} in this phase: Painboy - Grot Orderly, Hold Still; Boyz - Bodyguard.",
        f"{BY_HAND.format('red')} whenever it applies: Trukk - Ram; Skid: it stops; Wheels: Big Wheels turn.",
        f"{BY_HAND.format('blue')} in this phase: Trukk - Ram.",
    ]


def phase_begins(name: str) -> list[Any]:
    return [Changed("game", -1, {"phase": name}), Told("phase", f"{name} phase.", (), (), {"phase": name})]


def test_the_story_reminds_when_a_phase_begins_and_not_again() -> None:
    story = Reminding(battle("w40k10"))
    clock = Changed("clock", -1, {"segment": "turn", "round": 1, "active": RED})
    heard = [story.hear(event) for event in (clock, *phase_begins("shooting"), Told("shoots", "They shoot."))]
    assert [len(lines) for lines in heard[1:]] == [0, 1, 0]
    assert heard[2][0].startswith(
        "Not enforced here, for red to play by hand in this phase: Intercessor Squad - Target Elimination"
    )


def test_the_story_begins_with_what_is_left_before_the_battle() -> None:
    story = Reminding(battle("w40k10"))
    anything = Told("anything", "Something happened.")
    assert story.hear(anything) == [
        f"{BY_HAND.format('blue')} before the battle: Boyz - Bodyguard (in part): one of the two must be a Warboss."
    ]
    assert story.hear(anything) == []


def test_what_was_taken_back_is_told_again() -> None:
    b = battle("w40k10")
    story = Reminding(b)
    for event in (*b.events, *b.events, Told("anything", "Something happened.")):
        story.hear(event)
    story.catch_up()
    assert story.heard == len(b.events)
