/* What the server does in the player's stead: standing orders, whom they except, and who of a unit falls first. */

import type { Game } from "../game.svelte";
import { ordered } from "../home";
import type { Decision, Welcome } from "../protocol";
import { isOrdered, offersOf, withOrder, withoutOrder } from "./orders";
import { isLoss } from "./question";

/** Orders that were given before the battle had begun, and the seat that they are for. */
export interface Given {
  token?: string;
  orders?: string;
}

/** Those that most players would give, none, or others. */
export type Which = "usual" | "none" | "own";

export class StandingOrders {
  private held = $state("");
  /** Those that most players would give, word by word. */
  private usual = "";
  /** The kind of question that offers to make a roll again; empty where the rules know none. */
  rerolls = $state("");
  /** Who of a unit falls first, as the player has put them; by unit. */
  casualties = $state.raw<Record<number, number[]>>({});
  /** The last ones of each kind, word by word: who asks for another kind can come back to them. */
  private last = $state.raw<Record<Which, string>>({ usual: "default", none: "", own: "" });
  private changing: Promise<unknown> = Promise.resolve();
  constructor(
    private game: Game,
    private given: Given,
  ) {}

  open(m: Welcome): void {
    this.usual = m.usual_orders;
    this.rerolls = m.rerolls;
    this.text = m.orders;
    this.hearFalls(m.falls);
  }
  /** `default` for those that most players would give; with none they are asked about everything. */
  get text(): string {
    return this.held;
  }
  set text(text: string) {
    this.held = text;
    this.last = { ...this.last, [this.which]: text };
  }
  giveFirst(): void {
    if (!this.given.orders) return;
    if (this.text) this.gave();
    else void this.give(this.given.orders);
  }
  async give(text: string): Promise<boolean> {
    const kept = await this.game.ask<{ text: string }>({ say: "give_orders", text });
    if (!kept) return false;
    this.text = kept.text;
    // What is told while a battle begins stays.
    if (!this.given.orders) this.game.clear();
    this.gave();
    return true;
  }
  /** The seat has its first orders: whatever it is told later, they are not given again. */
  private gave(): void {
    if (this.given.orders && this.given.token) ordered(this.given.token);
    this.given = {};
  }
  async add(line: string, otherwise = "orders:\n"): Promise<boolean> {
    const orders = withOrder(this.whole || otherwise, line);
    if (orders !== null) return this.give(orders);
    this.game.notes.tell(
      `Nothing was added to your orders: write "orders:" and each order in a line of its own.`,
      false,
    );
    return false;
  }
  private drop(line: string): Promise<boolean> {
    const rest = withoutOrder(this.text, line);
    return this.give(rest === this.usual ? "default" : rest);
  }
  private get whole(): string {
    return this.text === "default" ? this.usual : this.text;
  }
  /** Whose the orders are; that a unit or a roll is asked about whatever they say makes them no others. */
  get which(): Which {
    const added = [...this.game.view.units.map(u => this.armedLine(u.id)), this.rerollLine].filter(line =>
        this.whole.includes(line),
      ),
      rest = added.reduce(withoutOrder, this.whole);
    return rest === this.usual ? "usual" : rest ? "own" : "none";
  }
  /** Whether there are orders of the player's own to take up again. */
  get hasOwn(): boolean {
    return !!this.last.own;
  }
  /** Take up orders as they were when they last held. */
  take(which: Which): Promise<boolean> {
    return this.give(which === "none" ? "" : this.last[which]);
  }
  /** Whether the server may answer this before anybody is asked. */
  mayAnswer(d: Decision): boolean {
    const { game } = this;
    return (
      (d.unit >= 0 && game.isMine(d.unit) && isLoss(d, game.view.units, this.casualties[d.unit] ?? [])) ||
      isOrdered(this.whole, d.kind)
    );
  }

  // --- who is asked whatever the orders say

  private armedLine(unit: number): string {
    const offers = offersOf(this.game.view.units[unit].name);
    return `- {for: "react.*", offers: ${JSON.stringify(offers)}, do: ask}`;
  }
  isArmed(unit: number): boolean {
    return this.text.includes(this.armedLine(unit));
  }
  /** Be asked whenever a unit could react, whatever the orders say about others; without orders the usual ones hold for them. */
  async arm(unit: number): Promise<void> {
    const line = this.armedLine(unit);
    await (this.isArmed(unit) ? this.drop(line) : this.add(line, this.usual));
  }
  private get rerollLine(): string {
    return `- {for: "${this.rerolls}", do: ask, every: true}`;
  }
  /** Whether they want to be asked about every roll that may be made again. */
  get wantsRerolls(): boolean {
    return this.text.includes(this.rerollLine);
  }
  wantRerolls(wanted: boolean): void {
    if (!this.rerolls || this.game.you < 0 || this.game.result) return;
    // A key may be let go before the server has heard that it was pressed.
    this.changing = this.changing.then(async () => {
      if (wanted === this.wantsRerolls) return;
      await (wanted ? this.add(this.rerollLine) : this.drop(this.rerollLine));
    });
  }

  // --- who falls first

  hearFalls(falls: { unit: number; models: number[] }[]): void {
    this.casualties = Object.fromEntries(falls.map(f => [f.unit, f.models]));
  }
  setCasualties(unit: number, order: number[] | null): void {
    const { [unit]: _, ...others } = this.casualties;
    this.casualties = order ? { ...others, [unit]: order } : others;
    // From now on the server answers, whether anybody is here or not.
    void this.game.ask({ say: "fall", fall: { unit, models: order ?? [] } });
  }
}
