/* Colours and signs, the same as in pictures and replays. Sides differ by colour, by badge and by a sign. */

import type { Kind, SideStyle } from "../../../src/sandtable/page/drawing.js";
export { FONT, type SideStyle } from "../../../src/sandtable/page/drawing.js";

export const SIDES: SideStyle[] = [
  { colour: "#c8502b", dark: "#8a3216", badge: "square", sign: "ring" },
  { colour: "#2f6db3", dark: "#1d4a80", badge: "round", sign: "plain" },
  { colour: "#2e8b6f", dark: "#1a5c48", badge: "cut", sign: "dot" },
  { colour: "#7b5ba6", dark: "#523a75", badge: "dashed", sign: "bar" },
];
export const sideStyle = (side: number) => SIDES[side % SIDES.length];

const KINDS: Record<string, Kind> = {
  ruins: { fill: "#dfdad1", line: "#a39a8c", texture: "hatch" },
  woods: { fill: "#d5dfc0", line: "#98ab78", texture: "trees" },
  barricade: { fill: "#c4a57c", line: "#8f734d", texture: "none" },
  crater: { fill: "#e2d3b4", line: "#b49c6d", texture: "crater" },
  hill: { fill: "#e6d7a9", line: "#bfa860", texture: "contour" },
  debris: { fill: "#ddd0bb", line: "#ab9a7d", texture: "rubble" },
  water: { fill: "#c5dbe5", line: "#86abbd", texture: "waves" },
  road: { fill: "#e3ded4", line: "#c3bbaa", texture: "flat" },
  building: { fill: "#c9c3b9", line: "#847b6e", texture: "none" },
};
const ALIKE: Record<string, string> = {
  ruin: "ruins",
  wood: "woods",
  forest: "woods",
  trees: "woods",
  barricades: "barricade",
  fortification: "barricade",
  wall: "barricade",
  craters: "crater",
  hills: "hill",
  rubble: "debris",
  river: "water",
  lake: "water",
  buildings: "building",
  container: "building",
};
const OTHER: Kind = { fill: "#e2dac9", line: "#b3a78f", texture: "none" };
export function kindOf(name: string): Kind {
  const word = name.trim().toLowerCase();
  return KINDS[ALIKE[word] ?? word] ?? OTHER;
}
export const INK = {
  ground: "#f1e9d8",
  grid: "#e6dcc6",
  frame: "#a89a7d",
  wall: "#57504a",
  amber: "#e0a100",
  neutral: "#6f675b",
  clear: "#12795c",
  blocked: "#b3261e",
  text: "#2d2a26",
  quiet: "#7d7465",
  unjudged: "#6b665e",
};
