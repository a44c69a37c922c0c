"""The computer players think about 8th edition with what its own functions answer."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.battle import Battle
from sandtable.battle.dice import KeyedDice
from sandtable.players import ComputerPlayer
from sandtable.players.computer import PLAIN
from sandtable.players.table import play
from sandtable.systems.w40k8.sample import sample
from sandtable.systems.w40k8.system import SYSTEM


def thoughts(seed: int) -> Iterator[tuple[str, str]]:
    """What two tacticians were asked in a battle, and why they answered as they did, where they thought about it."""
    setup, state = sample(seed, SYSTEM.settle_options({}))
    players = {p: ComputerPlayer("tactician") for p in (0, 1)}
    assert play(Battle(SYSTEM, setup, state, dice=KeyedDice(seed)).start(), players)
    return ((note.kind, note.text) for player in players.values() for note in player.log if note.text != PLAIN)


def test_two_tacticians_think_about_charges_and_fights() -> None:
    why = dict(thought for seed in range(3) for thought in thoughts(seed))
    assert {"shoot_with", "charge_with", "charge_targets", "fight_with", "strike", "consolidate"} <= set(why)
    assert "reached with a chance of" in why["charge_targets"]
    assert "to the most effect" in why["strike"]
