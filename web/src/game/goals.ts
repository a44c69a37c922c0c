/* Where units go once the dice are rolled that decide how far. This browser keeps it: who reloads the page has not changed their mind. */

import type { Point } from "../protocol";
import { keep, recallList } from "../storage";

const KEY = "sandtable.goals",
  MOST = 200; // of all battles

export interface Goal {
  unit: number;
  at: Point;
  /** The kind of question after which it goes there. */
  after: string;
  /** The question at which it was told; there it is told again to who comes back. */
  told?: number;
}
interface Kept extends Goal {
  battle: string;
  player: number;
}

export class Goals {
  private goals: Goal[] = [];
  private battle = "";
  private player = -1;

  /** Those of a seat that were kept. */
  open(battle: string, player: number): void {
    this.battle = battle;
    this.player = player;
    this.goals = recallList<Kept>(KEY).filter(g => this.isHere(g));
  }
  private isHere(g: Kept): boolean {
    return g.battle === this.battle && g.player === this.player;
  }
  of(unit: number): Goal | undefined {
    return this.goals.find(g => g.unit === unit);
  }
  set(goals: Goal[]): void {
    this.goals = goals;
    const mine = goals.map(g => ({ ...g, battle: this.battle, player: this.player })),
      others = recallList<Kept>(KEY).filter(g => !this.isHere(g));
    keep(KEY, JSON.stringify([...mine, ...others].slice(0, MOST)));
  }
  tell(goal: Goal, question: number): void {
    this.set(this.goals.map(g => (g === goal ? { ...g, told: question } : g)));
  }
  /** Whoever still waits for dice goes nowhere any more. */
  dropWaiting(): void {
    this.set(this.goals.filter(g => g.told !== undefined));
  }
  drop(unit: number): void {
    this.set(this.goals.filter(g => g.unit !== unit));
  }
}
