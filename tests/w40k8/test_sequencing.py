"""Who decides when nobody does by himself: rules that fall due at one time, and what the book leaves open."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from sandtable.battle import Effect, Moment, Option, Reaction
from sandtable.battle.rulings import Grant
from sandtable.battle.scenario import open_scenario
from sandtable.forty.moments import PHASE_BEGAN, PHASE_ENDED, ROUND_BEGAN, ROUND_ENDED, TURN_ENDED
from sandtable.kit.disputes import DISPUTE
from sandtable.systems.w40k8.battle_round import TURN_BEGAN
from sandtable.systems.w40k8.before_the_battle import BEFORE_DEPLOYMENT
from sandtable.systems.w40k8.state import Battle8
from sandtable.systems.w40k8.system import SYSTEM
from support.acting import until
from w40k8.table import alive, asked, bare, document, give, gun, kinds, rolls, shootout, situation, told, unit
from w40k8.test_before_the_battle import SPOTS, marked, prepare

rule = pytest.mark.rule
ARMIES = [unit("Reds", "red", bare(name="Red"), [(10, 10)]), unit("Blues", "blue", bare(), [(30, 20)])]


def due(trigger: str, players: tuple[int, ...] = (0, 1)) -> Reaction:
    """Rules of these players that fall due at a moment."""

    async def happen(b: Battle8, player: int, moment: Moment, use: Any) -> None:
        b.tell("happened", f"{b.player(player).name}'s rule.")

    uses = {player: [Option("now", "now")] for player in players}
    return Reaction("Due", trigger, happen, lambda b, p, m: p in uses, lambda b, p, m: uses[p], mandatory=True)


def opened(step: str, trigger: str, dice: list[int], active: str = "red", **more: Any) -> Battle8:
    """A battle in which red has the first turn of each round, with rules that fall due at a moment."""
    doc = document(ARMIES, step=step, active=active, dice={"roll-off": dice}, round_=2, turns=9)
    system = dataclasses.replace(SYSTEM, reactions=(due(trigger, **more),))
    return open_scenario(doc, system)


@rule("w40k8.round.sequencing_turn", check=1)
@pytest.mark.parametrize(("active", "player"), [("red", 0), ("blue", 1)])
def test_the_active_player_orders_the_rules_of_both(active: str, player: int) -> None:
    b = opened("charge_phase", PHASE_BEGAN, [], active)
    asks: Any = asked(b, "order.phase_began")
    assert (asks.player, len(asks.options), rolls(b)) == (player, 2, [])


@rule("w40k8.round.sequencing_turn", check=2)
@pytest.mark.parametrize(
    ("step", "trigger"),
    [
        ("begin_turn", TURN_BEGAN),
        ("movement_phase", PHASE_BEGAN),
        ("psychic_phase", PHASE_BEGAN),
        ("shooting_phase", PHASE_BEGAN),
        ("charge_phase", PHASE_BEGAN),
        ("fight_phase", PHASE_BEGAN),
        ("morale_phase", PHASE_BEGAN),
        ("charge_units", PHASE_ENDED),
        ("test_units", PHASE_ENDED),
        ("end_turn", TURN_ENDED),
    ],
)
def test_the_active_player_orders_what_is_due_as_phases_and_turns_begin_and_end(step: str, trigger: str) -> None:
    players = [opened(step, trigger, [], active).decisions[0].player for active in ("red", "blue")]
    assert players == [0, 1]


@rule("w40k8.round.sequencing_outside", check=1)
def test_as_a_battle_round_begins_or_ends_the_winner_of_a_roll_off_orders_what_is_due() -> None:
    begins = [asked(opened("begin_round", ROUND_BEGAN, faces), "order.round_began").player for faces in FACES]
    ends = [asked(opened("end_turn", ROUND_ENDED, faces, "blue"), "order.round_ended").player for faces in FACES]
    assert (begins, ends) == ([0, 1], [0, 1])


FACES = ([6, 1], [1, 6])


@rule("w40k8.round.sequencing_outside", check=1)
def test_a_round_begins_with_its_first_turn_and_ends_with_its_last() -> None:
    begun = [told(opened("begin_round", ROUND_BEGAN, [6, 1], who)) for who in ("red", "blue")]
    ended = [kinds(opened("end_round", ROUND_ENDED, [6, 1], who)) for who in ("red", "blue")]
    assert begun == [["roll_off"], ["phase"]]
    assert ended == [["move_with"], ["order.round_ended"]]


HEROES = [
    unit(name, player, bare(name=name, keywords=["CHARACTER", "WARLORD"]), off=1)
    for name, player in (("Reds", "red"), ("Blues", "blue"))
]


@rule("w40k8.round.sequencing_outside", check=2)
def test_before_deployment_the_winner_of_a_roll_off_orders_what_is_due() -> None:
    found = []
    for faces in FACES:
        b = marked(prepare(HEROES, dice={"roll-off": [6, 1, 6, 1, *faces]}), *SPOTS)
        until(b, f"order.{BEFORE_DEPLOYMENT}")
        found.append(b.decisions[0].player)
        give(b, f"order.{BEFORE_DEPLOYMENT}", ["Warlord Trait (blue: Blues)", "Warlord Trait (red: Reds)"])
        found.append(asked(b, "warlord_trait").player)
    assert found == [0, 1, 1, 1]


@rule("w40k8.round.sequencing_outside", check=3)
def test_nobody_rolls_off_over_a_single_rule() -> None:
    alone = opened("begin_round", ROUND_BEGAN, [6, 1], players=(1,))
    both = opened("begin_round", ROUND_BEGAN, [6, 1])
    assert (len(rolls(alone)), told(alone)[0], len(rolls(both))) == (0, "happened", 2)


# --- The Most Important Rule ------------------------------------------------------------------------------------------


@rule("w40k8.concept.most_important_rule", check=1)
def test_the_winner_of_a_roll_off_picks_between_rulings() -> None:
    b = situation(ARMIES, step="move_units", dice={"roll-off": [2, 5]})
    b.agree(1, b.propose(0, Grant(Effect(DISPUTE, value="It moves | It stays"))))
    asks: Any = asked(b, "dispute")
    give(b, "dispute", "It stays")
    assert (asks.player, [o.label for o in asks.options], rolls(b)) == (
        1, ["It moves", "It stays"], [("roll-off", (2,)), ("roll-off", (5,))],
    )  # fmt: skip
    assert (told(b)[-1], kinds(b)) == ("dispute", ["move_with"])


@rule("w40k8.concept.most_important_rule", check=2)
def test_without_a_dispute_the_reading_of_the_ledger_is_played() -> None:
    resilient = bare(abilities=["disgustingly resilient"])
    b = shootout(gun(), resilient, dice={"hit": [6], "wound": [6], "feel no pain": [5]})
    disputed = situation(ARMIES, step="move_units", dice={"roll-off": [2, 5]})
    disputed.agree(1, disputed.propose(0, Grant(Effect(DISPUTE, value="It is kept | It is lost"))))
    assert (alive(b, "Blues"), "dispute" in kinds(b), kinds(disputed)) == (1, False, ["dispute"])
