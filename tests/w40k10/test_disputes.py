"""Who decides when nobody does by himself: disputes, and rules that fall due at one time."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from sandtable.battle import Battle, Effect, Moment, Option, Reaction
from sandtable.battle.dice import ScriptedDice
from sandtable.battle.events import Changed
from sandtable.battle.rulings import Grant
from sandtable.battle.scenario import AtDoc, Scenario, open_scenario
from sandtable.battle.tables import TableDoc
from sandtable.forty.moments import BATTLE_BEGINS, PHASE_BEGAN, ROUND_BEGAN, ROUND_ENDED
from sandtable.kit.disputes import DISPUTE
from sandtable.systems.w40k10.enlist import build
from sandtable.systems.w40k10.state import Battle10
from sandtable.systems.w40k10.system import SYSTEM
from w40k10.armies import BOYZ, CAPTAIN, INTERCESSORS, OPEN_FIELD, WARBOSS, Army, army, go_on, pack
from w40k10.arms import last
from w40k10.table import TROOPER, asked, give, kinds, offered, rolls, situation, told, unit

ARMIES = [unit("Reds", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", TROOPER, [(30, 20)])]


# --- Disputes ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.concept.dispute", check=1)
def test_the_winner_of_a_roll_off_picks_the_outcome_of_a_dispute() -> None:
    b = situation(ARMIES, dice={"roll-off": [2, 5]})
    number = b.propose(0, Grant(Effect(DISPUTE, value="It moves | It stays")))
    assert "dispute" not in kinds(b), "red alone cannot call for a roll-off"
    b.agree(1, number)
    assert rolls(b) == [("roll-off", (2,)), ("roll-off", (5,))]
    decision = asked(b, "dispute")
    assert decision.player == 1
    assert offered(b, "dispute") == ["It moves", "It stays"]
    give(b, "dispute", "It stays")
    assert told(b)[-1] == "dispute"
    assert kinds(b) == ["move_with"], "the turn goes on where it was"
    assert not b.state.effects


@pytest.mark.rule("w40k10.concept.dispute", check=1)
def test_outcomes_without_words_are_not_offered() -> None:
    b = situation(ARMIES, dice={"roll-off": [2, 5]})
    b.agree(1, b.propose(0, Grant(Effect(DISPUTE, value="It moves | | It stays |"))))
    assert offered(b, "dispute") == ["It moves", "It stays"]


@pytest.mark.rule("w40k10.concept.dispute", check=1)
def test_where_no_outcome_was_named_the_winner_has_the_say() -> None:
    b = situation(ARMIES, dice={"roll-off": [2, 5]})
    b.agree(1, b.propose(0, Grant(Effect(DISPUTE, value=""))))
    assert last(b, "dispute")["outcome"] == "As I say"


# --- What falls due at one time ---------------------------------------------------------------------------------------


def due(*triggers: str) -> tuple[Reaction, ...]:
    """Rules of both players that fall due at these moments."""

    async def happen(b: Battle10, player: int, moment: Moment, use: Any) -> None:
        b.tell("happened", f"{b.player(player).name}'s rule.")

    def use(b: Battle10, player: int, moment: Moment) -> list[Option]:
        return [Option(player, "now")]

    return tuple(Reaction("Due", t, happen, lambda b, p, m: True, use, mandatory=True) for t in triggers)


def opened(step: str, trigger: str, dice: list[int], active: str = "blue") -> Battle10:
    """A battle at a step of blue's turn, the first of each round, with rules that fall due at a moment."""
    doc = Scenario(
        scenario="test", system="w40k10", question="", table=TableDoc(size=(44, 30)), units=tuple(ARMIES),
        at=AtDoc(step=step, round=2, active=active), state={"game": {"first": 1}}, dice={"roll-off": dice},
    )  # fmt: skip
    return open_scenario(doc, dataclasses.replace(SYSTEM, reactions=due(trigger)))


@pytest.mark.rule("w40k10.dice.sequencing", check=2)
def test_when_a_battle_round_opens_the_winner_of_a_roll_off_orders_what_is_due() -> None:
    b = opened("round_begins", ROUND_BEGAN, [6, 1])
    assert asked(b, "order.round_began").player == 0
    b = opened("round_begins", ROUND_BEGAN, [1, 6])
    assert asked(b, "order.round_began").player == 1
    b = opened("round_begins", ROUND_BEGAN, [], active="red")
    assert "happened" not in told(b), "red's turn is the second of the round"


@pytest.mark.rule("w40k10.dice.sequencing", check=2)
def test_when_a_battle_round_closes_the_winner_of_a_roll_off_orders_what_is_due() -> None:
    b = opened("round_ends", ROUND_ENDED, [6, 1], active="red")
    assert asked(b, "order.round_ended").player == 0
    b = opened("round_ends", ROUND_ENDED, [1, 6], active="red")
    assert asked(b, "order.round_ended").player == 1


@pytest.mark.rule("w40k10.dice.sequencing", check=1)
@pytest.mark.parametrize(("active", "player"), [("red", 0), ("blue", 1)])
def test_in_a_turn_the_active_player_orders_what_is_due(active: str, player: int) -> None:
    b = opened("shooting_phase", PHASE_BEGAN, [], active=active)
    assert asked(b, "order.phase_began").player == player
    assert rolls(b) == []


@pytest.mark.rule("w40k10.dice.sequencing", check=3)
def test_before_the_battle_the_winner_of_a_roll_off_orders_what_is_due() -> None:
    armies = {
        "red": Army(army(CAPTAIN, INTERCESSORS), pack()),
        "blue": Army(army(WARBOSS, BOYZ, faction="orks"), pack()),
    }
    for faces, winner in (((2, 5), 1), ((5, 2), 0)):
        setup, state = build(armies, "hold-the-line", OPEN_FIELD)
        system = dataclasses.replace(SYSTEM, reactions=due(BATTLE_BEGINS))
        # The roll-offs for the Attacker and for the first turn come before.
        script = ScriptedDice({"roll-off": [6, 1, 6, 1, *faces], "any": [4] * 100})
        b: Battle[Any, Any, Any, Any] = Battle(system, setup, state, dice=script)
        b.start()
        go_on(b, "order.battle_begins")
        assert asked(b, "order.battle_begins").player == winner
        assert not any(isinstance(e, Changed) and e.fields.get("round") == 1 for e in b.events)
