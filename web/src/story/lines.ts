/* The log: sentences with what they rest on. */

import type { GameEvent } from "../protocol";
import type { Moment } from "./moments";

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
  facts: [string, string][];
  /** An answer that the others were not shown. */
  secret?: boolean;
  /** Where the two units stood that it is about. */
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
        facts: [] as [string, string][],
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
      said
        .get(id)
        ?.split("\n")
        .forEach((text, n) => lines.push({ ...plain, id: id + (n + 1) / 100, kind: "left", text }));
  });
  return lines;
}
/** Many dice are seen beside the sentence, and need not be read out in it. */
const briefly = (text: string, faces: number[]) =>
  faces.length > 4 ? text.replace(faces.join(" "), `${faces.length} dice`) : text;
export function factsOf(data: Record<string, unknown>): [string, string][] {
  return Object.entries(data)
    .filter(([, v]) => typeof v === "number" || (typeof v === "string" && v !== ""))
    .map(([k, v]) => [k.replaceAll("_", " "), typeof v === "number" ? String(Math.round(v * 100) / 100) : String(v)]);
}
const whyOf = (parts: { value: string; name?: string; source?: string }[]): [string, string][] =>
  parts.map(p => [p.name ?? "", p.value]);
