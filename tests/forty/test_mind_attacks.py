"""What the tactician shoots at, charges and strikes, in small situations."""

from __future__ import annotations

from typing import Any

from sandtable.players import ComputerPlayer
from sandtable.systems.w40k10.state import Battle10
from w40k10.table import BLADE, RIFLE, TANK, TROOPER, asked, give, named, row, situation, unit

LASCANNON = {"name": "lascannon", "range": 48, "attacks": "1", "skill": 3, "strength": 12, "ap": -3, "damage": "D6+1"}
SQUAD: dict[str, Any] = {**TROOPER, "name": "Gunner", "weapons": [RIFLE, LASCANNON, BLADE]}
PEASANT: dict[str, Any] = {
    **TROOPER, "name": "Peasant", "toughness": 3, "save": 6, "wounds": 1, "oc": 0,
    "weapons": [{**BLADE, "name": "stick", "attacks": "1", "skill": 5, "strength": 2}],
}  # fmt: skip
KNIFE = {**BLADE, "name": "knife", "attacks": "1", "skill": 6, "strength": 1}
CLAWS = {**BLADE, "name": "claws", "attacks": "6", "strength": 8, "ap": -3, "damage": "2"}


def answered(b: Battle10, style: str = "tactician") -> tuple[str, Any]:
    """What a computer player says to the open question."""
    decision = b.decisions[0]
    return decision.kind, ComputerPlayer(style).choose(b.view(decision.player), decision)


def test_every_weapon_is_aimed_where_it_does_most() -> None:
    b = situation(
        [
            unit("Reds", "red", SQUAD, row(3, (10, 15))),
            unit("Tank", "blue", TANK, [(30, 8)]),
            unit("Peasants", "blue", PEASANT, row(10, (24, 22))),
        ],
        step="shoot_units",
    )
    give(b, "shoot_with", "Reds")
    decision = asked(b, "shoot")
    rows = {r.id: r.label for r in decision.rows}  # type: ignore[attr-defined]
    _, shots = answered(b)
    aimed = {rows[a.row]: b.unit(int(a.target)).name for a in shots}
    assert aimed == {"rifle": "Peasants", "lascannon": "Tank"}


def test_a_target_that_can_be_finished_is_preferred_to_one_that_cannot() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, row(4, (10, 15))),
            unit("Fresh", "blue", TROOPER, row(10, (24, 20))),
            unit("Last", "blue", TROOPER, [(24, 10)], wounds={1: 1}),
        ],
        step="shoot_units",
    )
    give(b, "shoot_with", "Reds")
    _, shots = answered(b)
    assert named(b, "Last").id in {a.target for a in shots} or len(b.on_table(named(b, "Fresh"))) == 10


def test_nobody_who_can_shoot_is_left_out() -> None:
    b = situation(
        [unit("Reds", "red", TROOPER, row(4, (10, 15))), unit("Blues", "blue", TROOPER, row(4, (24, 15)))],
        step="shoot_units",
    )
    kind, answer = answered(b)
    assert (kind, answer) == ("shoot_with", named(b, "Reds").id)


def _before_a_charge(reds: dict[str, Any], blues: dict[str, Any], far: float, count: int = 5) -> Battle10:
    """Two rows of models with so many inches between their bases."""
    return situation(
        [
            unit("Reds", "red", reds, row(count, (10, 10), (0, 1.5)), near=True),
            unit("Blues", "blue", blues, row(count, (11 + far, 10), (0, 1.5))),
        ],
        step="charge_units",
        dice={"charge": [6, 6]},
    )


def test_who_strikes_hard_charges_what_is_near() -> None:
    b = _before_a_charge({**TROOPER, "weapons": [CLAWS]}, PEASANT, 4)
    assert answered(b) == ("charge_with", named(b, "Reds").id)


def test_nobody_charges_who_would_only_lose_by_it() -> None:
    b = _before_a_charge({**PEASANT, "weapons": [KNIFE]}, {**TROOPER, "wounds": 6, "weapons": [CLAWS]}, 4)
    assert answered(b) == ("charge_with", None)


def test_nobody_charges_what_is_out_of_reach() -> None:
    b = _before_a_charge({**TROOPER, "weapons": [CLAWS]}, PEASANT, 11.8)
    assert answered(b) == ("charge_with", None)


def test_the_rusher_charges_even_so_while_there_is_a_chance() -> None:
    b = _before_a_charge({**PEASANT, "weapons": [KNIFE]}, {**TROOPER, "wounds": 6, "weapons": [CLAWS]}, 4)
    assert answered(b, "rusher") == ("charge_with", named(b, "Reds").id)


def test_blows_go_at_the_enemy_that_they_do_most_to() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, row(3, (20, 15), (0, 1.2)), charged=True, fight_eligible=True),
            unit("Tank", "blue", TANK, [(22.4, 16)], facing=90),
            unit("Peasants", "blue", PEASANT, row(3, (18.7, 15), (0, 1.2))),
        ],
        step="fights_first",
    )
    while b.decisions and b.decisions[0].kind != "strike":
        decision = b.decisions[0]
        b.answer(decision, b.default(decision))
    decision = asked(b, "strike")
    assert len(decision.targets) == 2  # type: ignore[attr-defined]
    _, blows = answered(b)
    assert {b.unit(int(a.target)).name for a in blows} == {"Peasants"}
