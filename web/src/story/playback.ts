/* What happened is shown at a pace: state, sentences and dice in the order in which they came, decisions after them. */

import type { GameEvent, Happened } from "../protocol";
import { keep, recall } from "../storage";

export type Pace = "at once" | "quick" | "slow";
/** Milliseconds for a roll and for a sentence, and the most that one message may take; step by step somebody says when to go on. */
const TIMES: Record<Pace, [number, number, number]> = {
  "at once": [0, 0, 0],
  quick: [420, 140, 2600],
  slow: [Infinity, Infinity, Infinity],
};
const KEY = "sandtable.pace";

export interface Beat {
  events: GameEvent[];
  first: number;
  last: boolean;
  message: Happened;
}

export class Playback {
  private waiting: Happened[] = [];
  private running = false;
  private hurried = false;
  private paced = false;
  private watched = true;
  /** Grows whenever the past changes: what was under way then is told no further. */
  past = 0;
  private over: Promise<void> = Promise.resolve();
  private wake: (() => void) | null = null;
  pace: Pace;

  constructor(
    private play: (beat: Beat) => void,
    private state: (busy: boolean) => void,
  ) {
    const kept = recall(KEY) as Pace | null;
    this.pace = kept && kept in TIMES ? kept : "quick";
  }
  setPace(pace: Pace): void {
    this.pace = pace;
    keep(KEY, pace);
    if (pace === "at once") this.hurry();
    else if (pace === "quick") this.step();
  }
  /** Show the next message at a pace, whatever the pace is otherwise. */
  once(): void {
    this.paced = true;
  }
  /** Whether the story waits after every roll and every sentence. */
  get stops(): boolean {
    return this.pace === "slow";
  }
  /** Whether anybody sees it: what nobody sees is told at once, since nobody could say when to go on. */
  watch(watched: boolean): void {
    this.watched = watched;
    if (!watched) this.wake?.();
  }
  /** Go on with the next roll or sentence. */
  step(): void {
    this.wake?.();
  }
  /** Show the rest at once. */
  hurry(): void {
    this.hurried = true;
    this.wake?.();
  }
  /** Forget what was not shown: the past has changed. */
  drop(): void {
    this.past++;
    this.waiting = [];
    this.hurried = false;
    this.wake?.();
  }
  /** Show the rest at once; done before anything else is heard. */
  finish(): Promise<void> {
    this.hurry();
    return this.over;
  }

  add(message: Happened): void {
    this.waiting.push(message);
    if (!this.running) this.over = this.run();
  }

  private async run(): Promise<void> {
    this.running = true;
    this.hurried = false;
    this.state(true);
    for (let message = this.waiting.shift(); message; message = this.waiting.shift()) {
      const { past } = this,
        beats = split(message),
        [roll, line, most] = TIMES[this.paced ? "quick" : this.pace];
      this.paced = false;
      const wanted = beats.map(b =>
        b.events.some(e => e.event === "rolled") ? roll : b.events.some(e => e.event === "told" && e.text) ? line : 0,
      );
      const sum = wanted.reduce((a, b) => a + b, 0),
        share = sum > most ? most / sum : 1;
      for (let i = 0; i < beats.length && past === this.past; i++) {
        this.play(beats[i]);
        const waits = wanted[i] === Infinity && this.stops,
          time = Math.min(wanted[i] * share, waits ? Infinity : TIMES.quick[0]);
        const pause =
          !this.watched || this.hurried || (!waits && (this.waiting.length > 6 || document.hidden)) ? 0 : time;
        if (pause >= 16) await this.sleep(pause);
      }
    }
    this.running = false;
    this.state(false);
  }
  private sleep(ms: number): Promise<void> {
    return new Promise(done => {
      const end = () => {
        clearTimeout(timer);
        this.wake = null;
        done();
      };
      const timer = ms === Infinity ? 0 : setTimeout(end, ms);
      this.wake = end;
    });
  }
}
/** A beat ends with each roll and each sentence; what changed before it belongs to it. */
function split(message: Happened): Beat[] {
  const beats: Beat[] = [];
  let from = 0;
  message.events.forEach((e, i) => {
    if (e.event !== "rolled" && !(e.event === "told" && e.text) && i < message.events.length - 1) return;
    beats.push({ events: message.events.slice(from, i + 1), first: message.first + from, last: false, message });
    from = i + 1;
  });
  if (!beats.length) beats.push({ events: [], first: message.first, last: false, message });
  beats[beats.length - 1].last = true;
  return beats;
}
