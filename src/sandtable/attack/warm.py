"""Make the kernels of attacks ready: compile them, or load them from disk."""

from __future__ import annotations

import msgspec

from sandtable.attack import montecarlo
from sandtable.attack.funnel import funnel
from sandtable.attack.solver import solve
from sandtable.attack.tables import hit_table, save_needed, wound_table
from sandtable.attack.volley import Attack, Body, Choices, Mortal, Procedure, Shots, Target, Volley, WoundKind, dice


def warm_up() -> None:
    """Roll and solve a small attack that uses every part, by every procedure."""
    hit = hit_table(3, sustained=1, reroll="ones")
    kinds = (WoundKind(0, dice("D3")), WoundKind(0, None, Mortal(dice(2))))
    volley = Volley("warm", (Shots(2, dice("D3")),), hit, wound_table(4, crit_kind=1), kinds)
    target = Target(tuple(Body(i, 2, 2, (save_needed(4),), pain=6) for i in range(2)))
    attack = Attack((volley,), target)
    montecarlo.roll(attack, 10)
    funnel(attack, solve(attack))
    plain = Volley("warm", (Shots(2, dice(1)),), hit_table(3), wound_table(4), (WoundKind(0, dice(1)),))
    leader = msgspec.structs.replace(target.bodies[-1], model=9, rank=1)
    led = Target((*target.bodies[:-1], leader))
    solve(Attack((msgspec.structs.replace(plain, aim=(9,)), volley), led, choices=Choices(aim="always")))
    for procedure in Procedure:
        one = Attack((plain,), target, procedure)
        solve(one)
        montecarlo.roll(one, 10)
