"""The numbers of the book, by its headings. Lengths are in grid steps."""

from __future__ import annotations

from types import MappingProxyType

from sandtable.attack.volley import NEVER
from sandtable.rules import Facts, fact
from sandtable.table.grid import TURN, steps
from sandtable.table.sight import HARD, NONE
from sandtable.table.zones import Zone

FAR = steps(120)
"""Further than any table is long"""
UNLIMITED = 10**9


class BOOK(Facts):
    """What 10th edition states."""

    # --- Muster your army
    battle_sizes = fact(
        MappingProxyType({"incursion": 1000, "strike force": 2000, "onslaught": 3000}),
        "w40k10.muster.battle_size",
        neutral=MappingProxyType({"incursion": 0, "strike force": 0, "onslaught": 0}),
    )
    """Battle sizes, and the points of each army."""
    copies = fact(3, "w40k10.muster.copies", neutral=UNLIMITED)
    """So many units of a datasheet an army has at most..."""
    more_copies = fact(6, "w40k10.muster.copies", neutral=UNLIMITED)
    """...and so many of BATTLELINE and DEDICATED TRANSPORT."""
    enhancements = fact(3, "w40k10.muster.enhancements", neutral=UNLIMITED)
    """So many Enhancements an army has at most."""

    # --- Core concepts
    coherency = fact(Zone(steps(2), steps(5)), "w40k10.concept.coherency_small", neutral=Zone(-1, 0))
    """How near a model has to be to others of its unit."""
    large_unit = fact(7, "w40k10.concept.coherency_large", neutral=UNLIMITED)
    """From so many models on, everybody needs two neighbours."""
    engagement = fact(Zone(steps(1), steps(5)), "w40k10.concept.engagement_range", neutral=Zone(-1, -1))
    """Engagement Range."""

    models_block = fact(True, "w40k10.concept.visibility_observer", "w40k10.concept.model_fully_visible", neutral=False)
    """Models of other units stop sight."""
    own_ranks_hide = fact(0, "w40k10.concept.unit_fully_visible", neutral=1)
    """Whether other models of the observed unit are in the way of seeing one fully: they are looked through."""

    # --- Objective markers
    marker_range = fact(Zone(steps(3), steps(5)), "w40k10.objective.range", neutral=Zone(FAR, FAR))
    """Who is so near the edge of a marker is within range of it."""
    marker_from_edge = fact(steps(6), "w40k10.onlywar.markers", neutral=0)
    """So far from every edge of the battlefield the players place markers..."""
    markers_apart = fact(steps(9), "w40k10.onlywar.markers", neutral=0)
    """...and so far from each other."""

    # --- Moving
    friends_block = fact(False, "w40k10.move.through_friends", neutral=True)
    """Friendly models are no obstacle."""
    edge_holds = fact(True, "w40k10.move.board_edge", neutral=False)
    """No part of a base crosses the edge of the battlefield."""
    models_are_in_the_way = fact(True, "w40k10.move.no_stacking", neutral=False)
    """No move ends on top of another model."""
    may_end_engaged = fact(False, "w40k10.concept.engagement_limit", neutral=True)
    """Whether a move of the Movement phase may end within Engagement Range."""
    low = fact(steps(2), "w40k10.move.over_terrain", neutral=0)
    """Features up to this height are moved over as if they were not there."""
    areas_are_open = fact(True, "w40k10.terrain.craters_move", "w40k10.terrain.woods_footprint", neutral=False)
    """A move may end in craters, in woods, and on the ground floor of ruins."""
    lost_in_escape = fact(2, "w40k10.move.desperate_escape_test", neutral=0)
    """Up to this face, a Desperate Escape test costs a model."""

    # --- Aircraft
    least_flight = fact(steps(20), "w40k10.aircraft.minimum_move", neutral=0)
    widest_pivot = fact(TURN // 4, "w40k10.aircraft.pivot", neutral=TURN)
    """How far an AIRCRAFT turns after its move."""
    aircraft_are_passed = fact(True, "w40k10.aircraft.others_pass", neutral=False)
    """Everybody moves past AIRCRAFT, and through their Engagement Range."""

    # --- Reserves
    reserves_gap = fact(steps(9), "w40k10.ability.deep_strike", "w40k10.reserve.strategic_enemy_distance", neutral=0)
    """How far from all enemies Reserves are set up."""
    reserves_band = fact(steps(6), "w40k10.reserve.strategic_round2", "w40k10.reserve.strategic_round3", neutral=FAR)
    """How near to an edge Strategic Reserves are set up, wholly."""
    reserves_share = fact(4, "w40k10.reserve.strategic_limit", neutral=1)
    """One part in so many of the battle size can be in Strategic Reserves."""
    strategic_from = fact(2, "w40k10.reserve.strategic_timing", neutral=1)
    """In which battle round Strategic Reserves arrive at the earliest..."""
    zone_opens_in = fact(3, "w40k10.reserve.strategic_round2", "w40k10.reserve.strategic_round3", neutral=UNLIMITED)
    """...and from which on the enemy deployment zone is open to them."""
    infiltrators_gap = fact(steps(9), "w40k10.ability.infiltrators", neutral=0)
    """How far from the enemy and its zone Infiltrators are set up."""
    scouts_gap = fact(steps(9), "w40k10.ability.scouts", neutral=0)
    """How far from the enemy a Scouts move ends."""

    # --- The Command phase
    points_a_phase = fact(1, "w40k10.command.gain_cp", neutral=0)
    """So many Command points both players gain in each Command phase."""
    extra_points = fact(1, "w40k10.command.cp_cap", neutral=UNLIMITED)
    """So many Command points a player gains in a battle round beside those of the Command phases."""

    # --- Making attacks
    critical_hit = fact(6, "w40k10.attack.critical_hit", "w40k10.dice.unmodified", neutral=NEVER)
    """From this bare face on a Hit roll is a Critical Hit, and hits in every case."""
    missed = fact(1, "w40k10.attack.critical_hit", neutral=0)
    """Up to this bare face a Hit roll misses in every case."""
    critical_wound = fact(6, "w40k10.attack.critical_wound", neutral=NEVER)
    """From this bare face on a Wound roll is a Critical Wound, and wounds in every case."""
    not_wounded = fact(1, "w40k10.attack.critical_wound", neutral=0)
    """Up to this bare face a Wound roll fails in every case."""
    best_save_bonus = fact(1, "w40k10.attack.save_limits", neutral=NEVER)
    """All that changes a save together never makes it better than this."""
    lost_save = fact(1, "w40k10.attack.save_limits", neutral=0)
    """Up to this bare face a save is lost in every case."""
    saves_together = fact(True, "w40k10.attack.fast_saves", neutral=False)
    """Saves are rolled together where everybody needs the same and nothing depends on the order."""
    random_damage_in_turn = fact(True, "w40k10.attack.fast_random_damage", neutral=False)
    """Attacks with random Damage are resolved one at a time."""
    mortal_wounds_spill = fact(True, "w40k10.attack.mortal_spill", neutral=False)
    """Mortal wounds beyond what destroys a model go on to the next."""
    demise_from = fact(6, "w40k10.attack.deadly_demise", neutral=NEVER)
    """From this face on a Deadly Demise goes off..."""
    demise_range = fact(steps(6), "w40k10.attack.deadly_demise", neutral=-1)
    """...and hits units so near."""
    mortal_wounds_wait = fact(True, "w40k10.attack.mortal_timing", neutral=False)
    """Mortal wounds of attacks wait for all normal damage of the unit on that target."""

    # --- Terrain
    through_solids = fact(
        HARD,
        "w40k10.concept.model_visible",
        "w40k10.concept.model_fully_visible",
        "w40k10.concept.visibility_observer",
        "w40k10.terrain.general",
        neutral=NONE,
    )
    """Walls, floors and solid features stop every line that meets them, and nothing else does by itself."""
    through_other_areas = fact(NONE, "w40k10.terrain.craters_move", neutral=HARD)
    """Craters and other areas stop no sight by themselves."""
    area_of_all_floors = fact(True, "w40k10.terrain.ruins_footprint", neutral=False)
    """A footprint holds for all floors above it."""

    # --- Transports
    embark = fact(steps(3), "w40k10.transport.embark", neutral=FAR)
    """How near a transport every model must be to get in."""
    disembark = fact(steps(3), "w40k10.transport.disembark_setup", "w40k10.transport.destroyed_disembark", neutral=FAR)
    """How near it, wholly, every model is set up that gets out."""
    emergency = fact(steps(6), "w40k10.transport.emergency", neutral=steps(3))
    """The same for a unit that finds no room beside its destroyed transport."""
    hurt_in_a_wreck = fact(1, "w40k10.transport.destroyed_wounds", neutral=0)
    """Up to this face, a model that leaves a destroyed transport costs its unit a mortal wound..."""
    hurt_in_an_emergency = fact(3, "w40k10.transport.emergency", neutral=1)
    """...and up to this one in an Emergency Disembarkation."""

    # --- The Charge phase
    charge_range = fact(steps(12), "w40k10.charge.eligible", "w40k10.charge.targets", neutral=FAR)
    """How near an enemy must be to be charged."""
    charge_dice = fact(2, "w40k10.charge.roll", neutral=0)
    """So many dice say how far a charge goes."""

    # --- The Fight phase
    may_pass = fact(False, "w40k10.fight.no_pass", neutral=True)
    """Whether a player who has an eligible unit need not fight with it."""
    step_in = fact(steps(3), "w40k10.fight.pile_in", "w40k10.fight.consolidate", neutral=FAR)
    """How far a model Piles In or Consolidates."""

    # --- Terrain features
    across_barricade = fact(
        Zone(steps(2), steps(5)),
        "w40k10.terrain.barricade_charge",
        "w40k10.terrain.barricade_fight",
        neutral=Zone(-1, -1),
    )
    """How far charging and fighting reach across a barricade..."""
    behind_barricade = fact(steps(1), "w40k10.terrain.barricade_charge", neutral=FAR)
    """...and how near to it the target of a charge has to be."""
