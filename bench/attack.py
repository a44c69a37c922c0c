"""How fast attacks are rolled."""

from __future__ import annotations

import time
from typing import Any

from sandtable.attack import montecarlo
from sandtable.attack.tables import hit_table, save_needed, wound_table
from sandtable.attack.volley import Attack, Body, Mortal, Shots, Target, Volley, WoundKind, dice


def plain() -> Attack:
    """20 attacks, 3+ to hit, 4+ to wound, at ten models with two wounds and a 3+ save."""
    volley = Volley("bolter", (Shots(10, dice(2)),), hit_table(3), wound_table(4), (WoundKind(0, dice(1)),))
    bodies = tuple(Body(i, 2, 2, (save_needed(3),)) for i in range(10))
    return Attack((volley,), Target(bodies))


def rich() -> Attack:
    """The same with critical effects at both rolls, re-rolls, damage 2 and feel no pain."""
    hit = hit_table(3, lethal=True, sustained=1, reroll="ones")
    wound = wound_table(4, crit_kind=1, reroll="failures")
    kinds = (WoundKind(0, dice(2)), WoundKind(0, None, Mortal(dice(2))))
    volley = Volley("storm", (Shots(20, dice(1)),), hit, wound, kinds)
    bodies = tuple(Body(i, 2, 2, (save_needed(3, -1),), pain=5) for i in range(10))
    return Attack((volley,), Target(bodies))


def measure() -> dict[str, dict[str, Any]]:
    """Sequences a second of processor time, best of three."""
    out: dict[str, dict[str, Any]] = {}
    for name, attack, least in (("plain", plain(), 1_000_000), ("rich", rich(), None)):
        montecarlo.roll(attack, 10)
        rolls = 300_000
        best = float("inf")
        for seed in range(3):
            start = time.process_time()
            montecarlo.roll(attack, rolls, seed)
            best = min(best, time.process_time() - start)
        out[f"monte_carlo_{name}_per_s"] = {
            "value": round(rolls / best),
            "limit": least,
            "at_least": True,
            "what": f"sequences of 20 attacks a second in the Monte Carlo kernel: {_words(attack_named=name)}",
        }
    return out


def _words(attack_named: str) -> str:
    doc = (plain if attack_named == "plain" else rich).__doc__ or ""
    return doc.removesuffix(".")
