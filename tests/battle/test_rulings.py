"""Corrections that the players agree on, conceding and settling."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from sandtable.battle import ABOARD, GONE, OFF, TABLE, BrokenRule, Effect, Number, Result, Step
from sandtable.battle.events import Ended, Rolled, Ruled
from sandtable.battle.journal import ConcedeEntry, RulingEntry, StepEntry, read, write
from sandtable.battle.replaying import replay
from sandtable.battle.rulings import Correction, Grant, Modifier, PutModel, Ruling, Settle, SetWounds, ruling_of
from sandtable.battle.system import AGAIN, DONE
from sandtable.errors import UserError
from support import skirmish
from support.games import BLUE, RED, AnyBattle, asked, new, plainly, play, snapshot, tiny


def at(kind: str, seed: int = 1) -> AnyBattle:
    """A skirmish in which this kind of question is open."""
    battle = play(new(seed), Random(seed), until=kind)
    assert asked(battle) == [kind]
    return battle


def ruled(battle: AnyBattle) -> list[str]:
    return [e.text for e in battle.events if isinstance(e, Ruled)]


def test_a_ruling_holds_once_every_player_has_agreed() -> None:
    battle = at("move-with")
    number = battle.propose(RED, SetWounds(3, 1))
    assert battle.state.models.wounds[3] == 2
    battle.agree(RED, number)
    assert battle.state.models.wounds[3] == 2
    battle.agree(BLUE, number)
    assert battle.state.models.wounds[3] == 1
    assert ruled(battle) == ["Model 4 of red 0 has 1 wounds."]


def test_a_ruling_is_carried_out_only_once() -> None:
    battle = at("move-with")
    number = battle.propose(RED, Grant(Effect("bonus", 0, 1)))
    battle.agree(BLUE, number)
    for player in (RED, BLUE):
        with pytest.raises(UserError, match=f"no ruling {number} to agree to"):
            battle.agree(player, number)
    assert battle.state.rulings == 1


def correctable() -> AnyBattle:
    """A battle of a system with a modifier to agree on."""
    battle = at("move-with")
    battle.system = replace(battle.system, modifiers={"bonus": (-1, 2)})
    return battle


@pytest.mark.parametrize("value", [-1, 2])
def test_a_modifier_that_players_ask_for_lies_on_the_unit_until_the_phase_ends(value: int) -> None:
    battle = correctable()
    battle.rule(ruling_of(battle, Modifier("bonus", 0, value)))
    assert ruled(battle) == [f"Granted to red 0: bonus {value}."]
    effect = battle.state.effects[-1]
    assert (effect.kind, effect.unit, effect.value, effect.until) == ("bonus", 0, value, "phase")


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        (Modifier("bonus", 0, 3), "The value of bonus is -1 to 2, not 3."),
        (Modifier("bonus", 0, -2), "The value of bonus is -1 to 2, not -2."),
        (Modifier("malus", 0, 1), "No modifier 'malus' can be agreed on; there are bonus."),
        (Modifier("bonus", 99, 1), "There is no unit 99."),
        (Modifier("bonus", -1, 1), "There is no unit -1."),
        (SetWounds(999, 1), "There is no model 999."),
    ],
)
def test_corrections_that_make_no_sense_are_refused(wanted: Correction, sentence: str) -> None:
    with pytest.raises(UserError) as refused:
        ruling_of(correctable(), wanted)
    assert str(refused.value) == sentence


def test_strangers_cannot_agree() -> None:
    battle = at("move-with")
    number = battle.propose(RED, SetWounds(3, 1))
    for stranger in (2, 7, -1):
        with pytest.raises(UserError, match=f"no player {stranger}"):
            battle.agree(stranger, number)
        with pytest.raises(UserError, match=f"no player {stranger}"):
            battle.propose(stranger, SetWounds(3, 1))
        with pytest.raises(UserError, match=f"no player {stranger}"):
            battle.concede(stranger)
    assert battle.state.models.wounds[3] == 2


def test_there_must_be_a_ruling_to_agree_to() -> None:
    battle = at("move-with")
    for number in (0, 5, -1):
        with pytest.raises(UserError, match=f"no ruling {number}"):
            battle.agree(RED, number)


def test_between_activations_a_ruling_takes_effect_at_once() -> None:
    battle = at("move-with")
    battle.rule(PutModel(0, 2048, 3072, 0, 1024))
    assert battle.state.models.pos[0].tolist() == [2048, 3072, 0]
    assert battle.state.models.facing[0] == 1024
    assert asked(battle) == ["move-with"]


def test_who_has_no_wounds_left_is_given_some_before_it_is_put_anywhere() -> None:
    battle = at("move-with")
    battle.rule(SetWounds(0, 0))
    with pytest.raises(UserError, match="no wounds left"):
        ruling_of(battle, PutModel(0, 2048, 3072))
    battle.rule(SetWounds(0, 1))
    assert ruling_of(battle, PutModel(0, 2048, 3072)) == PutModel(0, 2048, 3072)


def test_it_is_told_how_high_a_model_is_put() -> None:
    battle = at("move-with")
    battle.rule(PutModel(0, 2048, 3072, 1024))
    assert ruled(battle) == ["Model 1 of red 0 stands at 2.00, 3.00, 1.00 above the ground."]


def test_inside_an_activation_a_ruling_waits_for_its_end() -> None:
    battle = at("how-far")
    battle.rule(SetWounds(23, 1))
    assert ruled(battle) == ["Model 4 of blue 2 has 1 wounds."]
    assert battle.state.models.wounds[23] == 2
    plainly(battle, until="move-with")
    assert battle.state.models.wounds[23] == 1
    assert battle.state.rulings == 1


def test_a_ruling_at_once_does_not_repeat_what_the_step_did_before_it_asked() -> None:
    async def spend_roll_ask(b: AnyBattle) -> Step:
        b.set_player(b.player(RED), ammo=b.player(RED).ammo - 1)
        b.roll(6, "hit", RED)
        await b.ask(Number(player=RED, kind="go", prompt="Go", least=0, most=9))
        return AGAIN

    battle = new(system=tiny(spend_roll_ask))
    faces = [e.faces for e in battle.events if isinstance(e, Rolled)]
    battle.rule(SetWounds(3, 1))
    assert battle.player(RED).ammo == 1
    assert [e.faces for e in battle.events if isinstance(e, Rolled)] == faces
    assert asked(battle) == ["go"]


def test_a_dead_model_gets_up_again() -> None:
    battle = at("move-with")
    battle.rule(SetWounds(3, 0))
    assert battle.state.models.place[3] == GONE
    battle.rule(SetWounds(3, 2))
    assert battle.state.models.place[3] == TABLE


@pytest.mark.parametrize("place", [OFF, ABOARD])
def test_wounds_of_a_model_that_is_not_on_the_table_leave_it_where_it_is(place: int) -> None:
    battle = new()
    battle.place_models([3], place)
    battle._checkpoints[-1].state.models.place[3] = place
    battle.rule(SetWounds(3, 1))
    assert battle.state.models.place[3] == place


@pytest.mark.parametrize(
    ("ruling", "words"),
    [
        (SetWounds(24, 1), "no model 24"),
        (SetWounds(-1, 1), "no model -1"),
        (SetWounds(0, -1), "0 to 1000 wounds"),
        (SetWounds(0, 10**30), "0 to 1000 wounds"),
        (PutModel(99, 0, 0), "no model 99"),
        (PutModel(0, -1, 0), "not on the table"),
        (PutModel(0, 0, 10**30), "not on the table"),
        (PutModel(0, 0, 0, -1), "not on the table"),
        (PutModel(0, 0, 0, 10**30), "not on the table"),
        (PutModel(0, 0, 0, 0, 4096), "not on the table"),
        (Grant(Effect("bonus", 6)), "no unit 6"),
        (Grant(Effect("bonus", -2)), "no unit -2"),
        (Grant(Effect("bonus", 0, 10**30)), "at most"),
        (Settle((2,)), "does not play"),
        (Settle((-1,)), "does not play"),
    ],
)
def test_a_ruling_that_makes_no_sense_is_refused_and_leaves_no_trace(ruling: Ruling, words: str) -> None:
    battle = at("move-with")
    before, entries = snapshot(battle), list(battle.entries)
    with pytest.raises(UserError, match=words):
        battle.propose(RED, ruling)
    with pytest.raises(UserError, match=words):
        battle.rule(ruling)
    assert snapshot(battle) == before
    assert battle.entries == entries


def test_rulings_are_journalled_and_replay() -> None:
    battle = new(5)
    rng = Random(5)
    for i in range(12):
        play(battle, rng, rng.randrange(1, 12))
        if not battle.decisions:
            break
        battle.rule(SetWounds(i, 1 + i % 2) if i % 3 else PutModel(i, 1024 * i, 1024))
        if i % 4 == 3:
            battle.undo(2)
    play(battle, rng)
    assert sum(isinstance(e, RulingEntry) for e in battle.entries) > 4
    again, agreement = replay(read(write(battle), "test"), skirmish.system())
    assert agreement.whole, agreement
    assert snapshot(again) == snapshot(battle)


def test_the_result_counts_the_rulings() -> None:
    battle = at("move-with")
    battle.rule(SetWounds(3, 1))
    battle.rule(SetWounds(3, 2))
    play(battle, Random(1))
    assert battle.result is not None
    assert battle.result.rulings == 2


def test_an_undo_keeps_a_ruling_made_before_it() -> None:
    battle = at("move-with")
    battle.rule(SetWounds(3, 1))
    here = snapshot(battle)
    play(battle, Random(7), 1)
    battle.undo()
    assert snapshot(battle) == here
    assert battle.state.models.wounds[3] == 1


def test_an_undo_in_a_later_turn_keeps_a_ruling_made_before_it() -> None:
    """The checkpoint of the ruling must outlive those of its turn, or the way back would lead past it."""
    battle = at("shoot-with")
    battle.rule(SetWounds(3, 1))
    count = len(battle.answers)
    here = snapshot(battle)
    rng = Random(7)
    while battle.state.round < 2:
        play(battle, rng, 1)
    battle.undo(len(battle.answers) - count)
    assert snapshot(battle) == here


def test_an_undo_past_a_ruling_takes_it_back() -> None:
    battle = at("move-with")
    play(battle, Random(7), 1)
    plainly(battle, until="move-with")
    battle.rule(SetWounds(3, 1))
    battle.undo()
    assert battle.state.models.wounds[3] == 2
    assert ruled(battle) == []


def test_an_undo_inside_an_activation_keeps_a_ruling_that_waits() -> None:
    async def three(b: AnyBattle) -> Step:
        for i in range(4):
            await b.ask(Number(player=RED, kind=f"go-{i}", prompt="Go", least=0, most=9))
        return AGAIN

    battle = new(system=tiny(three))
    battle.answer(battle.decisions[0], 1)
    battle.rule(SetWounds(3, 1))
    here = snapshot(battle)
    battle.answer(battle.decisions[0], 1)
    battle.undo()
    assert snapshot(battle) == here
    for _ in range(3):
        assert battle.state.models.wounds[3] == 2
        battle.answer(battle.decisions[0], 1)
    assert battle.state.models.wounds[3] == 1
    # From after it took effect, back to while it waited, and on again.
    battle.undo(2)
    assert battle.state.models.wounds[3] == 2
    battle.answer(battle.decisions[0], 1)
    battle.answer(battle.decisions[0], 1)
    assert battle.state.models.wounds[3] == 1
    assert battle.state.rulings == 1
    # And back to before it was made.
    battle.undo(4)
    for _ in range(4):
        battle.answer(battle.decisions[0], 1)
    assert battle.state.rulings == 0


def test_a_ruling_on_which_the_rules_fail_is_taken_back() -> None:
    async def touchy(b: AnyBattle) -> Step:
        if b.state.models.wounds[3] == 1:
            raise ZeroDivisionError
        await b.ask(Number(player=RED, kind="go", prompt="Go", least=0, most=9))
        return AGAIN

    battle = new(system=tiny(touchy))
    battle.answer(battle.decisions[0], 1)
    before, entries = snapshot(battle), list(battle.entries)
    with pytest.raises(BrokenRule, match="failed on that ruling"):
        battle.rule(SetWounds(3, 1))
    assert snapshot(battle) == before
    assert battle.entries == entries
    battle.answer(battle.decisions[0], 1)
    battle.undo(2)


def test_conceding_gives_the_battle_to_the_other_side() -> None:
    battle = at("how-far")
    battle.concede(BLUE)
    assert battle.result == Result((RED,), "Blue conceded")
    assert battle.decisions == ()
    assert isinstance(battle.entries[-1], ConcedeEntry)
    assert [e.result for e in battle.events if isinstance(e, Ended)] == [battle.result]


def test_settling_ends_the_battle_at_once_even_inside_an_activation() -> None:
    for kind in ("move-with", "how-far"):
        battle = at(kind)
        number = battle.propose(RED, Settle((RED, BLUE), "both want dinner"))
        assert battle.result is None
        battle.agree(BLUE, number)
        assert battle.result == Result((RED, BLUE), "both want dinner", rulings=1)
        assert battle.decisions == ()


@pytest.mark.parametrize("end", [lambda b: b.concede(RED), lambda b: b.rule(Settle((BLUE,)))])
def test_a_conceded_or_settled_battle_replays(end: Any) -> None:
    battle = at("how-far")
    end(battle)
    again, agreement = replay(read(write(battle), "test"), skirmish.system())
    assert agreement.whole, agreement
    assert snapshot(again) == snapshot(battle)


def test_nothing_more_can_be_ruled_when_the_battle_is_over() -> None:
    battle = at("move-with")
    number = battle.propose(RED, SetWounds(3, 1))
    battle.concede(RED)
    before = snapshot(battle)
    for attempt in (
        lambda: battle.concede(BLUE),
        lambda: battle.propose(RED, SetWounds(3, 1)),
        lambda: battle.agree(BLUE, number),
        lambda: battle.rule(SetWounds(3, 1)),
    ):
        with pytest.raises(UserError, match="over already"):
            attempt()
    assert snapshot(battle) == before


def test_the_journal_notes_a_step_again_that_is_entered_again_after_a_ruling() -> None:
    battle = at("move-with")
    battle.rule(SetWounds(3, 1))
    before, ruling, after = battle.entries[-3:]
    assert isinstance(before, StepEntry)
    assert ruling == RulingEntry(SetWounds(3, 1))
    assert isinstance(after, StepEntry)
    assert after != before


def test_a_step_that_only_ends_is_no_activation() -> None:
    async def quiet(b: AnyBattle) -> Step:
        return DONE

    async def loud(b: AnyBattle) -> Step:
        await b.ask(Number(player=RED, kind="go", prompt="Go", least=0, most=9))
        return DONE

    battle = new(system=tiny(quiet, loud))
    battle.rule(SetWounds(3, 1))
    assert battle.state.models.wounds[3] == 1
    assert asked(battle) == ["go"]
