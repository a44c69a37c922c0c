"""The numbers and plain statements of the book, by its headings. Lengths are in grid steps."""

from __future__ import annotations

from sandtable.rules import Facts, fact
from sandtable.table.grid import steps

NO_ZONE = -(10**9)
UNLIMITED = 10**9


class BOOK(Facts):
    """What Epic: Armageddon states."""

    # --- The action phase
    test_with_markers = fact(-1, "epica.test.modifiers", "epica.bm.effects", neutral=0)
    test_to_retain = fact(-1, "epica.test.modifiers", "epica.retain.attempt", neutral=0)

    # --- Moving
    coherency = fact(steps(5), "epica.formation.coherency", neutral=UNLIMITED)
    """The widest gap in the chain that joins a formation."""
    enemies_block = fact(True, "epica.move.enemy_units", neutral=False)
    """Nobody moves over an enemy, not even over infantry."""
    edge_holds = fact(True, "epica.move.table_edge", neutral=False)
    """Nobody leaves the table without a special rule."""
    zone = fact(steps(5), "epica.zoc.extent", "epica.zoc.exact_distance", neutral=NO_ZONE)
    """The largest gap that is still in a unit's zone of control."""
    broken_keep_zones = fact(True, "epica.zoc.broken_units", neutral=False)
    """A broken formation still commands the ground around it."""
    road_bonus = fact(steps(5), "epica.terrain.road", neutral=0)
    cautious = fact(steps(5), "epica.terrain.cautious", neutral=-1)
    """How far a cautious move goes at most."""

    # --- Shooting
    may_hold_fire = fact(True, "epica.shoot.optional", neutral=False)
    """Any weapon may be held back."""
    into_terrain = fact(steps(10), "epica.shoot.line_of_fire_into_terrain", neutral=0)
    """How far one sees into terrain, and out of it."""
    units_block = fact(False, "epica.shoot.line_of_fire_units", neutral=True)
    """Infantry and vehicles stop no line of fire."""
    hit_in_cover = fact(-1, "epica.shoot.to_hit_modifiers", neutral=0)
    hit_by_action = fact(
        {"double": -1, "marshal": -1, "sustained": 1},
        "epica.action.double",
        "epica.action.marshal",
        "epica.action.sustained_fire",
        neutral={},
    )
    second_roll = fact({7: 4, 8: 5, 9: 6}, "epica.shoot.seven_plus", neutral={})
    """What a 6 has to be followed by when a shot needs more than 6."""
    overwatch_save = fact(5, "epica.cover.overwatch_open", neutral=0)
    sheltered_by_vehicle = fact(2, "epica.cover.behind_vehicle", neutral=0)
    """How many infantry units may shelter by one armoured vehicle."""
    crossfire_reach = fact(steps(45), "epica.crossfire.line", neutral=-1)
    crossfire_save = fact(-1, "epica.crossfire.save", neutral=0)

    # --- Assaults
    assault_reach = fact(
        steps(15), "epica.assault.within_15", "epica.assault.attacks_who", "epica.assault.allocation", neutral=UNLIMITED
    )
    """Assaults are fought within this distance."""
    intermingled = fact(steps(5), "epica.intermingle.declare", neutral=-1)
    attackers_for_each = fact(2, "epica.assault.two_per_defender", neutral=UNLIMITED)
    """How many units may charge into contact with one defender."""
    counter_charge = fact(steps(5), "epica.assault.counter_charge", neutral=0)
    fast_counter_charge = fact(steps(10), "epica.assault.counter_charge", neutral=0)
    fast = fact(30, "epica.assault.counter_charge", neutral=UNLIMITED)
    """The speed, in centimetres, from which units counter charge further."""
    counter_charge_draws_fire = fact(
        False, "epica.assault.counter_charge_status", "epica.overwatch.not_triggered", neutral=True
    )
    """A counter charge is no move of an action, so nobody on overwatch may fire at it."""
    crossfire_in_assault = fact(0, "epica.crossfire.not_in_assault", neutral=-1)
    """What a crossfire does to saves in an assault."""
    markers_at_once = fact(0, "epica.assault.markers_deferred", "epica.bm.casualty", neutral=1)
    """The markers that a loss in an assault places before its result is known."""
    support_reach = fact(steps(15), "epica.support.eligible", neutral=UNLIMITED)
    tie_goes_on = fact(True, "epica.result.tie", neutral=False)
    """A tied assault is fought for another round."""
    consolidation = fact(steps(5), "epica.winner.consolidates", neutral=0)

    # --- Broken formations
    markers_after_breaking = fact(0, "epica.broken.clear_markers", neutral=1)
    withdrawal_moves = fact(2, "epica.withdraw.moves", neutral=0)
    withdrawal_draws_fire = fact(True, "epica.withdraw.overwatch", neutral=False)
    """Overwatch may fire at a withdrawal after each of its moves."""
    caught_within = fact(
        steps(15), "epica.withdraw.destroyed_near_enemy", "epica.withdraw.speed_zero", "epica.move.optional", neutral=-1
    )
    """Units that end a withdrawal as near as this to an enemy are destroyed."""

    # --- The end phase
    rally_when_broken = fact(-2, "epica.rally.test", "epica.bm.effects", neutral=0)
    rally_near_enemies = fact(-1, "epica.rally.test", neutral=0)
    near_for_rally = fact(steps(30), "epica.rally.test", neutral=-1)
