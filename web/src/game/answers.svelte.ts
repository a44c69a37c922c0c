/* Answers: given, given as usual, and taken back. */

import type { Game } from "../game.svelte";
import type { Decision, Idea } from "../protocol";
import { unitsOffered } from "./question";

const LOOK = 20; // milliseconds between two looks at what is awaited

export class Answers {
  /** The usual answer, which the space bar gives; null until the server has told it. */
  usual = $state.raw<Idea | null>(null);
  /** The same, which the server thinks about. */
  private coming: Promise<Idea | null> = Promise.resolve(null);
  /** Whether the open question gets it without anybody's doing. */
  automatic = $state(false);
  private giving = $state(false);
  /** The question whose answer was accepted, until it is told what came of it: whoever is quick answers it no second time. */
  private given = $state(-1);
  private takingBack = $state(false);
  /** How often somebody here has asked for one back, by the key or the arrow. */
  undone = $state(0);
  /** Whether the space bar was pressed before the usual answer was known. */
  waits = $state(false);
  constructor(private game: Game) {}

  /** Whether an answer is under way, or one is being taken back. */
  get busy(): boolean {
    return this.giving || this.takingBack || (this.given >= 0 && this.game.decision?.id === this.given);
  }
  async give(answer: unknown): Promise<boolean> {
    const { game } = this,
      d = game.decision;
    if (!d || this.busy) return false;
    const offered = unitsOffered(d, game.view.units),
      goal = game.plan?.decision === d.id && game.plan.answer === answer ? game.plan.goal : null;
    this.giving = true;
    if (goal) game.wish = { unit: d.unit, goal };
    game.clear();
    try {
      await game.wire.answer(d.id, answer);
      if (game.decision?.id === d.id) this.given = d.id;
      game.plan = null;
      if (d.shape === "choose") game.turning.chose(answer, offered);
      return true;
    } catch (error) {
      game.notes.explain(error);
      game.notes.tried = answer;
      game.turning.letGo();
      return false;
    } finally {
      this.giving = false;
    }
  }
  /** The space bar: what is planned if it may be done, else the usual answer; while a story is told, its end or its next step. */
  async accept(): Promise<void> {
    const { game } = this,
      { decision: d, playback } = game;
    if (game.telling) {
      if (playback.stops) playback.step();
      else playback.hurry();
      return;
    }
    if (!d) return;
    // Who meant what is planned does not mean the usual answer.
    if (game.plan?.decision === d.id) await this.takePlanned(d);
    else if (game.actor?.ready) await game.actor.ready();
    else await this.takeUsual(d);
  }
  private async takePlanned(d: Decision): Promise<void> {
    const { game } = this;
    if (!(await this.judged(d))) return;
    if (game.plan?.verdict?.ok) await this.give(game.plan.answer);
    else if (game.plan && !game.plan.verdict && !game.online)
      game.notes.tell("There is no connection now, so nobody can judge what is planned.", false);
  }
  /** Until what is planned has been judged; says whether the question is still open then. */
  async judged(d = this.game.decision): Promise<boolean> {
    const { game } = this,
      isOpen = () => !!d && game.decision?.id === d.id;
    while (isOpen() && game.online && game.plan && (!game.plan.verdict || game.settling))
      await new Promise(done => setTimeout(done, LOOK));
    return isOpen();
  }
  /** Give the usual answer, as soon as it is known, unless another one is made meanwhile. */
  async takeUsual(d: Decision): Promise<void> {
    const { game } = this,
      isMade = () => game.plan?.decision === d.id || !!game.actor?.ready,
      before = isMade();
    if (this.waits) return;
    this.waits = true;
    const usual = this.usual ?? (await this.coming) ?? (await game.default());
    if (game.decision?.id !== d.id || !this.waits) return;
    this.waits = false;
    if (usual && isMade() === before) await this.give(usual.answer);
  }
  /** It was told how everything stands now. */
  heard(): void {
    this.given = -1;
  }
  /** Nobody is asked any more what was asked before. */
  forget(): void {
    this.usual = null;
    this.coming = Promise.resolve(null);
    this.automatic = false;
    this.waits = false;
  }
  /** Learn the usual answer to a new question, and give it where nobody wants to be asked. */
  async think(d: Decision): Promise<void> {
    this.automatic = this.game.spared.isSpared(d);
    this.coming = this.game.default();
    const usual = await this.coming;
    if (this.game.decision?.id !== d.id) return;
    this.usual = usual;
    if (!usual) {
      this.game.spared.resting = "";
      this.automatic = false;
    }
    if (usual && this.automatic && !(await this.give(usual.answer)) && this.game.decision?.id === d.id)
      this.automatic = false;
  }
  async takeBack(): Promise<boolean> {
    this.game.clear();
    this.game.spared.resting = "";
    this.takingBack = true;
    try {
      return (await this.game.ask({ say: "take_back" })) !== null;
    } finally {
      this.takingBack = false;
    }
  }
  /** The same, asked for by hand. */
  async undo(): Promise<void> {
    if (await this.takeBack()) this.undone++;
  }
  /** An answer was taken back, whoever has asked for it. */
  tookBack(): void {
    this.takingBack = false;
  }
  /** Whether it is oneself who takes one back. */
  get takesBack(): boolean {
    return this.takingBack;
  }
}
