"""Moments by name: when rules fall due and Stratagems may be used, in any edition.

Each name is given to `Battle.window` together with a `Moment`. `moment.unit` is the unit that acts; what else a moment
carries in `data` stands beside the name.
"""

from __future__ import annotations

from typing import Final

BATTLE_BEGINS: Final = "battle_begins"
"""Armies stand ready, and the first battle round is about to begin."""
FORMATIONS: Final = "formations"
"""The players have declared their battle formations, and declare what else belongs to that step."""
PRE_BATTLE: Final = "pre_battle"
"""The trigger of rules that are resolved between deployment and the first turn, one by one and without a window.

A rule must remember in the state that it has been resolved, so that it is offered once.
"""
ROUND_BEGAN: Final = "round_began"
"""A battle round has begun, before the first turn in it."""
ROUND_ENDED: Final = "round_ended"
"""A battle round is about to end, after the last turn in it."""

PHASE_BEGAN: Final = "phase_began"
"""A phase has begun; data: phase."""
PHASE_ENDED: Final = "phase_ended"
"""A phase is about to end; data: phase."""

COMMAND_ABILITIES: Final = "command_abilities"
"""What is done in the Command phase is due, in editions that have a step for it."""

TURN_BEGAN: Final = "turn_began"
"""A turn has begun."""
TURN_ENDED: Final = "turn_ended"
"""A turn is about to end."""

TEST_DUE: Final = "test_due"
"""A unit is about to make the battle-shock roll of the Battle-shock step."""
TEST_FAILED: Final = "test_failed"
"""A unit has failed a Battle-shock test and is Battle-shocked now; data: test ("battle-shock"), and step.

The step is "battle-shock" in the Battle-shock step, and empty where another rule asks for the test.
"""

UNIT_MOVE_BEGAN: Final = "unit_move_began"
"""A unit begins a move, before any model is moved; data: move ("normal", "advance", "fall_back" or "charge")."""
UNIT_MOVE_ENDED: Final = "unit_move_ended"
"""A unit has ended a move; data: move, as above or "surge", and over (enemy units that it moved
over, where that matters).

Also the moment right after a Charge move.
"""
UNIT_SET_UP: Final = "unit_set_up"
"""A unit has been set up on the battlefield during the battle."""

UNIT_TO_MOVE: Final = "unit_to_move"
"""The Movement phase waits for the next unit: what is done "in your Movement phase" is offered beside the units."""

UNIT_TO_SHOOT: Final = "unit_to_shoot"
"""The Shooting phase waits for the next unit: the moment for what is done "in your Shooting phase"."""
UNIT_ABOUT_TO_SHOOT: Final = "unit_about_to_shoot"
"""It declares its shots next, in its Shooting phase or out of turn."""
UNIT_SELECTED_TO_SHOOT: Final = "unit_selected_to_shoot"
"""A unit has been selected to shoot in its Shooting phase, before it selects targets."""
TARGETS_SELECTED: Final = "targets_selected"
"""A unit has selected the targets of its shooting or of its melee attacks; data: targets (ids of the units)."""
ATTACKS_MADE: Final = "attacks_made"
"""A unit has made all attacks that it declared.

data: melee, hit (units that were hit), hurt (units that lost wounds), destroyed (models that fell).
"""

CHARGE_DECLARED: Final = "charge_declared"
"""A unit has declared a charge, before the Charge roll; data: targets (ids of the units)."""

UNIT_SELECTED_TO_FIGHT: Final = "unit_selected_to_fight"
"""A unit has been selected to fight, before it Piles In."""
UNIT_FOUGHT: Final = "unit_fought"
"""A unit has fought: piled in, attacked and consolidated."""

AFTER_ROLL: Final = "after_roll"
"""A roll has been made that may be re-rolled, before any modifier.

data: roll (kind of roll, such as "advance"), faces (tuple), sum (True: all dice make one result; False: each die is a
roll of its own), rerolled (numbers of the dice that were re-rolled already), need (what a die or the sum has to show to
succeed; 0 when more is simply better). Whoever re-rolls writes `faces` and `rerolled` anew; see `rerolls.offer_reroll`.
"""

MODEL_DESTROYED: Final = "model_destroyed"
"""A model is destroyed, before it is taken off the battlefield; data: model, attack (whether by one, where told)."""
UNIT_DESTROYED: Final = "unit_destroyed"
"""A unit, or one part of an Attached unit, has been destroyed; data: part ("unit", "leader" or "bodyguard")."""
