"""Abilities of Necrons and Death Guard, held against print once more: whom, when and how long, as they are played."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.armies.effects import Modify
from sandtable.battle import GONE
from sandtable.battle.scenario import UnitDoc
from sandtable.forty.effects.attack_rolls import on_attack
from sandtable.forty.effects.words import AttackMade
from w40k11.arms import character, face_off, gun, hurt, shoot, target
from w40k11.printed import ours
from w40k11.table import (
    FOE,
    HERO,
    TROOPER,
    named,
    rolls,
    sheet,
    situation,
    unit,
)


def chief(name: str = "Blues", **changes: Any) -> UnitDoc:
    """A Character who leads the Blues."""
    return unit("Lord", "blue", character(**changes), [(21, 6.5)], leads=name)


# --- Until the attacks are over ---------------------------------------------------------------------------------------


def test_a_bodyguard_that_falls_protects_its_character_until_the_attacks_are_over() -> None:
    b = face_off(
        [gun(strength=20, ap=-6), gun("heavy", name="second", strength=20, ap=-6)], target(), more=[chief(wounds=9)],
        abilities=[ours("death-guard", "silent-bodyguard", "Blues", models=[1])],
        dice={"hit": [6, 6], "wound": [6, 6], "feel no pain": [4]},
    )  # fmt: skip
    shoot(b)
    assert (hurt(b), [name for name, _ in rolls(b)].count("feel no pain")) == ([0, 9], 1)


def test_it_does_not_protect_it_from_the_next_attacker() -> None:
    others = unit("Others", "red", sheet(gun(name="other", strength=20, ap=-6), name="Other"), [(10, 14)])
    b = face_off(
        gun(strength=20, ap=-6), target(), more=[chief(wounds=9), others],
        abilities=[ours("death-guard", "silent-bodyguard", "Blues", models=[1])],
        dice={"hit": [6, 6], "wound": [6, 6], "feel no pain": [4]},
    )  # fmt: skip
    shoot(b)
    shoot(b, "Others")
    assert (hurt(b), [name for name, _ in rolls(b)].count("feel no pain")) == ([0, 8], 0)


def test_lychguard_that_fall_protect_their_noble_until_the_attacks_are_over() -> None:
    noble = chief(wounds=9, keywords=["INFANTRY", "CHARACTER", "NOBLE"])
    b = face_off(
        [gun(strength=5, ap=-6), gun("heavy", name="second", strength=5, ap=-6)], target(toughness=4), more=[noble],
        abilities=[ours("necrons", "guardian-protocols", "Blues", models=[1])], dice={"hit": [6, 6], "wound": [6, 3]},
    )  # fmt: skip
    shoot(b)
    assert hurt(b) == [0, 9]


@pytest.mark.parametrize(("lost", "more"), [((), 1), ((1,), 0), ((2,), 0)])
def test_command_protocols_need_a_character_and_somebody_to_lead(lost: tuple[int, ...], more: int) -> None:
    lord = unit("Lord", "red", HERO, [(8.5, 10)], leads="Reds")
    b = situation(
        [unit("Reds", "red", TROOPER, [(10, 10)]), lord, FOE],
        abilities=[ours("necrons", "command-protocols", "Reds", models=[1, 2])],
    )
    reds = named(b, "Reds")
    b.place_models([reds.models[i - 1] for i in lost], GONE)
    attack = AttackMade(reds.id, named(b, "Foes").id, melee=False)
    assert sum(a.effect.value for a in on_attack(b, Modify, attack)) == more
