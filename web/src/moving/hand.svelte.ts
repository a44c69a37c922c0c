/* The hand: it takes models up and drags them, points at places, names a way, draws a front, takes small steps, and lets go. */

import type { Game } from "../game.svelte";
import { ON_TABLE, PLACE, STEP, X, Y, type Move, type Place, type Point } from "../protocol";
import { magnets, type Aim } from "./aim.svelte";
import type { Formed } from "./formed.svelte";
import type { Ghosts } from "./ghosts";
import { middleOf, type Movers } from "./movers.svelte";

/** Nearer than this to each other, two places are one. */
export const TREMOR = STEP / 20;
const SHORTEST = STEP / 2; // front that is one
const REST = 160; // milliseconds after the last of several small steps
const ALONG = 0.7; // a magnet draws on who goes to it at less than an eighth of a turn

/** What comes of what a hand does. */
export interface Deeds {
  /** The ghosts go where it wants them. */
  lay(): void;
  /** What they show stands. */
  settle(): Promise<void>;
  /** They get into a transport; gives null where there is nothing to settle any more. */
  board(unit: number): Promise<unknown>;
  /** Nobody waits until later for what is wanted now. */
  hurry(): void;
  /** Whether something else than the hand wanted was found for where it is now. */
  foundElse(): boolean;
}

export class Hand {
  /** What a finger does on the table that has neither Ctrl nor a right button. */
  tool = $state<"" | "way" | "front">("");
  /** The model that it holds; -1 for none. */
  lead = -1;
  /** Where it took the unit up, and where the middle of that was. */
  private grabbed: { x: number; y: number; mid: Point } | null = null;
  /** A comrade that it is over: who lets go there means to get in. */
  private over = -1;
  /** Where a front begins that is drawn without a right button. */
  private left: Point | null = null;
  /** Until the last of several small steps was taken, and how far they have led. */
  private resting = 0;
  private run: Point = [0, 0];

  constructor(
    private game: Game,
    private decision: Move | Place,
    private movers: Movers,
    private formed: Formed,
    private aim: Aim,
    private ghosts: Ghosts,
    private to: Deeds,
  ) {}

  /** It has dragged the unit since before the question about it was open. */
  goOn(from: Point, at: Point): void {
    this.grab(...from);
    this.aim.goal = this.goal(...at);
  }
  /** A model, or a ghost of one, is taken up at a place. */
  grab(x: number, y: number): void {
    if (this.tool === "front") {
      this.left = [x, y];
      return;
    }
    const { game, formed, movers } = this,
      { models, centre, unset } = movers,
      planned = this.ghosts.plan?.ghosts ?? [],
      ghosts = models.flatMap(model => {
        const found = planned.find(g => g.model === model);
        return found ?? (unset ? [] : { model, ...game.at(model) });
      }),
      held = nearest(ghosts, x, y);
    this.lead = held?.model ?? -1;
    let mid: Point = ghosts.length ? middleOf(ghosts) : [x, y];
    if (held && centre && formed.keeps && planned.some(g => models.includes(g.model))) {
      // Who is held stays under the hand, wherever the others had to go.
      const from = movers.stance(held.model);
      mid = [held.x - (from.x - centre[0]) * formed.spread, held.y - (from.y - centre[1]) * formed.spread];
    }
    this.grabbed = { x, y, mid };
    this.to.hurry();
  }
  drag(x: number, y: number, shift: boolean): void {
    const { aim, formed } = this;
    if (this.left) {
      this.front(...this.left, x, y);
      return;
    }
    const loose = shift || magnets.off;
    if (!this.grabbed) this.grab(x, y);
    const goal = this.goal(x, y);
    this.over = this.comrade(x, y);
    // A hand that trembles leaves what was found for it.
    const moved =
      aim.goal && !formed.width && aim.loose === loose && this.game.plan
        ? Math.hypot(goal[0] - aim.goal[0], goal[1] - aim.goal[1])
        : Infinity;
    if (moved <= (this.to.foundElse() ? TREMOR : 0)) return;
    this.want(goal, loose);
  }
  /** Where the middle of the unit is wanted while it is dragged. */
  private goal(x: number, y: number): Point {
    const g = this.grabbed!;
    return [g.mid[0] + x - g.x, g.mid[1] + y - g.y];
  }
  private want(goal: Point, loose: boolean): void {
    this.formed.width = 0;
    this.aim.at(goal);
    this.aim.loose = loose;
    this.to.lay();
  }
  /** The unit of one's own that a place lies on. */
  private comrade(x: number, y: number): number {
    const { game } = this;
    const over = game.view.models.findIndex((row, m) => {
      const unit = game.unitOf(m);
      return (
        row[PLACE] === ON_TABLE &&
        unit !== this.decision.unit &&
        game.isMine(unit) &&
        Math.hypot(row[X] - x, row[Y] - y) < game.baseOf(m).long / 2
      );
    });
    return over < 0 ? -1 : game.unitOf(over);
  }
  async drop(): Promise<void> {
    const onto = this.over;
    this.lift();
    if (this.left) {
      this.left = null;
      this.tool = "";
      this.game.pointers = [];
    }
    this.aim.keep();
    if (onto < 0 || (await this.to.board(onto))) await this.to.settle();
  }
  /** It holds nothing any more. */
  lift(): void {
    this.grabbed = null;
    this.over = -1;
  }
  /** The drag was none. */
  forget(): void {
    this.lift();
    this.left = null;
    this.game.pointers = [];
  }

  /** A place is pointed at: the middle of the unit goes there. */
  point(x: number, y: number, shift = false): void {
    if (this.tool === "way") {
      this.waypoint(x, y);
      return;
    }
    this.to.hurry();
    this.want([x, y], shift);
    this.aim.keep();
    void this.to.settle();
  }
  /** The way leads over a place, and over those that were named before. */
  waypoint(x: number, y: number): void {
    if (!this.movers.middle) return;
    this.aim.over([Math.round(x), Math.round(y)]);
    this.to.lay();
    void this.to.settle();
  }
  /** A front is drawn from its left to its right end; the unit fills it in ranks. */
  front(ax: number, ay: number, bx: number, by: number): void {
    const dx = bx - ax,
      dy = by - ay,
      width = Math.hypot(dx, dy);
    if (width < SHORTEST) return;
    this.formed.front(width, Math.atan2(dx, -dy));
    this.aim.at([(ax + bx) / 2, (ay + by) / 2]);
    this.aim.loose = true;
    this.to.lay();
  }
  /** Do as a finger does that has neither Ctrl nor a right button; the same once more for nothing of it. */
  take(tool: "way" | "front"): void {
    this.tool = this.tool === tool ? "" : tool;
  }

  nudge(dx: number, dy: number): void {
    const { aim, ghosts } = this,
      fresh = this.movers.unset && !ghosts.plan?.ghosts.length;
    // Steps that follow each other are steps of the goal: where somebody was pushed to does not lead astray.
    const [x, y] = (this.resting ? aim.goal : null) ?? ghosts.middle;
    if (!this.resting) this.run = [0, 0];
    this.run = [this.run[0] + dx, this.run[1] + dy];
    aim.at(fresh ? [x, y] : [x + dx, y + dy]);
    aim.loose = true;
    this.to.lay();
    this.game.settling = true;
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => {
      this.resting = 0;
      // Ghosts of a question that was answered meanwhile would stand there unseen.
      if (this.game.decision?.id !== this.decision.id) return;
      this.drawOn();
      void this.to.settle();
    }, REST);
  }
  /** After the last of several small steps magnets draw on, but never back. */
  private drawOn(): void {
    const { aim } = this;
    if (!aim.goal) return;
    aim.loose = false;
    this.to.lay();
    const { pulled } = aim,
      [x, y] = this.run;
    if (pulled && pulled.x * x + pulled.y * y >= ALONG * Math.hypot(x, y) * Math.hypot(pulled.x, pulled.y)) {
      aim.keep();
      return;
    }
    aim.loose = true;
    if (pulled) this.to.lay();
  }
  cancel(): void {
    this.lift();
    this.lead = -1;
    this.left = null;
    this.tool = "";
    clearTimeout(this.resting);
    this.resting = 0;
  }
}
/** Whose middle is nearest to a place. */
function nearest<Model extends { x: number; y: number }>(models: Model[], x: number, y: number): Model | undefined {
  const far = (m: Model) => Math.hypot(m.x - x, m.y - y);
  return models.reduce<Model | undefined>((best, m) => (best && far(best) <= far(m) ? best : m), undefined);
}
