/* Turning from unit to unit: who points at the next one has done with the last, and has wished for what is asked next. */

import type { Game } from "../game.svelte";
import type { Decision, Option, Point } from "../protocol";
import { isReaction, unitMeant } from "./question";

/** What one wants to do as soon as it is asked: choose a unit, or with a goal go there once the dice are rolled. */
export interface Wish {
  unit: number;
  goal: Point | null;
}
/** A hand that drags a unit before the question about it is open. */
export interface Hand {
  unit: number;
  from: [number, number];
  at: [number, number];
  down: boolean;
}

export class Turning {
  /** The option that was chosen last, and the units that could be chosen then. */
  private choice: unknown = null;
  others = new Set<number>();
  constructor(private game: Game) {}

  chose(option: unknown, units: Set<number>): void {
    this.choice = option;
    this.others = units;
  }
  /** Whether the unit of the open question was just chosen, so that another one can be chosen instead. */
  get isFresh(): boolean {
    return this.game.trail.isFresh(this.game.decision, this.game.you);
  }
  /** Whether another unit can be turned to: in the place of one that was just chosen, or next, once what is planned is done. Where nobody remembers who could be chosen, any that stands. */
  mayTurnTo(unit: number): boolean {
    const { game } = this,
      own = game.decision?.unit ?? -1,
      staged = !game.plans.planning && game.plan?.decision === game.decision?.id && game.plan?.verdict?.ok !== false;
    return (
      unit >= 0 &&
      unit !== own &&
      game.isMine(unit) &&
      game.standing(unit).length > 0 &&
      (this.isFresh || staged) &&
      (this.choice !== own || !this.others.size || this.others.has(unit))
    );
  }
  /** Do this as soon as a unit can be chosen: who clicks on the next one has done with the last. */
  async turnTo(unit: number): Promise<void> {
    const { game } = this,
      d = game.decision;
    game.wish = { unit, goal: null };
    if (!(await game.answers.judged(d))) return;
    if (game.plans.planning && this.isFresh) game.plans.keep();
    else if (game.plan?.decision === d?.id && game.plan?.verdict?.ok) {
      await game.answer(game.plan.answer);
      return;
    }
    if (!this.isFresh || !(await game.takeBack()) || game.decision?.id === d?.id) this.letGo();
  }
  /** The option of a new question that was wished for. What this question does not lead to is wished for no more. */
  wished(d: Decision): Option | undefined {
    const { game } = this,
      goal = game.plans.goalOf(d);
    if (goal && !(game.wish?.goal && game.wish.unit === d.unit)) game.wish = { unit: d.unit, goal };
    const { wish, hand } = game,
      found =
        wish && d.shape === "choose"
          ? d.options.find(o => unitMeant(game.view.units, o.value, o.label) === wish.unit)
          : undefined;
    if (found) {
      if (!wish!.goal) game.wish = null;
    } else if (!isReaction(d)) {
      if (wish && (!wish.goal || d.unit !== wish.unit)) game.wish = null;
      if (hand && d.unit !== hand.unit) game.hand = null;
    }
    return found;
  }
  /** The roll that it waited for was taken back: nobody goes anywhere after it. */
  tookBack(): void {
    if (this.game.wish?.goal) this.game.wish = null;
    this.game.plans.tookBack();
  }
  /** What was wanted next cannot be done; a hand that is still down drags nothing any more. */
  letGo(): void {
    const { game } = this;
    game.wish = null;
    if (game.hand?.down) game.hand.unit = -1;
    else game.hand = null;
  }
}
