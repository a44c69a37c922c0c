"""Windows: who is asked, in which order, and who is not bothered."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from sandtable.battle import AGAIN, DONE, GONE, Effect, Moment, Number, Option, Order, Reaction, Step
from sandtable.battle.system import System
from support.games import BLUE, RED, AnyBattle, asked, new, play, tiny

Calls = list[tuple[str, int]]


def reaction(
    name: str,
    calls: Calls,
    *,
    guard: Callable[[Any, int, Any], bool] = lambda b, p, m: True,
    uses: tuple[str, ...] = ("now",),
    worth: Callable[[Any, int, Any, Any], bool] | None = None,
    mandatory: bool = False,
    trigger: str = "bell",
) -> Reaction:
    """A reaction that counts its calls; carrying it out leaves an effect of its name."""

    def watched_guard(b: Any, player: int, moment: Any) -> bool:
        calls.append(("guard", player))
        return guard(b, player, moment)

    def watched_uses(b: Any, player: int, moment: Any) -> list[Option]:
        calls.append(("uses", player))
        spent = any(e.kind == f"{name}/{player}" for e in b.state.effects)
        return [] if spent else [Option(u, f"{name} {u}") for u in uses]

    async def flow(b: Any, player: int, moment: Any, use: Any) -> None:
        b.add_effect(Effect(f"{name}/{player}", value=use))

    return Reaction(name, trigger, flow, watched_guard, watched_uses, worth, mandatory, (f"test.{name}",))


async def ring(b: AnyBattle) -> Step:
    await b.window("bell", Moment(0))
    await b.ask(Number(player=RED, kind="after", prompt="After the bell", least=0, most=1))
    return AGAIN


def bell(*reactions: Reaction) -> System:
    return tiny(ring, reactions=reactions)


def kinds(battle: AnyBattle) -> list[str]:
    return [e.kind for e in battle.state.effects]


def test_a_window_without_takers_asks_nobody() -> None:
    calls: Calls = []
    assert asked(new(system=bell())) == ["after"]
    assert asked(new(system=bell(reaction("duck", calls, trigger="another")))) == ["after"]
    assert calls == []
    assert asked(new(system=bell(reaction("duck", calls, uses=())))) == ["after"]


def test_the_guard_comes_before_the_uses() -> None:
    calls: Calls = []
    battle = new(system=bell(reaction("duck", calls, guard=lambda b, p, m: p == BLUE)))
    assert asked(battle) == ["react.bell"]
    assert battle.decisions[0].player == BLUE
    assert ("uses", RED) not in calls
    assert calls.index(("guard", BLUE)) < calls.index(("uses", BLUE))
    calls.clear()
    assert asked(new(system=bell(reaction("duck", calls, guard=lambda b, p, m: False)))) == ["after"]
    assert {what for what, _ in calls} == {"guard"}


def test_each_player_is_asked_the_active_one_first() -> None:
    battle = new(system=bell(reaction("duck", [])))
    who = []
    while asked(battle) == ["react.bell"]:
        who.append(battle.decisions[0].player)
        battle.answer(battle.decisions[0], None)
    assert who == [RED, BLUE]
    assert kinds(battle) == []


def test_who_has_passed_is_not_asked_again_in_the_same_window() -> None:
    battle = new(system=bell(reaction("duck", []), reaction("dive", [])))
    battle.answer(battle.decisions[0], None)
    battle.answer(battle.decisions[0], "duck/now")
    assert battle.decisions[0].player == BLUE
    battle.answer(battle.decisions[0], "dive/now")
    assert asked(battle) == ["after"]
    assert kinds(battle) == ["duck/1", "dive/1"]


def test_a_reaction_that_was_used_is_offered_only_if_it_has_more_uses() -> None:
    battle = new(system=bell(reaction("duck", [], uses=("left", "right"))))
    assert [o.value for o in battle.decisions[0].options] == ["duck/left", "duck/right"]
    assert battle.decisions[0].rules == ("test.duck",)
    battle.answer(battle.decisions[0], "duck/right")
    assert battle.decisions[0].player == BLUE


def test_what_must_happen_happens_without_a_question() -> None:
    battle = new(system=bell(reaction("burn", [], guard=lambda b, p, m: p == RED, mandatory=True)))
    assert asked(battle) == ["after"]
    assert kinds(battle) == ["burn/0"]


@pytest.mark.parametrize("active", [RED, BLUE])
def test_the_active_player_orders_what_must_happen_at_once(active: int) -> None:
    async def begin(b: AnyBattle) -> Step:
        b.set_clock(active=active)
        return DONE

    battle = new(system=tiny(begin, ring, reactions=(reaction("burn", [], mandatory=True),)))
    (decision,) = battle.decisions
    assert isinstance(decision, Order)
    assert (decision.player, decision.kind) == (active, "order.bell")
    assert [o.label for o in decision.options] == ["burn (Red: now)", "burn (Blue: now)"]
    battle.answer(decision, (1, 0))
    assert kinds(battle) == ["burn/1", "burn/0"]


def test_what_must_happen_comes_before_what_may() -> None:
    battle = new(
        system=bell(reaction("duck", []), reaction("burn", [], guard=lambda b, p, m: p == RED, mandatory=True))
    )
    assert kinds(battle) == ["burn/0"]
    assert asked(battle) == ["react.bell"]


def test_a_use_that_changes_nothing_is_offered_only_with_windows_all() -> None:
    system = bell(reaction("duck", [], worth=lambda b, p, m, use: False))
    assert asked(new(system=system)) == ["after"]
    assert asked(new(system=system, options={"windows": "matter"})) == ["after"]
    assert asked(new(system=system, options={"windows": "all"})) == ["react.bell"]


def test_a_window_says_what_happened_and_to_whom() -> None:
    battle = new(system=bell(reaction("duck", [])))
    decision = battle.decisions[0]
    assert (decision.player, decision.prompt, decision.unit) == (RED, "Bell (red 0): do you use anything?", 0)
    battle.answer(decision, None)
    # It is nobody else's.
    assert (battle.decisions[0].player, battle.decisions[0].prompt) == (BLUE, "Bell (red 0): do you react?")


def test_overwatch_is_offered_in_the_middle_of_the_enemys_move() -> None:
    battle = new(3)
    rng = Random(3)
    while battle.decisions and asked(battle) != ["react.unit_moved"]:
        play(battle, rng, 1)
    decision = battle.decisions[0]
    assert decision.player != battle.unit(decision.unit).player
    assert battle.state.active != decision.player


def test_an_activation_ends_when_the_acting_unit_is_gone() -> None:
    reached = []

    async def shot_down(b: AnyBattle, player: int, moment: Any, use: Any) -> None:
        b.place_models(b.unit(moment.unit).models, GONE)

    async def walk(b: AnyBattle, unit: Any) -> None:
        await b.ask(Number(player=RED, kind="walk", prompt="Walk", least=0, most=9))
        await b.window("walked", Moment(unit.id))
        reached.append("the end of the walk")

    async def move(b: AnyBattle) -> Step:
        result = await b.act(b.unit(0), walk(b, b.unit(0)))
        reached.append(f"after it: {result}")
        return DONE

    mine = Reaction(
        "Mine", "walked", shot_down, lambda b, p, m: p == BLUE, lambda b, p, m: [Option(0, "mine")], mandatory=True
    )
    battle = new(system=tiny(move, reactions=(mine,)))
    battle.answer(battle.decisions[0], 1)
    assert reached == ["after it: None"]
    assert battle.result is not None


def test_an_activation_inside_another_ends_alone_or_with_it() -> None:
    """A unit shoots at another in the middle of its move: whichever falls, only its own activation ends."""
    for victim, expected in ((1, ["outer goes on"]), (0, ["inner goes on"])):
        reached: list[str] = []

        async def inner(b: AnyBattle, v: int = victim, r: list[str] = reached) -> None:
            b.place_models(b.unit(v).models, GONE)
            await b.window("hit")
            b.go_on()
            r.append("inner goes on")

        async def outer(b: AnyBattle, r: list[str] = reached, i: Any = inner) -> None:
            await b.act(b.unit(1), i(b))
            r.append("outer goes on")

        async def step(b: AnyBattle, o: Any = outer) -> Step:
            await b.act(b.unit(0), o(b))
            await b.ask(Number(player=RED, kind="after", prompt="After", least=0, most=1))
            return AGAIN

        battle = new(system=tiny(step))
        assert reached == expected
        assert asked(battle) == ["after"]
