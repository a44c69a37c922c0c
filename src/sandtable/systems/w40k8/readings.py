"""Readings: where the ledger's notes name another reading of a rule, a battle may choose between them.

The first value of each is what the ledger says. `docs/options.md` lists them.
"""

from __future__ import annotations

from typing import Final

from sandtable.battle import Reading

READINGS: Final = (
    Reading(
        "disgustingly-resilient",
        ("on", "off"),
        "Whether models that are Disgustingly Resilient keep wounds on a 5+; the book only names the ability.",
        "w40k8.gap.disgustingly_resilient",
    ),
    Reading(
        "coherency",
        ("one-group", "a-neighbour-each"),
        "A unit stands together as one chain of models, or each model only needs one of its fellows nearby.",
        "w40k8.concept.coherency",
    ),
    Reading(
        "climbing",
        ("measured", "free"),
        "Height that is climbed counts as distance moved, or only the way over the ground does.",
        "w40k8.move.terrain",
    ),
    Reading(
        "cover",
        ("any-terrain", "one-feature"),
        "A unit has cover if each model is within some terrain feature, or only if all are within the same one.",
        "w40k8.cover.bonus",
    ),
    Reading(
        "cover-moment",
        ("each-save", "each-volley"),
        "Cover is looked at anew for each saving throw, or once for all shots that are resolved together.",
        "w40k8.cover.bonus",
    ),
    Reading(
        "auras",
        ("once", "each"),
        "Auras of one name work on a unit once, or each of them adds to the others.",
        "w40k8.concept.aura",
    ),
    Reading(
        "fly",
        ("every-move", "movement-phase"),
        "Who can Fly does so in every kind of move, or in the Movement phase alone.",
        "w40k8.move.fly",
    ),
    Reading(
        "through-models",
        ("never", "after-the-movement-phase"),
        "No move leads through other models, or those of the Charge and Fight phases may.",
        "w40k8.move.through_models",
    ),
    Reading(
        "flyers-advance",
        ("higher-number", "both-numbers"),
        "An Advance adds to how far a flyer may get, or also to how far it has to.",
        "w40k8.move.minimum",
    ),
    Reading(
        "perils-burst",
        ("for-each-unit", "once"),
        "When Perils of the Warp slay a psyker, a D3 is thrown for each unit nearby, or one for all of them.",
        "w40k8.psychic.perils_death",
    ),
    Reading(
        "nurgles-gift",
        ("one-die", "a-die-for-each-lord"),
        "Two Lords of Contagion mean one die for each enemy unit that their Gift reaches, or one of each Lord.",
        "w40k8.lord.nurgles_gift",
    ),
    Reading(
        "command-rerolls",
        ("own-dice", "any-dice"),
        "The Underdog uses a Command re-roll on own dice alone, or on any die that is thrown.",
        "w40k8.onlywar.command_reroll_use",
    ),
    Reading(
        "wiped-out",
        ("all-models", "on-the-battlefield"),
        "Passengers and reserves keep an army in the battle, or it is lost with its last model on the battlefield.",
        "w40k8.onlywar.wipe_out",
    ),
)
