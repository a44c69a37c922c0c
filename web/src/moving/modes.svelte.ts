/* The ways of moving: which of them is meant, where each leads, and what a roll has to bring. */

import type { Game } from "../game.svelte";
import { STEP, type Area, type Mode, type Move, type Place, type Point, type Reason } from "../protocol";
import { UNJUDGED } from "./judge";

const ANYWHERE = 1 << 30;
const MOST = 4; // ways of moving that are surveyed
const LEISURE = 500; // milliseconds that a hand may rest before more is asked for it
const BEYOND = 0.35 * STEP; // past what the plain way allows, the one that is rolled for is meant

export class Modes {
  name = $state("");
  /** What a roll would have to bring to get there, as a sentence; empty where nothing is rolled. */
  rolled = $state("");
  /** Whether somebody has picked the way, so that it does not follow the hand. */
  picked = false;
  private areas = new Map<string, Area[]>();
  /** How far the unit would have to go where no roll brings it. */
  private beyond = 0;
  /** The rules that say how far a way leads that is rolled for, once the server was asked. */
  private rollRules = new Map<string, string[]>();
  private surveyed: Promise<boolean> = Promise.resolve(false);
  /** Somebody waits for what the survey finds. */
  private eager = false;
  /** What is looked up for a hand that rests is wanted now. */
  hurry: () => void = () => {};

  constructor(
    private game: Game,
    private decision: Move | Place,
  ) {
    this.name = this.plain;
  }
  get all(): Mode[] {
    return this.decision.shape === "move" ? this.decision.modes : [];
  }
  /** The usual way of going anywhere. */
  get plain(): string {
    return (this.all.find(m => m.allowance > 0) ?? this.all[0])?.name ?? "";
  }
  private get current(): Mode | undefined {
    return this.all.find(m => m.name === this.name);
  }
  /** The way that leads further than those without dice. */
  private get dash(): Mode | undefined {
    const plain = Math.max(0, ...this.all.filter(m => !m.later).map(m => m.allowance));
    return this.all.find(m => m.later && this.areasOf(m.name).some(a => a.far > plain));
  }
  /** How far the ghosts may go: with a roll still to come, as far as the best one brings them. */
  get allowance(): number {
    if (this.decision.shape === "place") return ANYWHERE;
    return Math.max(this.current?.allowance ?? 0, ...this.areasOf(this.name).map(a => a.far));
  }
  /** How far the tape says that the unit may go: nothing where each model has its own limit. */
  get limit(): number {
    return this.decision.shape === "place" || this.current?.slowest ? 0 : this.allowance;
  }
  /** Whether it is chosen before anybody goes anywhere: dice come first. */
  isRolled(mode: string): boolean {
    return !!this.all.find(m => m.name === mode)?.later;
  }
  private areasOf(mode: string): Area[] {
    return this.areas.get(mode) ?? [];
  }
  /** Where the unit may go for sure, once that is known. */
  get near(): Area | undefined {
    return this.areasOf(this.name)[0];
  }
  /** The same where it binds those on the ground: upstairs, and before a roll, only the server knows. */
  get open(): Area | undefined {
    return this.game.level || this.isRolled(this.name) ? undefined : this.near;
  }
  /** Where a model may end, as far as the server said; comrades of whom it said nothing go where others may. */
  areaOf(model: number): Point[][] {
    const area = this.game.at(model).z ? undefined : this.open,
      whose = area?.models ?? [];
    return area ? (whose.includes(model) ? area.outlines.filter((_, i) => whose[i] === model) : area.outlines) : [];
  }

  /** Ask where the unit may go: the plain way first, then those that a die decides. Says whether the question is still open then. */
  survey(aimed: () => boolean): Promise<boolean> {
    this.surveyed = this.ask(aimed);
    return this.surveyed;
  }
  private async ask(aimed: () => boolean): Promise<boolean> {
    const { game } = this,
      isOpen = () => game.decision?.id === this.decision.id;
    for (const { name } of this.all.filter(m => m.allowance > 0).slice(0, MOST)) {
      // Rings of dice cost the server most, and nobody who takes the usual answer looks at them.
      if (this.areas.size && !aimed() && !this.picked && !this.eager)
        await new Promise<void>(done => {
          this.hurry = done;
          setTimeout(done, LEISURE);
        });
      if (!isOpen()) return false;
      const areas = await game.reach(name);
      if (!isOpen()) return false;
      this.areas.set(name, areas);
      if (name !== this.name) continue;
      game.areas = areas;
      // Who picked it before it was known that a die decides has picked it now.
      if (this.picked && !game.plan && this.isRolled(name)) this.choose(name);
    }
    return true;
  }
  /** Pick a way; says whether that is all there is to it: it leads nowhere, or a die comes first. */
  choose(name: string): boolean {
    const { game } = this,
      { allowance, label } = this.all.find(m => m.name === name)!,
      answer = { mode: name, paths: [] };
    this.picked = true;
    this.hurry();
    this.take(name);
    if (allowance && !this.isRolled(name)) return false;
    game.stage(answer, null, allowance, label);
    void game.check(answer).then(v => {
      if (game.plan?.decision === this.decision.id && game.plan.answer === answer)
        game.stage(answer, v ?? UNJUDGED, allowance, label);
    });
    return true;
  }
  /** Pick the way that a die decides; which one that is, the server says. */
  async roll(): Promise<void> {
    this.eager = true;
    this.hurry();
    await this.surveyed;
    if (this.game.decision?.id !== this.decision.id) return;
    if (this.dash) this.choose(this.dash.name);
    else this.game.notes.tell("No way of moving is rolled for here.");
  }
  /** The way of a plan that is taken up is picked with it. */
  adopt(name: string): void {
    if (!this.all.some(m => m.name === name)) return;
    this.picked = true;
    this.take(name);
  }
  /** Gives a way back to what is meant now. */
  save(): () => void {
    const { name, picked, rolled, beyond } = this;
    return () => {
      this.take(name);
      Object.assign(this, { picked, rolled, beyond });
    };
  }
  private take(name: string): void {
    this.name = name;
    this.game.areas = this.areasOf(name);
    this.forget();
  }
  private forget(): void {
    this.rolled = "";
    this.beyond = 0;
  }
  /** What followed from where the hand was goes with it; what was picked stays. */
  cancel(): void {
    this.take(this.picked ? this.name : this.plain);
  }

  /** Past what the plain way allows, the one that is rolled for shows its chance. */
  follow(from: Point, goal: Point): void {
    const far = Math.hypot(goal[0] - from[0], goal[1] - from[1]),
      plain = this.all.find(m => m.allowance > 0 && !this.isRolled(m.name)),
      dash = this.dash;
    const isDash = dash && plain && far > (plain.slowest || plain.allowance) + BEYOND,
      mode = this.picked ? this.current : isDash ? dash : plain;
    if (mode && mode.name !== this.name) this.take(mode.name);
    else this.forget();
    if (!mode || !this.isRolled(mode.name)) return;
    // A unit gets somewhere when its slowest models do.
    const less = mode.slowest ? mode.allowance - mode.slowest : 0,
      areas = this.areasOf(mode.name),
      ring = areas.find(a => a.far - less >= far);
    // How far it leads is not known at once.
    if (!areas.length) return;
    if (!ring) this.beyond = far + less;
    else if (ring.chance < 1)
      this.rolled = `${mode.label}: ${[ring.needs, `${Math.round(ring.chance * 100)} %`].filter(Boolean).join(", ")} to get here`;
  }
  /** Why no roll brings the unit to where it is wanted. */
  get tooFar(): (Reason & { wanted: number }) | null {
    if (!this.beyond) return null;
    // What says how far one gets; which ways there are, and for whom, is not what keeps the unit from there.
    const cited = this.rollRules.get(this.name) ?? [],
      rules = cited.length ? cited : this.decision.rules,
      luck = this.areasOf(this.name).some(a => a.chance < 1) ? ", even with the best roll" : "";
    return { text: `${this.current!.label}: too far${luck}.`, rules, wanted: this.beyond };
  }
  /** A place beyond any roll is refused by the rule of the roll: the one that keeps a model from going anywhere before it. */
  async citeRoll(model: number): Promise<void> {
    const mode = this.name,
      { x, y, z, facing } = this.game.at(model);
    if (this.rollRules.has(mode)) return;
    const verdict = await this.game.check({ mode, paths: [{ model, legs: [{ do: "go", x, y, z, facing }] }] });
    this.rollRules.set(
      mode,
      (verdict?.reasons ?? []).flatMap(r => r.rules ?? []),
    );
  }
}
