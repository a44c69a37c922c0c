"""What the lines about dice say in 8th edition: what was needed, and what changed it."""

from __future__ import annotations

from sandtable.battle import rolls
from sandtable.battle.events import Rolled
from sandtable.systems.w40k8.state import Battle8
from w40k8.table import Doc, bare, give, gun, range_, sheet, shootout, situation, unit

NATURAL_1 = "w40k8.attack.natural_one"


def lines(b: Battle8, kind: str) -> list[str]:
    """The headings of the rolls of a kind."""
    return [rolls.heading(e) for e in b.events if isinstance(e, Rolled) and e.reason == kind]


def gift(bearer: str, *effects: Doc) -> Doc:
    """An ability by the name of Gift."""
    return {"name": "Gift", "unit": bearer, "effects": list(effects)}


def test_what_adds_to_a_roll_to_hit_is_named() -> None:
    more = {"kind": "modify", "roll": "hit", "value": 1}
    arms = {**gun(), "abilities": ["unwieldy"]}
    b = shootout(arms, dice=[1], abilities=[gift("Reds", more)])
    assert lines(b, "hit") == ["hit 3+ (3+, +1 Gift, -1 unwieldy)"]


def test_moving_with_heavy_weapons_is_named() -> None:
    units = [
        unit("Reds", "red", sheet(gun("heavy"), name="Red"), [(10, 8)]),
        unit("Blues", "blue", bare(), [(25, 8)]),
    ]
    b = situation(units, step="movement_phase", dice={"hit": [1]})
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "to": [[11, 8]]})
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "gun", "target": "Blues"}])
    assert lines(b, "hit") == ["hit 4+ (3+, -1 heavy)"]


def test_what_adds_to_a_roll_to_wound_is_named() -> None:
    more = {"kind": "modify", "roll": "wound", "value": 1}
    b = shootout(gun(), dice=[6, 1], abilities=[gift("Reds", more)])
    assert lines(b, "wound") == ["wound 3+ (4+ S4 against T4, +1 Gift)"]


def test_what_adds_to_a_save_is_named() -> None:
    more = {"kind": "modify", "roll": "save", "value": 1, "attacks": "suffered"}
    b = shootout(gun(ap=-2), bare(save=3), dice=[6, 6, 6], abilities=[gift("Blues", more)])
    assert lines(b, "save") == ["save 4+ (3+, AP -2, +1 Gift)"]


def test_that_a_1_never_saves_is_cited_where_it_matters() -> None:
    found = []
    for value in (1, 2):
        more = {"kind": "modify", "roll": "save", "value": value, "attacks": "suffered"}
        b = shootout(gun(), bare(save=3), dice=[6, 6, 6], abilities=[gift("Blues", more)])
        found += [(rolls.heading(e), NATURAL_1 in e.rules) for e in b.events if getattr(e, "reason", "") == "save"]
    assert found == [("save 2+ (3+, +1 Gift)", False), ("save 2+ (3+, +2 Gift, 2+ at best)", True)]


def test_effects_name_their_source() -> None:
    effects = [{"kind": "hit", "unit": "Reds", "value": -1, "source": "Smoke"}]
    b = range_(gun(), dice=[1], effects=effects)
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "gun", "target": "Blues"}])
    assert lines(b, "hit") == ["hit 4+ (3+, -1 Smoke)"]


def test_who_lets_a_roll_be_made_again_is_named() -> None:
    again = {"kind": "reroll", "roll": "hit", "faces": "ones"}
    b = shootout(gun(), dice=[1, 2], abilities=[gift("Reds", again)])
    assert lines(b, "hit") == ["hit 3+", "hit 3+, 1 again (Gift)"]


def test_a_plague_weapon_is_named() -> None:
    b = shootout({**gun(), "abilities": ["plague weapon"]}, dice=[6, 1, 2])
    assert lines(b, "wound")[1] == "wound 4+ (S4 against T4), 1 again (plague weapon)"


def test_armour_that_slows_is_named() -> None:
    doc = sheet(name="Red", abilities=["cataphractii armour"])
    units = [unit("Reds", "red", doc, [(10, 8)]), unit("Blues", "blue", bare(), [(30, 8)])]
    b = situation(units, step="movement_phase", dice={"advance": [5]})
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "advance"})
    told = next(e for e in b.events if isinstance(e, Rolled))
    assert rolls.sentence(told) == "advance (half Cataphractii Armour): 5, 3 inches more"


def test_who_is_lost_in_a_wreck_by_default_is_whom_its_player_would_rather_lose() -> None:
    """The champion is the last of his unit, and the last to be given up."""
    hold = {"capacity": 3, "carries": ["INFANTRY"]}
    plane = sheet(name="Plane", move="27-60", keywords=["FLY"], transport=hold)
    boss = sheet(name="Boss", keywords=["INFANTRY", "CHARACTER"])
    riders = unit("Riders", "red", bare(name="Rider"), off=3, loadout=[{"models": [3], "sheet": boss}], embarked="Reds")
    units = [unit("Reds", "red", plane, [(22, 15)]), riders, unit("Blues", "blue", bare(), [(43, 29)])]
    b = situation(units, step="movement_phase", dice={"destroyed transport": [1, 2, 2]})
    give(b, "move_with", "Reds")
    b.answer(b.decisions[0], b.default(b.decisions[0]))
    picked = b.default(b.decisions[0])
    assert (b.decisions[0].kind, picked in (1, 2)) == ("wreck_loss", True)
