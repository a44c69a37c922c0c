/* The story: what is told of what happens, what happened while one was away, and the dice of the last attack. */

import type { Game } from "../game.svelte";
import { TAKEBACKS } from "../home";
import type { Happened, View, Welcome } from "../protocol";
import { linked, NO_CHAIN, type Chain } from "../story/chain";
import { linesOf, type LogLine } from "../story/lines";
import { lookBack, momentOf } from "../story/moments";
import type { Beat } from "../story/playback";

const LONGEST = 4000; // lines

export class Story {
  log = $state.raw<LogLine[]>([]);
  /** What happened since one was last here; empty once it was read. */
  recap = $state.raw<LogLine[]>([]);
  /** The dice that were rolled last. */
  dice = $state.raw<LogLine | null>(null);
  /** The attack that is told, from its dice to what they did. */
  chain = $state.raw<Chain>(NO_CHAIN);
  /** The first event that one has not seen, and the first that happened while this page was open. */
  seen = 0;
  first = 0;
  /** Until what happened before this page was opened is known, too. */
  known = Promise.resolve();
  /** Counts looks back: a line that breaks, and a battle that went back meanwhile, make another one. */
  private looks = 0;
  constructor(private game: Game) {}

  open(m: Welcome): void {
    this.log = [];
    this.seen = m.seen;
    this.first = m.next;
  }
  tell({ events, first, message }: Beat): void {
    const lines = this.fitToTell(linesOf(events, first, new Map(message.said)));
    for (const line of lines) line.then = momentOf(line, this.game.view);
    if (lines.length) this.log = [...this.log, ...lines].slice(-LONGEST);
    this.dice = lines.findLast(l => l.kind === "rolled") ?? this.dice;
    events.forEach((e, i) => {
      this.chain = linked(this.chain, e, lines.find(l => l.id === first + i) ?? null);
    });
  }
  /** Where several sit at the screen, the story tells no secrets. */
  private fitToTell(lines: LogLine[]): LogLine[] {
    return this.game.shared ? lines.filter(line => !line.secret) : lines;
  }
  /** What came from an event on was taken back, which is told in a sentence if there is one. */
  rewind(next: number, text: string): void {
    const now = next - 0.5; // after all that holds, and before what comes
    // What comes from there on is told as it happens, even before one has looked back.
    this.first = Math.min(this.first, next);
    this.dice = null;
    this.chain = NO_CHAIN;
    this.log = [
      ...this.log.filter(line => line.id < next && line.id !== now),
      ...linesOf([{ event: "ruled", text }], now, new Map()),
    ];
  }
  /** The story before this page was opened, for the log alone; `then` is how everything stood at its end, whatever happened since. */
  async lookBack(then: View): Promise<void> {
    const { game } = this,
      look = ++this.looks,
      found = await game.ask<Happened>({ say: "events", since: 0 });
    // The one before may be replied to as well, once the line is back.
    if (!found || look !== this.looks) return;
    const said = new Map(found.said),
      early = found.events.slice(0, this.first - found.first);
    game.trail.add(early, found.first, true);
    // What a model had at first is what it has when it is whole.
    if (!game.shared && this.seen > 0 && this.seen < this.first)
      this.recap = linesOf(early.slice(this.seen - found.first), this.seen, said);
    const lines = this.fitToTell(linesOf(early, found.first, said));
    lookBack(lines, early, found.first, then);
    // What is not as usual is told to both.
    const agreed =
      game.takebacks === "agreed"
        ? []
        : linesOf([{ event: "ruled", text: `Taking answers back: ${TAKEBACKS[game.takebacks]}.` }], -0.5, new Map());
    this.log = [...agreed, ...lines, ...this.log].slice(-LONGEST);
  }
  /** Show what happened since one was last here on the board, from how it stood then. */
  async watchAgain(): Promise<void> {
    const { game, seen: since } = this,
      { playback } = game,
      { past } = playback;
    const then = await game.ask<{ view: View | null }>({ say: "recap", since }),
      told = then?.view ? await game.ask<Happened>({ say: "events", since }) : null;
    if (!then?.view || !told || past !== playback.past) {
      game.notes.text ||= "It cannot be shown from there.";
      return;
    }
    // What came meanwhile is told again with the rest.
    await playback.finish();
    this.recap = [];
    game.view = then.view;
    this.log = this.log.filter(line => line.id < since);
    if (playback.pace === "at once") playback.once();
    game.turn++;
    playback.add(told);
  }
}
