"""The strategy phase: who has the upper hand this turn."""

from __future__ import annotations

from sandtable.battle.decisions import Option
from sandtable.battle.rolls import Reading, Total
from sandtable.battle.system import DONE, Step
from sandtable.kit.grammar import players_do
from sandtable.reasons import Part
from sandtable.rules import rule
from sandtable.systems.epica.phases import ACTION, STRATEGY, begin_phase
from sandtable.systems.epica.state import EpicBattle


@rule("epica.strategy.roll")
async def strategy_roll(b: EpicBattle) -> Step:
    """Each player rolls and adds the army's rating; the winner says who opens the action phase."""
    begin_phase(b, STRATEGY)
    totals = {}
    for player in b.state.players:
        why = (Part(f"{player.strategy:+d}", "strategy rating", "epica.strategy.roll"),)
        read = Total("in all", why, plus=player.strategy)
        rolled = b.roll_one("strategy", player.id, rules=("epica.strategy.roll",), read=read)
        totals[player.id] = rolled + player.strategy
    best = max(totals.values())
    first, *others = [p for p, total in totals.items() if total == best]
    winner = settle_tie(b, [first, *others]) if others else first
    b.set_game(strategy_winner=winner)
    rolls = ", ".join(f"{b.player(p).name} {total}" for p, total in totals.items())
    tie = f"; the tie goes to {b.player(winner).name}" if others else ""
    b.tell(
        "strategy",
        f"{players_do([b.player(winner).name], 'wins')} the strategy roll ({rolls}{tie}).",
        "epica.strategy.roll",
        totals=totals,
    )
    opens = await who_goes_first(b, winner)
    b.set_game(to_act=opens, retaining=False)
    b.set_clock(active=opens)
    begin_phase(b, ACTION)
    return DONE


def settle_tie(b: EpicBattle, tied: list[int]) -> int:
    """A tie goes to whoever did not win the last roll; without a last roll, to whoever has priority in ties."""
    last = last_winner(b)
    others = [p for p in tied if p != last]
    return others[0] if last in tied and len(others) == 1 else first_in_ties(b, others if last in tied else tied)


@rule("epica.strategy.tie", neutral=-1)
def last_winner(b: EpicBattle) -> int:
    """Who won the strategy roll of the turn before, and so loses a tie; -1 in the first turn."""
    return b.state.game.strategy_winner


@rule("epica.concept.ties", neutral=0)
def first_in_ties(b: EpicBattle, players: list[int]) -> int:
    """Who goes first where no rule decides: drawn once in a battle, and kept."""
    if b.state.game.tie_priority < 0:
        sides, read = len(b.state.players), Reading(why=(Part("who goes first in ties"),))
        (face,) = b.roll(1, "tie priority", sides=sides, rules=("epica.concept.ties",), read=read)
        b.set_game(tie_priority=face - 1)
    count = len(b.state.players)
    return min(players, key=lambda p: (p - b.state.game.tie_priority) % count)


@rule("epica.strategy.choice", neutral=0)
async def who_goes_first(b: EpicBattle, winner: int) -> int:
    """The winner of the roll goes first, or lets somebody else."""
    chosen = await b.choose(
        winner,
        "first",
        "Who takes the first action of the turn?",
        [Option(p.id, p.name) for p in b.state.players],
        rules=("epica.strategy.choice",),
    )
    assert chosen is not None, "there is always somebody to choose"
    return int(chosen)
