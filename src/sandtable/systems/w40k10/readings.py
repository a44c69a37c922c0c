"""Readings: where the ledger's notes name another reading of a rule, or a later wording of it, a battle may choose.

The first value of each is what the ledger says: the core rules as first published. `docs/options.md` lists them.
"""

from __future__ import annotations

from typing import Final

from sandtable.battle import Reading

READINGS: Final = (
    Reading(
        "devastating",
        ("spill", "one-model"),
        "Mortal wounds of Devastating Wounds carry over from model to model, or stay on one as in later wordings.",
        "w40k10.weapon.devastating_wounds",
    ),
    Reading(
        "lethal",
        ("always", "optional"),
        "A Critical Hit with Lethal Hits always wounds by itself, or the attacker may make the Wound roll instead, as "
        "in later wordings.",
        "w40k10.weapon.lethal_hits",
    ),
    Reading(
        "indirect",
        ("penalty", "misses-to-3"),
        "Indirect Fire at an unseen unit has its penalties, or bare Hit rolls of 1 to 3 miss as well, as in later "
        "wordings.",
        "w40k10.weapon.indirect_penalty",
    ),
    Reading(
        "indirect-sight",
        ("unit", "model"),
        "Indirect Fire has its penalties if nobody of the attacking unit sees the target, or for each attacking model "
        "that does not see it.",
        "w40k10.weapon.indirect_penalty",
    ),
    Reading(
        "pivot",
        ("measured", "flat"),
        'Turning a base that is not round costs what its end travels, or once 2" for MONSTERS and VEHICLES and 1" for '
        "others, as in later wordings.",
        "w40k10.move.distance",
    ),
    Reading(
        "strategic-deep-strike",
        ("no", "yes"),
        "A unit in Strategic Reserves arrives by their rules alone, or by Deep Strike if it has that, as in later "
        "wordings.",
        "w40k10.reserve.strategic_kind",
    ),
    Reading(
        "deep-strike",
        ("any-round", "from-round-2"),
        "Deep Strike works from the first battle round on, or from the second, as many mission packs say.",
        "w40k10.ability.deep_strike",
    ),
    Reading(
        "large-reserves",
        ("never", "touching-edge"),
        'A model too large to fit within 6" of the edge cannot arrive from Strategic Reserves, or arrives touching the '
        "edge.",
        "w40k10.reserve.strategic_round2",
    ),
    Reading(
        "modifier-cap",
        ("sum", "each"),
        "Modifiers of Hit and Wound rolls are added up and the sum is limited to 1, or each of them is.",
        "w40k10.attack.hit_modifier_cap",
    ),
    Reading(
        "save-cap",
        ("sum", "bonuses"),
        "The limit of +1 on saving throws looks at all modifiers with the AP, or at the bonuses alone.",
        "w40k10.attack.save_limits",
    ),
    Reading(
        "melta-devastating",
        ("raised", "printed"),
        "The mortal wounds of a Melta weapon with Devastating Wounds are as many as its Damage with Melta, or without.",
        "w40k10.weapon.melta",
    ),
    Reading(
        "pistols",
        ("each", "one-unit"),
        "Each Pistol of an engaged unit may pick its target among the units it is engaged with, or all pick the same.",
        "w40k10.weapon.pistol_eligible",
    ),
    Reading(
        "counter-offensive",
        ("selection", "extra"),
        "A Counter-offensive counts as its player's selection, or comes before it.",
        "w40k10.strat.counter_offensive",
    ),
    Reading(
        "cover-ap",
        ("improved", "printed"),
        "Whether cover helps a good save is judged by the AP of the attack after all improvements, or as printed.",
        "w40k10.terrain.cover_good_armour",
    ),
    Reading(
        "cover-sight",
        ("any", "every"),
        "Terrain gives cover if it hides a model partly from any attacking model, or only if from every one.",
        "w40k10.terrain.cover_not_fully_visible",
    ),
    Reading(
        "desperate-escape",
        ("all", "fly-exempt"),
        "In a Battle-shocked unit that Falls Back every model tests, or those with FLY or TITANIC do not.",
        "w40k10.move.desperate_escape_trigger",
    ),
    Reading(
        "deadly-demise",
        ("own-unit", "others"),
        "A Deadly Demise also hits the other models of the destroyed model's own unit, or other units only.",
        "w40k10.attack.deadly_demise",
    ),
    Reading(
        "emergency-rolls",
        ("set-up", "all"),
        "After an Emergency Disembarkation a die is rolled for each model that was set up, or for those lost, too.",
        "w40k10.transport.emergency",
    ),
    Reading(
        "aircraft-lock",
        ("locked", "free"),
        "A unit engaged with AIRCRAFT alone is locked in combat for shooting, or shoots freely.",
        "w40k10.aircraft.others_options",
    ),
    Reading(
        "grenade",
        ("any", "unhurried"),
        "A unit that Advanced or Fell Back may use the Grenade Stratagem, or may not.",
        "w40k10.strat.grenade",
    ),
    Reading(
        "marker-set-up",
        ("refused", "allowed"),
        "Nobody is set up on an objective marker, or everybody may be.",
        "w40k10.objective.movement",
    ),
)
