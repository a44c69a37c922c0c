"""What a bot is shown: it may try things out in it, and neither misleads the rules nor learns what is to come."""

from __future__ import annotations

from typing import Any

import sandtable
from sandtable.api import table_of
from sandtable.battle.decisions import Leg, Moves, Path
from sandtable.kit.layouts import find_table
from sandtable.table.grid import STEP
from w40k10.armies import go_on

ARMIES = {"red": "orks-1000-horde", "blue": "necrons-1000-legion"}


def moving() -> tuple[Any, Any, Moves]:
    """A battle in which a unit moves, the question, and a move that is too long."""
    b = sandtable.new("w40k10", armies=ARMIES, layout="crossroads", seed=7)
    go_on(b, "move")
    d = b.decisions[0]
    pos, facing = b.state.models.pos, b.state.models.facing
    legs = {m: Leg("go", int(pos[m][0]), int(pos[m][1]) + 11 * STEP, int(pos[m][2]), int(facing[m])) for m in d.models}
    return b, d, Moves("normal", tuple(Path(m, (leg,)) for m, leg in legs.items()))


def test_a_verdict_that_a_view_comes_to_after_it_was_changed_is_not_the_battles() -> None:
    b, d, far = moving()
    view = b.view(d.player)
    view.state.models.pos[list(d.models), 1] += 6 * STEP
    view.check(d, far)
    assert not b.check(d, far)


def test_what_a_view_hands_out_is_not_what_the_battle_reads() -> None:
    b, d, _ = moving()
    view, unit, enemy = b.view(d.player), b.unit(d.unit), b.enemies_of(d.player)[0]
    before = b.on_table(unit).tolist(), b.distances(unit, enemy).tolist()
    view.on_table(unit)[:] = 0
    view.distances(unit, enemy)[:] = 0
    view.setup.options["devastating"] = "nonsense"
    assert (b.on_table(unit).tolist(), b.distances(unit, enemy).tolist()) == before
    assert b.option("devastating") != "nonsense"


def test_the_table_does_not_give_the_seed_of_the_dice_away() -> None:
    b = sandtable.new("w40k10", armies=ARMIES, seed=1234)
    features = b.view(0).setup.table.features
    assert features == find_table(table_of(1234)).features
    assert features != find_table("random-1234").features


def test_seeds_that_nobody_chose_are_too_long_to_be_tried_out() -> None:
    longest = max(sandtable.new("epica").dice.seed for _ in range(4))
    assert longest >= 1 << 40
