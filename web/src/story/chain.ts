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
  dice: number;
  made: number;
  sixes: number;
}
export interface Chain {
  links: Link[];
  over: boolean;
}
export const NO_CHAIN: Chain = { links: [], over: true };

const many = (number: number, noun: string) => `${number} ${noun.replace("(s)", number === 1 ? "" : "s")}`;
const sum = (rolls: Roll[], of: keyof Roll) => rolls.reduce((all, r) => all + r[of], 0);
const sixes = (link: Link) => {
  const n = sum(link.rolls, "sixes");
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
    : { dice: faces.length, made, sixes: (e.sides ?? 6) === 6 ? faces.filter(f => f === 6).length : 0 };
}
/** What is saved is told by what is not. */
const textOf = (link: Link, first: boolean) =>
  link.noun === "saved"
    ? `${sum(link.rolls, "dice") - sum(link.rolls, "made")} failed`
    : `${many(sum(link.rolls, "made"), link.noun)}${first ? sixes(link) : ""}`;

/** The line after something more has happened; an attack that begins anew begins a new one. */
export function linked(chain: Chain, e: GameEvent, line: LogLine | null): Chain {
  if (e.event === "told")
    return e.kind === "phase" || e.kind === "round"
      ? NO_CHAIN
      : typeof e.data?.attacks === "number" && !chain.over
        ? closed(chain, e.data)
        : chain;
  if (e.event !== "rolled") return chain;
  const roll = counted(e),
    noun: string = e.read?.noun ?? "";
  // Dice that are added up, such as damage, are told by what they lead to.
  if (!roll) return chain;
  const before = chain.over ? [] : chain.links,
    at = before.findIndex(l => l.reason === e.reason),
    anew = at === 1 && before.length > 2;
  const links = anew ? [] : [...before];
  if (!links.length)
    links.push({ reason: "", text: many(roll.dice, "attack(s)"), line, rolls: [roll], noun: "attack(s)" });
  const old = anew || at < 0 ? null : links[at];
  const rolls = !old ? [roll] : e.again?.length ? [...old.rolls.slice(0, -1), roll] : [...old.rolls, roll];
  const link: Link = { reason: e.reason, text: "", line, rolls, noun },
    place = old ? at : links.length;
  links[place] = { ...link, text: textOf(link, place === 1) };
  // Who rolls to hit in several goes attacks as often as all of them together.
  if (place === 1) links[0] = { ...links[0], text: many(sum(rolls, "dice"), "attack(s)") };
  return { links, over: false };
}
/** What all of it came to; steps that nothing was left for are not told. */
function closed(chain: Chain, data: Record<string, unknown>): Chain {
  const found = (name: string) => Number(data[name] ?? 0),
    dead = (data.destroyed as unknown[] | undefined)?.length ?? 0;
  const lineOf = (noun: string) => chain.links.find(l => l.noun === noun),
    hits = lineOf("hit(s)");
  const steps: [string, string, number][] = [
    ["attack(s)", many(found("attacks"), "attack(s)"), found("attacks")],
    ["hit(s)", many(found("hits"), "hit(s)") + (hits ? sixes(hits) : ""), found("hits")],
    ["wound(s)", many(found("wounds"), "wound(s)"), found("wounds")],
    ["saved", `${found("unsaved")} failed`, found("unsaved")],
    ["", dead ? `${dead} dead` : `${found("damage")} damage`, dead || found("damage")],
  ];
  const end = steps.findIndex(([, , n]) => !n),
    told = end < 0 ? steps : steps.slice(0, end + 1);
  return {
    over: true,
    links: told.map(([noun, text]) => ({ reason: "", text, noun, rolls: [], line: lineOf(noun)?.line ?? null })),
  };
}
