/* The log: sentences with what they rest on. */

import { exactly } from "../board/closest";
import { featuresOf } from "../board/terrain";
import type { Game } from "../game.svelte";
import { STEP, type GameEvent } from "../protocol";
import type { Moment } from "./moments";

/** What something rests on, by the name that the rules give it. */
export type Fact = [string, string | number];
export interface LogLine {
  id: number;
  kind: "told" | "rolled" | "answered" | "ruled" | "heading" | "left";
  text: string;
  player: number;
  rules: string[];
  faces: number[];
  sides: number;
  units: number[];
  needed: number;
  facts: Fact[];
  /** An answer that the others were not shown. */
  secret?: boolean;
  /** How those stood that it is about. */
  then?: Moment;
}

export function linesOf(events: GameEvent[], first: number, said: Map<number, string>): LogLine[] {
  const lines: LogLine[] = [];
  events.forEach((e, i) => {
    const id = first + i,
      plain = {
        id,
        player: -1,
        rules: [] as string[],
        faces: [] as number[],
        sides: 6,
        units: [] as number[],
        needed: 0,
        facts: [] as Fact[],
      };
    if (e.event === "told" && e.text)
      lines.push({
        ...plain,
        kind: e.kind === "phase" || e.kind === "round" ? "heading" : "told",
        text: e.text,
        rules: e.rules ?? [],
        units: e.units ?? [],
        facts: factsOf(e.data ?? {}),
      });
    else if (e.event === "rolled")
      lines.push({
        ...plain,
        kind: "rolled",
        text: briefly(said.get(id) ?? e.reason, e.faces),
        player: e.player,
        rules: e.rules ?? [],
        faces: e.faces,
        sides: e.sides ?? 6,
        needed: e.read?.needed ?? 0,
        facts: whyOf(e.read?.why ?? []),
      });
    else if (e.event === "answered" && said.get(id))
      lines.push({ ...plain, kind: "answered", text: said.get(id)!, player: e.player, secret: !!e.secret });
    else if (e.event === "ruled" && e.text) lines.push({ ...plain, kind: "ruled", text: e.text });
    // What a phase leaves to the players stands below its heading.
    if (e.event !== "rolled" && e.event !== "answered")
      leftOf(id, said.get(id)).forEach(left => lines.push({ ...plain, ...left, kind: "left" }));
  });
  return lines;
}
/** However many there are, their numbers are above that of the event, and below what is told of a take-back before the next one. */
function leftOf(event: number, said: string | undefined): { id: number; text: string }[] {
  const texts = said?.split("\n") ?? [];
  return texts.map((text, n) => ({ id: event + (n + 1) / (2 * (texts.length + 1)), text }));
}
/** Many dice are seen beside the sentence, and need not be read out in it. */
const briefly = (text: string, faces: number[]) =>
  faces.length > 4 ? text.replace(faces.join(" "), `${faces.length} dice`) : text;
export const factsOf = (data: Record<string, unknown>): Fact[] =>
  Object.entries(data).filter(
    (fact): fact is Fact => typeof fact[1] === "number" || (typeof fact[1] === "string" && fact[1] !== ""),
  );
const whyOf = (parts: { value: string; name?: string; source?: string }[]): Fact[] =>
  parts.map(p => [p.name ?? "", p.value]);

/** Facts that are lengths in the table's unit, and those that are somebody's or something's number. */
const LENGTHS = ["distance", "far", "range", "gap", "limit", "overlap", "height"];
const NUMBERED: Record<string, (game: Game, number: number) => string | undefined> = {
  model: modelName,
  stand: modelName,
  unit: (game, unit) => game.view.units[unit]?.name,
  target: (game, unit) => game.view.units[unit]?.name,
  player: (game, player) => game.view.players[player]?.name,
  marker: (_, marker) => String(marker + 1),
  feature: (game, feature) => {
    const piece = featuresOf(game)[feature];
    return piece && (piece.name || piece.kind);
  },
};
function modelName(game: Game, model: number): string | undefined {
  const unit = game.view.models[model] && game.view.units[game.unitOf(model)];
  return unit && (unit.models.length > 1 ? `${unit.name}, number ${unit.models.indexOf(model) + 1}` : unit.name);
}
/** A fact as players read it: lengths with their unit, and names for numbers; null where it says nothing. */
export function factTold(game: Game, [name, value]: Fact): [string, string] | null {
  const called = name.replaceAll("_", " ");
  if (typeof value === "string") return [called, value];
  if (NUMBERED[name]) {
    const found = NUMBERED[name](game, value);
    return found ? [called, found] : null;
  }
  return [
    called,
    LENGTHS.includes(name) ? exactly(value * STEP, game.ground.unit) : String(Math.round(value * 100) / 100),
  ];
}
