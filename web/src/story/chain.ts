/* The dice of an attack as one line that fills in while it is told: "20 attacks → 14 hits (3 sixes) → 9 wounds → 5 failed → 3 dead". */

import type { GameEvent } from "../protocol";
import type { LogLine } from "./lines";

/** A step of the line, with the dice that it rests on. */
export interface Link {
  reason: string;
  text: string;
  line: LogLine | null;
  rolls: Roll[];
  noun: string;
}
interface Roll {
  noun: string;
  dice: number;
  made: number;
  sixes: number;
}
export interface Chain {
  links: Link[];
  over: boolean;
  /** Whether a sentence about two units came after the last dice: the same roll is that of another attack then. */
  told: boolean;
  /** What an event is called that has just told of so many losses: another one that follows tells of more of them. */
  ended?: { kind: string; lost: number };
}
export const NO_CHAIN: Chain = { links: [], over: true, told: false };

/** What dice to hit come to, and dice that save. */
const HITS = "hit(s)",
  SAVED = "saved";
const many = (number: number, noun: string) => `${number} ${noun.replace("(s)", number === 1 ? "" : "s")}`;
const sum = (rolls: Roll[], of: "dice" | "made" | "sixes") => rolls.reduce((all, r) => all + r[of], 0);
const sixes = (rolls: Roll[]) => {
  const n = sum(rolls, "sixes");
  return n ? ` (${n} ${n === 1 ? "six" : "sixes"})` : "";
};

/** How many dice of a roll do what they are for; null where they are not counted one by one. */
function counted(e: GameEvent): Roll | null {
  const read = e.read ?? {},
    faces: number[] = e.standing?.length ? e.standing : e.faces,
    noun: string = read.noun ?? "";
  if (!noun || noun.includes("/")) return null;
  const enough = (f: number) => f >= (read.needed ?? 0) && f <= (read.up_to || f);
  const made =
    read.read === "each"
      ? faces.filter(enough).length
      : read.read === "apart"
        ? faces.filter((f, i) => f >= read.needs[i]).length
        : read.read === "by_face"
          ? faces.reduce((all, f) => all + (read.gives[f - 1] ?? 0), 0)
          : null;
  return made === null
    ? null
    : { noun, dice: faces.length, made, sixes: (e.sides ?? 6) === 6 ? faces.filter(f => f === 6).length : 0 };
}
/** What is saved is told by what is not. */
const textOf = ({ rolls, noun }: Link, first: boolean) =>
  noun === SAVED
    ? `${sum(rolls, "dice") - sum(rolls, "made")} failed`
    : `${many(
        sum(
          rolls.filter(r => r.noun === noun),
          "made",
        ),
        noun,
      )}${first ? sixes(rolls) : ""}`;

/** The line after something more has happened; an attack that begins anew begins a new one. */
export function linked(chain: Chain, e: GameEvent, line: LogLine | null): Chain {
  if (e.event === "told") {
    if (e.kind === "phase" || e.kind === "round") return NO_CHAIN;
    if (chain.over) return more(chain, e);
    if (isNumber(e.data?.attacks) || outcomeOf(e.data ?? {})) return closed(chain, e.data, e.kind);
    return e.units?.length > 1 ? { ...chain, told: true } : chain;
  }
  if (e.event !== "rolled") return chain;
  const roll = counted(e),
    noun: string = e.read?.noun ?? "";
  // Dice that are added up, such as damage, are told by what they lead to; after an attack they are those of something else.
  if (!roll) return chain.over ? NO_CHAIN : chain;
  const before = chain.over ? [] : chain.links,
    // Who strikes in several ways still hits in one go.
    at = before.findIndex((l, i) => l.reason === e.reason || (i === 1 && noun === HITS && l.noun === noun)),
    anew = at === 1 && (before.length > 2 || chain.told);
  const links = anew ? [] : [...before];
  // Saves that are rolled after a line has ended are told by themselves.
  const first = (dice: number) => many(dice, (links[1]?.noun ?? noun) === SAVED ? "save(s)" : "attack(s)");
  if (!links.length) links.push({ reason: "", text: first(roll.dice), line, rolls: [roll], noun: "attack(s)" });
  const old = anew || at < 0 ? null : links[at];
  const rolls = !old ? [roll] : e.again?.length ? [...old.rolls.slice(0, -1), roll] : [...old.rolls, roll];
  // Dice that only lead to another roll do not name what the others do.
  const named = rolls.some(r => r.noun === HITS) ? HITS : noun,
    link: Link = { reason: e.reason, text: "", line, rolls, noun: named },
    place = old ? at : links.length;
  links[place] = { ...link, text: textOf(link, place === 1) };
  // Who rolls to hit in several goes attacks as often as all of them together.
  if (place === 1) links[0] = { ...links[0], text: first(sum(rolls, "dice")) };
  return { links, over: false, told: false };
}
/** What an event may say of the stages of an attack, and how dice that stand for them are called. */
const STAGES: [string, string, (n: number) => string][] = [
  ["attacks", "attack(s)", n => many(n, "attack(s)")],
  ["hits", HITS, n => many(n, "hit(s)")],
  ["wounds", "wound(s)", n => many(n, "wound(s)")],
  ["unsaved", SAVED, n => `${n} failed`],
];
const isNumber = (value: unknown): value is number => typeof value === "number";
/** What the attack did, where an event tells it. */
function outcomeOf(data: Record<string, unknown>): [string, number] | null {
  const dead = Array.isArray(data.destroyed) ? data.destroyed.length : 0;
  if (dead) return [`${dead} dead`, dead];
  if (isNumber(data.damage)) return [`${data.damage} damage`, data.damage];
  if (isNumber(data.lost)) return [`${data.lost} lost`, data.lost];
  return Array.isArray(data.destroyed) ? ["0 dead", 0] : null;
}
/** The line with what all of it came to: the stages that the event names, others as they were rolled; steps that nothing was left for are not told. */
function closed(chain: Chain, data: Record<string, unknown>, kind: string): Chain {
  const named = isNumber(data.attacks) ? STAGES.filter(([key]) => isNumber(data[key])) : [],
    // The first dice are those to hit, whatever they lead to.
    rolled = named.length
      ? chain.links
          .slice(2)
          .filter(l => l.reason && !STAGES.some(([, noun]) => noun === l.noun) && sum(l.rolls, "made"))
      : chain.links,
    outcome = outcomeOf(data);
  const links: Link[] = [];
  const add = (text: string, noun: string, line: LogLine | null) =>
    links.push({ reason: "", text, noun, rolls: [], line });
  for (const [key, noun, text] of named) {
    const known = chain.links.find(l => l.noun === noun),
      n = data[key] as number;
    add(text(n) + (known && noun === HITS ? sixes(known.rolls) : ""), noun, known?.line ?? null);
    if (!n) return { over: true, links, told: false };
  }
  for (const l of rolled) add(l.text, l.noun, l.line);
  if (outcome) add(outcome[0], "", null);
  return {
    over: true,
    links,
    told: false,
    ended: outcome && isNumber(data.lost) ? { kind, lost: data.lost } : undefined,
  };
}
/** Losses of others in the same attack belong to its end. */
function more(chain: Chain, { kind, data }: GameEvent): Chain {
  const { ended, links } = chain;
  if (!ended) return chain;
  if (kind !== ended.kind || !isNumber(data?.lost)) return { ...chain, ended: undefined };
  const lost = ended.lost + data.lost;
  return {
    ...chain,
    links: [...links.slice(0, -1), { ...links.at(-1)!, text: `${lost} lost` }],
    ended: { kind, lost },
  };
}
