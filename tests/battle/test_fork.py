"""Forks: the same past, other dice to come, and nothing that the player may not know."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.battle import AGAIN, DONE, Choose, Number, Option, Refused, Result, Step
from sandtable.battle.dice import ScriptedDice
from sandtable.battle.events import Rolled
from sandtable.battle.rulings import PutModel, SetWounds
from sandtable.battle.state import to_bytes
from sandtable.errors import UserError
from support import skirmish
from support.games import BLUE, RED, AnyBattle, asked, new, plainly, play, snapshot, tiny

PLANS = tuple(Option(i, f"plan {i}") for i in range(3))


async def two_rolls(b: AnyBattle) -> Step:
    """Two bets with twenty dice each, in one step."""
    for kind in ("first", "second"):
        await b.ask(Number(player=0, kind=kind, prompt="Bet", least=0, most=9))
        b.roll(20, kind, 0)
    return AGAIN


def last_roll(battle: AnyBattle) -> tuple[int, ...]:
    return [e.faces for e in battle.events if isinstance(e, Rolled)][-1]


def test_a_fork_stands_where_the_battle_stands() -> None:
    battle = new(3)
    rng = Random(3)
    while battle.decisions:
        twin = battle.fork()
        assert to_bytes(twin.state) == to_bytes(battle.state)
        assert twin.decisions == battle.decisions
        play(battle, rng, 1)


async def there_and_back(b: AnyBattle) -> Step:
    """Two moves with a question after each, in one step."""
    for x in (1024, 2048):
        b.move_models([0], [(x, 0, 0)])
        await b.ask(Number(player=0, kind="on", prompt="On?", least=0, most=9))
    return AGAIN


def test_what_is_cached_of_the_past_serves_a_fork_and_what_comes_is_its_own() -> None:
    battle = new(system=tiny(there_and_back))
    twin = battle.fork()
    assert twin.state.version == battle.state.version
    for b in (twin, battle):
        b.answer(b.decisions[0], 1)
    assert twin.state.version != battle.state.version
    assert twin.fork().state.version == twin.state.version


def test_a_fork_never_rolls_the_dice_that_the_battle_rolls_next() -> None:
    """Over 400 decisions, each followed by twenty dice: all would have to be equal by chance."""
    battle = new(system=tiny(two_rolls))
    for _ in range(400):
        twin = battle.fork()
        for b in (twin, battle):
            b.answer(b.decisions[0], 1)
        assert last_roll(twin) != last_roll(battle)


def test_a_fork_knows_the_dice_that_were_rolled_already() -> None:
    battle = new(system=tiny(two_rolls))
    battle.answer(battle.decisions[0], 1)
    assert last_roll(battle.fork()) == last_roll(battle)
    assert last_roll(battle.fork().fork()) == last_roll(battle)


def test_two_forks_roll_different_dice_and_a_named_branch_the_same() -> None:
    battle = new(system=tiny(two_rolls))
    rolls = []
    for branch in (None, None, 5, 5, 6):
        twin = battle.fork(branch=branch)
        twin.answer(twin.decisions[0], 1)
        rolls.append(last_roll(twin))
    assert rolls[2] == rolls[3]
    assert len(set(rolls)) == 4


def test_a_fork_of_a_fork_has_dice_of_its_own() -> None:
    battle = new(system=tiny(two_rolls))
    twin = battle.fork(branch=1)
    inner = twin.fork(branch=1)
    for b in (battle, twin, inner):
        b.answer(b.decisions[0], 1)
    assert len({last_roll(battle), last_roll(twin), last_roll(inner)}) == 3


def test_what_happens_in_a_fork_stays_there() -> None:
    battle = play(new(), Random(1), 20)
    before = snapshot(battle)
    entries = list(battle.entries)
    play(battle.fork(), Random(2))
    play(battle.fork(RED), Random(3))
    assert snapshot(battle) == before
    assert battle.entries == entries


def test_what_happens_in_the_battle_stays_out_of_its_forks() -> None:
    battle = play(new(), Random(1), 20)
    twin = battle.fork()
    before = snapshot(twin)
    play(battle, Random(2))
    assert snapshot(twin) == before


def test_a_fork_cannot_be_saved_and_holds_no_seed() -> None:
    battle = new(seed=123456789)
    twin = battle.fork(RED)
    with pytest.raises(UserError, match="keeps no journal"):
        twin.save("never.battle")
    assert twin.dice.then.seed != 123456789
    assert twin.seed is None


def test_a_players_fork_leaves_out_the_secrets_of_others() -> None:
    battle = new()
    battle.answer(battle.decisions[0], 2)
    battle.answer(battle.decisions[0], 1)
    assert [p.plan for p in battle.state.players] == [2, 1]
    assert [p.plan for p in battle.fork(RED).state.players] == [2, None]
    assert [p.plan for p in battle.fork(BLUE).state.players] == [None, 1]
    assert [p.plan for p in battle.fork().state.players] == [2, 1]


def test_a_secret_written_down_in_the_running_step_is_left_out_too() -> None:
    async def plan_and_go(b: AnyBattle) -> Step:
        plan = await b.ask(Choose(player=RED, kind="plan", prompt="Plan", options=PLANS, secret=True))
        b.set_player(b.player(RED), plan=plan)
        await b.ask(Number(player=BLUE, kind="go", prompt="Go", least=0, most=9))
        return DONE

    battle = new(system=tiny(plan_and_go, secrets=frozenset({("player", "plan")})))
    battle.answer(battle.decisions[0], 2)
    assert battle.fork(BLUE).state.players[RED].plan is None
    assert battle.fork(RED).state.players[RED].plan == 2


def test_a_fork_carries_the_answers_that_are_in_but_not_those_hidden_from_its_player() -> None:
    battle = new()
    battle.answer(battle.decisions[0], 2)
    assert [d.player for d in battle.fork().decisions] == [BLUE]
    assert [d.player for d in battle.fork(RED).decisions] == [BLUE]
    assert [d.player for d in battle.fork(BLUE).decisions] == [RED, BLUE]


def test_a_fork_of_a_finished_battle_is_finished() -> None:
    ended = play(new(2), Random(2))
    assert ended.fork().result == ended.result
    conceded = play(new(), Random(1), 10)
    conceded.concede(RED)
    assert conceded.fork().result == conceded.result == Result((BLUE,), "Red conceded")
    assert conceded.fork().decisions == ()


def test_a_fork_knows_the_rulings_that_still_wait() -> None:
    battle = play(new(), Random(1), until="how-far")
    battle.rule(PutModel(23, 1024, 1024))
    twin = battle.fork()
    for b in (battle, twin):
        plainly(b, until="move-with")
        assert b.state.models.pos[23].tolist() == [1024, 1024, 0]
        assert b.state.rulings == 1


def test_a_fork_after_a_ruling_stands_on_the_ruling() -> None:
    battle = play(new(), Random(1), until="move-with")
    battle.rule(SetWounds(3, 1))
    assert to_bytes(battle.fork().state) == to_bytes(battle.state)


def test_scripted_battles_can_be_forked() -> None:
    battle = new(system=tiny(two_rolls), dice=ScriptedDice([1] * 20))
    battle.answer(battle.decisions[0], 1)
    twin = battle.fork()
    assert last_roll(twin) == (1,) * 20
    twin.answer(twin.decisions[0], 1)
    assert len(last_roll(twin)) == 20


def test_a_fork_refuses_what_the_battle_refuses() -> None:
    twin = play(new(), Random(1), until="how-far").fork()
    with pytest.raises(Refused, match="Nobody moves exactly 5"):
        twin.answer(twin.decisions[0], 5)
    assert asked(twin) == ["how-far"]


def test_forks_of_a_whole_battle_play_to_their_end() -> None:
    battle = new(5, system=skirmish.system())
    rng = Random(5)
    while battle.decisions:
        if rng.random() < 0.1:
            assert play(battle.fork(battle.decisions[0].player), rng).result is not None
        play(battle, rng, 1)
