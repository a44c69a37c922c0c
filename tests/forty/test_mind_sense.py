"""Plays that a club opponent would laugh at, and that the computer players do not make."""

from __future__ import annotations

from typing import Any

from sandtable.forty.declaring import declaration
from sandtable.forty.mind.combat import charges
from sandtable.forty.mind.style import STYLES, TACTICIAN
from sandtable.players import ComputerPlayer
from sandtable.systems.w40k10.state import Battle10, sheet_of
from w40k10.table import BEAST, BLADE, RIFLE, TROOPER, asked, give, kinds, named, row, situation, unit

CANNON: dict[str, Any] = {**RIFLE, "name": "cannon", "range": 48, "strength": 14, "ap": -4, "damage": "D6+4"}
CLAWS: dict[str, Any] = {**BLADE, "name": "claws", "attacks": "8", "strength": 6, "ap": -2, "damage": "2"}
GUNNER: dict[str, Any] = {**BEAST, "name": "Gunner", "weapons": [CANNON, CLAWS], "wounds": 12}
LEADER: dict[str, Any] = {
    **TROOPER,
    "name": "Leader",
    "keywords": ["INFANTRY", "CHARACTER"],
    "abilities": ["leader"],
    "leads": ["Trooper"],
    "wounds": 4,
}


def thought(b: Battle10, kind: str) -> Any:
    """What the tactician answers."""
    decision = asked(b, kind)
    return ComputerPlayer(TACTICIAN).choose(b.view(decision.player), decision)


def test_of_two_stragglers_the_character_is_kept() -> None:
    """A Leader and the last of its Bodyguard too far apart: the trooper goes, wherever it stands in the list."""
    guard = unit("Reds", "red", TROOPER, [(5, 5)])
    leader = unit("Hero", "red", LEADER, [(15, 5)], leads="Reds")
    for pair in ([guard, leader], [leader, guard]):
        b = situation([*pair, unit("Blues", "blue", TROOPER, [(40, 25)])], step="remove_stragglers")
        (gone,) = b.default(asked(b, "stragglers"))
        assert sheet_of(b, int(gone)).name == TROOPER["name"]


def test_no_command_point_is_spent_on_one_plain_model_that_may_not_escape() -> None:
    def offered(sheet: dict[str, Any], count: int) -> bool:
        b = situation(
            [
                unit("Reds", "red", sheet, row(count, (10, 10))),
                unit("Blues", "blue", TROOPER, row(5, (10, 11.5))),
            ],
            dice={"desperate escape": [1] + [6] * 4},
            cp=(3, 0),
        )
        give(b, "move_with", "Reds")
        give(b, "move", {"mode": "fall_back", "by": [0, 4.2]})
        return "react.after_roll" in kinds(b)

    assert not offered(TROOPER, 5)
    assert offered({**TROOPER, "wounds": 3}, 5), "a dear one"
    assert offered(TROOPER, 1), "the last one"


def test_who_is_lost_in_an_escape_is_a_plain_model_by_default() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, row(3, (11.5, 10)), battle_shocked=True),
            unit("Hero", "red", LEADER, [(10, 10)], leads="Reds"),
            unit("Blues", "blue", TROOPER, row(5, (10, 11.5))),
        ],
        dice={"desperate escape": [1, 6, 6, 6]},
    )
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "fall_back", "by": [0, -3]})
    (gone,) = b.default(asked(b, "escape_losses"))
    assert sheet_of(b, int(gone)).name == TROOPER["name"]


def test_the_army_s_big_gun_does_not_charge() -> None:
    def reds(gun: dict[str, Any]) -> list[tuple[float, int, float]]:
        b = situation(
            [
                unit("Gun", "red", {**GUNNER, "weapons": [gun, CLAWS]}, [(10, 10)]),
                unit("Reds", "red", TROOPER, row(5, (10, 20))),
                unit("Blues", "blue", TROOPER, row(3, (14, 10), (0, 1.5))),
            ],
            step="charge_units",
        )
        return charges(b, named(b, "Gun"), STYLES[TACTICIAN])

    assert not reds(CANNON)
    assert reds({**CANNON, "strength": 1, "ap": 0, "damage": "1"})


def test_a_missile_that_fires_once_is_not_spent_in_overwatch() -> None:
    missile = {**CANNON, "name": "missile", "abilities": ["one shot", "torrent"], "skill": 0}
    flamer = {**RIFLE, "name": "flamer", "range": 12, "abilities": ["torrent"], "skill": 0, "attacks": "6"}

    def aimed(*guns: dict[str, Any]) -> list[str]:
        b = situation(
            [
                unit("Reds", "red", TROOPER, row(3, (10, 10))),
                unit("Blues", "blue", {**GUNNER, "weapons": list(guns)}, [(20, 10)]),
            ],
            cp=(0, 3),
        )
        question = declaration(b, named(b, "Blues"), named(b, "Reds").id, overwatch=True)
        answer = ComputerPlayer(TACTICIAN).choose(b.view(1), question)
        return [question.rows[int(a.row)].label for a in answer]

    assert aimed(missile, flamer) == ["flamer"]
    assert aimed(flamer) == ["flamer"]


def test_guns_of_a_unit_shoot_at_one_target_rather_than_at_four() -> None:
    """Each model stands nearest to another enemy; what all of them reach is worth a little more together."""
    b = situation(
        [
            unit("Reds", "red", TROOPER, row(4, (10, 10), (2.0, 0))),
            *(unit(f"Blue {i}", "blue", TROOPER, [(10 + 2 * i, 20)]) for i in range(4)),
        ],
        step="shoot_units",
    )
    give(b, "shoot_with", "Reds")
    answer = thought(b, "shoot")
    assert len({a.target for a in answer}) == 1


def test_reserves_without_anything_to_do_wait_in_the_first_round() -> None:
    def reds(sheet: dict[str, Any], round_: int) -> Any:
        b = situation(
            [
                unit("Divers", "red", {**sheet, "abilities": ["deep strike"]}, off=1, reserve="deep strike"),
                unit("Reds", "red", TROOPER, [(5, 5)]),
                unit("Blues", "blue", TROOPER, row(3, (30, 15))),
            ],
            step="reinforcements",
            round_=round_,
        )
        return thought(b, "arrive_with")

    harmless = {**TROOPER, "weapons": [], "oc": 0}
    assert reds(harmless, 1) is None
    assert reds(harmless, 2) is not None
    assert reds({**GUNNER, "weapons": [CANNON]}, 1) is not None
