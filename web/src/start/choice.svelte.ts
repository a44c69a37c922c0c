/* What a battle is begun with, as it is chosen: rules, opponent, armies, mission, table, and the options. */

import { ownLists, ownTables, type Offered, type OwnList } from "../home";

/** Before the id of an own list, or the number of an own table. */
export const OWN = "own ";
/** How many times as much the larger army may come to before it is said. */
const EVEN = 1.25;
const ratio = (a: number, b: number) => Math.max(a, b) / Math.max(Math.min(a, b), 1);
/** Opponents that every system knows: by link, and on this device. */
const FRIENDS = ["invited", "mine"];

export class Choice {
  systems = $state.raw<Offered[]>([]);
  lists = $state.raw(ownLists());
  tables = $state.raw(ownTables());
  system = $state("");
  /** Whether somebody chose the rules, instead of leaving them as they were offered. */
  picked = $state(false);
  opponent = $state("");
  armies = $state(["", ""]);
  mission = $state("");
  layout = $state("");
  seed = $state("");
  /** When answers can be taken back; empty for as usual. */
  back = $state("");
  minutes = $state("");
  increment = $state("");
  /** Whether everybody may watch. */
  seen = $state(true);
  readings = $state<Record<string, string>>({});

  chosen = $derived(this.systems.find(s => s.id === this.system));
  /** Own lists for these rules. */
  fits = $derived(this.lists.filter(l => l.system === this.system));
  /** Missions of data beside the system come with the tables that they are meant for. */
  cards = $derived([...new Set((this.chosen?.grounds ?? []).map(([name]) => name.split("@")[0]))]);
  grounds = $derived((this.chosen?.grounds ?? []).filter(([name]) => name.split("@")[0] === this.mission));

  /** What belongs to one system is nothing to another. */
  choose(id: string): void {
    this.system = id;
    this.armies = ["", ""];
    this.mission = "";
    this.layout = "";
    this.readings = {};
    // Who was chosen to play against is played against under other rules, too, if that is offered there.
    const { opponents } = this.systems.find(s => s.id === id) ?? { opponents: [] };
    if (!FRIENDS.includes(this.opponent) && !opponents.some(o => o.name === this.opponent))
      this.opponent = opponents[0]?.name ?? "";
  }
  private own(army: string): OwnList | undefined {
    return this.lists.find(l => OWN + l.id === army);
  }
  private pointsOf(army: string): number {
    return (army.startsWith(OWN) ? this.own(army) : this.chosen?.armies.find(a => a.id === army))?.points ?? 0;
  }
  /** Says where the armies are not of the same size; a ready army of the nearest size meets whoever is drawn. */
  uneven = $derived.by(() => {
    const known = this.armies.map(army => this.pointsOf(army)),
      most = Math.max(...known),
      drawn = known.includes(0);
    const near =
      drawn && most
        ? ((this.chosen?.armies ?? []).map(a => a.points).sort((a, b) => ratio(a, most) - ratio(b, most))[0] ?? most)
        : most;
    const [mine, theirs] = known.map(p => p || near);
    if (!most || ratio(mine, theirs) <= EVEN) return "";
    return `The armies are not of the same size: yours has ${mine} ${this.chosen?.measure}, theirs ${theirs}.${drawn ? " No ready army is nearer." : ""}`;
  });
  /** What is wrong with the seed; empty for nothing. */
  get badSeed(): string {
    return /^\d*$/.test(this.seed.trim()) && Number(this.seed) <= Number.MAX_SAFE_INTEGER
      ? ""
      : `A seed is a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, not "${this.seed.trim()}".`;
  }
  /** All of it, as the server is asked for the battle. */
  get wish(): Record<string, unknown> {
    const { system, opponent, mission, layout, back } = this,
      wish: Record<string, unknown> = { system, seats: ["mine", opponent], listed: this.seen };
    if (this.chosen?.armies.length || this.fits.length)
      wish.armies = this.armies.map(a => (a.startsWith(OWN) ? this.own(a)!.text : a));
    else wish.made_up = true;
    // Who sits at one screen agrees by talking.
    if (back || opponent === "mine") wish.takebacks = back || "free";
    if (mission) wish.mission = mission;
    if (layout) wish.layout = layout.startsWith(OWN) ? this.tables[Number(layout.slice(OWN.length))].text : layout;
    if (this.seed.trim()) wish.seed = Number(this.seed);
    if (Number(this.minutes) > 0) {
      wish.minutes = Number(this.minutes);
      wish.increment = Number(this.increment) || 0;
    }
    const read = Object.entries(this.readings).filter(([, value]) => value);
    if (read.length) wish.options = Object.fromEntries(read);
    return wish;
  }
}
