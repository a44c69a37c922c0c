"""Which abilities the tactician uses, when, and on whom."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import questions
from sandtable.battle.events import Told
from sandtable.players import ComputerPlayer
from sandtable.systems.w40k10.state import Battle10
from w40k10.powers import Place, at, clash

ROUNDS = {"any": [3] * 400}


def command_phase(red: list[Place], blue: list[Place], **more: Any) -> Battle10:
    """A Command phase that the tactician has been through."""
    b = clash(red, blue, step="command_phase", dice=ROUNDS, **more)
    player = ComputerPlayer("tactician")
    b.start()
    while b.decisions and b.state.game.phase == "command":
        decision = b.decisions[0]
        b.answer(decision, player.choose(b.view(decision.player), decision))
    return b


def used(b: Battle10) -> list[str]:
    return [e.text for e in b.events if isinstance(e, Told) and e.kind == "ability"]


def test_the_waaagh_waits_until_somebody_can_be_charged() -> None:
    near = command_phase([at("boyz", 10)], [at("intercessor-squad", 22)])
    assert any("Waaagh!" in text for text in used(near))
    far = command_phase([at("boyz", 3)], [at("intercessor-squad", 41)])
    assert not any("Waaagh!" in text for text in used(far))


def test_late_in_a_battle_even_a_little_is_taken() -> None:
    red, blue = [at("gorkanaut", 3, 6), at("meganobz", 24, 20)], [at("eradicator-squad", 37, 20)]
    early, late = (clash(red, blue, step="command_phase", dice=ROUNDS) for _ in range(2))
    late.state.round = 4
    found = []
    for b in (early, late):
        player = ComputerPlayer("tactician")
        b.start()
        while b.decisions and b.state.game.phase == "command":
            b.answer(b.decisions[0], player.choose(b.view(b.decisions[0].player), b.decisions[0]))
        found.append(any("Waaagh!" in text for text in used(b)))
    assert found == [False, True]


@pytest.mark.parametrize(
    ("red", "blue_at", "doctrine"),
    [
        ("bladeguard-veteran-squad", 12.0, "Tactical Doctrine"),
        ("bladeguard-veteran-squad", 27.0, "Assault Doctrine"),
        ("hellblaster-squad", 41.0, "Devastator Doctrine"),
    ],
    ids=["locked in melee", "nearly in reach", "far away"],
)
def test_the_doctrine_fits_where_the_enemy_is(red: str, blue_at: float, doctrine: str) -> None:
    b = command_phase([at(red, 10)], [at("meganobz", blue_at)])
    assert any(doctrine in text for text in used(b)), used(b)


def test_the_oath_is_sworn_against_whom_most_can_be_done_to() -> None:
    b = clash(
        [at("hellblaster-squad", 10)],
        [at("gorkanaut", 43, 26), at("meganobz", 24, 8)],
        step="command_phase",
        dice=ROUNDS,
    )
    b.start()
    decision = b.decisions[0]
    assert decision.kind == "ability_target"
    assert b.unit(int(ComputerPlayer("tactician").choose(b.view(0), decision))).name == "Meganobz"
    assert b.unit(int(questions.plain(b, decision))).name == "Gorkanaut", "the plain answer takes the dearest"


@pytest.mark.parametrize(
    ("blue", "branch"),
    [("boyz", "Swarming Instincts"), ("battlewagon", "Hyper-aggression")],
)
def test_the_adaptation_works_against_most_of_the_enemy(blue: str, branch: str) -> None:
    b = clash([at("termagants", 10)], [at(blue, 30)], step="pre_battle_rules", dice=ROUNDS)
    b.start()
    decision = next(d for d in b.decisions if d.kind == "ability_branch")
    answer = str(ComputerPlayer("tactician").choose(b.view(0), decision))
    assert answer.endswith(branch)


def test_the_simple_styles_use_nothing() -> None:
    b = clash([at("boyz", 10)], [at("intercessor-squad", 22)], step="command_phase", dice=ROUNDS)
    player = ComputerPlayer("rusher")
    b.start()
    while b.decisions and b.state.game.phase == "command":
        b.answer(b.decisions[0], player.choose(b.view(b.decisions[0].player), b.decisions[0]))
    assert not used(b)
