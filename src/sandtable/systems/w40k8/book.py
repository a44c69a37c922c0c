"""The numbers of the book, by its headings. Lengths are in grid steps."""

from __future__ import annotations

from sandtable.forty.psykers import Power
from sandtable.rules import Facts, fact
from sandtable.table.coherency import NO_COHERENCY, Coherency
from sandtable.table.grid import STEP, steps
from sandtable.table.sight import HARD, NONE
from sandtable.table.zones import Ball

FAR = steps(120)
"""Further than any table is long"""


class BOOK(Facts):
    """What 8th edition states."""

    # --- Models and datasheets
    coherency = fact(Coherency(steps(2), steps(6)), "w40k8.concept.coherency", neutral=NO_COHERENCY)
    """How a unit stands together: one chain, each next to another."""
    least = fact(1, "w40k8.stat.floor_one", neutral=-99)
    """Strength, Toughness and Leadership are never lower."""

    # --- Visibility
    models_hide = fact(True, "w40k8.concept.visibility", "w40k8.gap.sight_model", neutral=False)
    """Models hide what is behind them, but for those of the observer's own unit."""
    solids_hide = fact(HARD, "w40k8.gap.sight_model", neutral=NONE)
    """What is solid stops every line that meets it, and nothing else of terrain does."""

    # --- Enemies at hand
    close = fact(
        steps(1),
        "w40k8.shoot.eligible",
        "w40k8.shoot.friends_near_target",
        "w40k8.weapon.pistol_combat",
        "w40k8.charge.eligible",
        "w40k8.charge.overwatch_repeat",
        "w40k8.fight.eligible",
        neutral=-1,
    )
    """So near, an enemy keeps a unit from shooting and charging, and brings it to blows."""

    large = fact(10, "w40k8.shoot.character_large", neutral=999)
    """Characters with so many Wounds are shot at like anybody."""

    # --- The attack sequence
    failing_face = fact(1, "w40k8.attack.natural_one", neutral=0)
    """Up to this bare face hit rolls, wound rolls and saving throws fail, whatever is added."""
    one_at_a_time = fact(True, "w40k8.attack.fast_dice", neutral=False)
    """Random damage is inflicted before the next wound is saved."""
    spills = fact(True, "w40k8.attack.mortal_spill", neutral=False)
    """Mortal wounds beyond what slays a model go on to another one of its unit."""
    resilient = fact(5, "w40k8.gap.disgustingly_resilient", neutral=7)
    """From this face on a wound is not lost, by models that are Disgustingly Resilient."""
    cover = fact(1, "w40k8.cover.bonus", neutral=0)
    """What a unit within terrain adds to its saving throws."""

    # --- Moving
    edge_holds = fact(True, "w40k8.gap.board_edge", neutral=False)
    """No part of a base crosses the edge of the table."""

    # --- The Movement phase
    one_inch = fact(Ball(steps(1)), "w40k8.move.one_inch", neutral=Ball(-1))
    """How near to an enemy model nobody comes who moves or Advances."""
    fallen_back = fact(Ball(steps(1)), "w40k8.move.fall_back", neutral=Ball(-1))
    """How near to an enemy nobody ends who Falls Back."""
    near = fact(steps(1), "w40k8.move.near_enemy", neutral=-1)
    """So near, an enemy leaves a unit no choice but to stay or to Fall Back."""
    advance_dice = fact(1, "w40k8.move.advance", neutral=0)
    """So many dice say how much further an Advance goes."""

    # --- The Psychic phase
    smite = fact(
        Power("smite", charge=5, range=18, wounds="D3", strong="D6", above=10),
        "w40k8.psychic.smite",
        "w40k8.psychic.smite_strong",
        neutral=Power("smite", charge=2, range=120, wounds="0"),
    )
    """The power that every psyker knows of whom nothing else is said."""
    equally_near = fact(STEP / 1000, "w40k8.gap.closest_tie", neutral=-1.0)
    """Whoever is further off by no more than this is as near as the nearest."""
    perils = fact((1, 6), "w40k8.psychic.perils", neutral=())
    """Faces that are Perils of the Warp if both dice of a Psychic test show them."""
    perils_wounds = fact("D3", "w40k8.psychic.perils", neutral="0")
    """The mortal wounds that a psyker suffers by them..."""
    burst = fact("D3", "w40k8.psychic.perils_death", neutral="0")
    """...and those of each unit near a psyker who died of them."""
    burst_range = fact(steps(6), "w40k8.psychic.perils_death", neutral=-1)
    """How near that is."""
    deny_range = fact(steps(24), "w40k8.psychic.deny", "w40k8.psychic.deny_once", neutral=-1)
    """How near to a model that manifests a power a psyker can deny it."""

    # --- The Lord of Contagion
    gift = fact(4, "w40k8.lord.nurgles_gift", neutral=7)
    """From this face on his Gift deals a mortal wound."""
    gift_range = fact(steps(7), "w40k8.lord.nurgles_gift", neutral=-1)
    """How near to him Death Guard models spread it..."""
    gift_reach = fact(steps(1), "w40k8.lord.nurgles_gift", neutral=-1)
    """...and how near to one of them an enemy is stricken."""
    teleport = fact(steps(9), "w40k8.lord.teleport_strike", neutral=-1)
    """Nobody arrives by a teleport strike so near to an enemy model."""

    # --- The Warlord, and Warlord Traits
    anybody_is_warlord = fact(True, "w40k8.warlord.nominate", neutral=False)
    """Any model can be the Warlord."""
    legend = fact(1, "w40k8.warlord.legendary_fighter", neutral=0)
    """Attacks more of a Legendary Fighter who charged."""
    inspiration = fact(1, "w40k8.warlord.inspiring_leader", neutral=0)
    """Leadership more near an Inspiring Leader..."""
    inspired_within = fact(steps(6), "w40k8.warlord.inspiring_leader", neutral=-1)
    """...and how near that is."""
    tenacious = fact(6, "w40k8.warlord.tenacious_survivor", neutral=7)
    """From this face on a Tenacious Survivor does not lose a wound."""

    # --- The Charge phase
    charge_range = fact(steps(12), "w40k8.charge.eligible", "w40k8.charge.targets", neutral=FAR)
    """How near an enemy must be to be charged."""
    charge_dice = fact(2, "w40k8.charge.roll", neutral=0)
    """So many dice say how far a charge goes."""
    first_model = fact(Ball(steps(1)), "w40k8.charge.first_model", neutral=Ball(FAR))
    """How near to a model of a target the first model that is moved has to end."""
    non_targets = fact(Ball(steps(1)), "w40k8.charge.non_targets", neutral=Ball(-1))
    """How near to enemies that are no targets chargers may not come."""
    heroic_range = fact(steps(3), "w40k8.charge.heroic", neutral=FAR)
    """How near an enemy unit must be for a Character to intervene."""

    # --- The Fight phase
    reach = fact(steps(1), "w40k8.fight.reach", neutral=FAR)
    """How far a model strikes, and how near a comrade must be across whom it strikes."""
    step = fact(steps(3), "w40k8.fight.pile_in", "w40k8.fight.consolidate", "w40k8.charge.heroic", neutral=FAR)
    """How far a model piles in, consolidates, or intervenes heroically."""

    # --- Fighting a battle
    battlefield = fact((72, 48), "w40k8.battle.field", neutral=(24, 24))
    """The measures of a battlefield in inches, if nothing else is said."""
    terrain_part = fact(24, "w40k8.battle.terrain", neutral=48)
    """One or two features lie in each square of this side, in inches."""

    # --- Only War
    marker_range = fact(steps(3), "w40k8.onlywar.control", neutral=FAR)
    """How near to the centre of a marker models count."""
    secure = fact(2, "w40k8.onlywar.slay_and_secure", neutral=0)
    """Victory points for each marker at the end of Slay and Secure."""
    relic = fact(6, "w40k8.onlywar.ancient_relic", neutral=0)
    """Victory points for the Ancient Relic at the end."""
    dominate = fact(1, "w40k8.onlywar.domination", neutral=0)
    """Victory points for each marker when a turn of Domination ends."""
    markers_apart = fact(steps(10), "w40k8.onlywar.markers", neutral=0)
    """How far from each other markers lie at least."""
    from_enemy_zone = fact(steps(12), "w40k8.onlywar.deploy_distance", neutral=-FAR)
    """How near to the enemy deployment zone nobody is set up."""
    power_for_a_reroll = fact(10, "w40k8.onlywar.command_rerolls", neutral=FAR)
    """So much difference in Power Level is worth one Command re-roll."""

    # --- Transports
    embark = fact(steps(3), "w40k8.transport.embark", "w40k8.transport.disembark_setup", neutral=FAR)
    """How near to a transport all models are to get in, and are set up when they get out."""
    not_beside = fact(steps(1), "w40k8.transport.disembark_setup", neutral=-1)
    """How near to an enemy nobody gets out."""
    slain_in_a_wreck = fact(1, "w40k8.transport.destroyed", neutral=0)
    """Up to this face a die slays a model that got out of a destroyed transport."""
