/* The messages of the server, as far as this page reads them; docs/protocol.md describes all of them. */

export type Value = number | string;
export type Point = [number, number];

/** `rolls`: dice are rolled as soon as it is chosen. */
export interface Option {
  value: Value;
  label: string;
  note?: string;
  rolls?: boolean;
  unit?: number;
}
export interface Row {
  id: string;
  label: string;
  count: number;
  targets: Value[];
  modes?: string[];
  models?: number[];
}
/** `allowance`: how far the fastest model goes; `slowest`: the slowest, where they differ. */
export interface Mode {
  name: string;
  label: string;
  allowance: number;
  slowest?: number;
  /** What is added once it is chosen, such as D6. */
  more?: string;
  /** Whether where the models go is asked for only once it was chosen, mostly after dice. */
  later?: boolean;
}

interface Asked {
  id: number;
  player: number;
  kind: string;
  prompt: string;
  rules: string[];
  unit: number;
  about: Record<string, unknown>;
  secret: boolean;
}
export interface Choose extends Asked {
  shape: "choose";
  options: Option[];
  optional: boolean;
}
export interface ChooseSome extends Asked {
  shape: "choose_some";
  options: Option[];
  least: number;
  most: number;
  deed?: string;
}
export interface Assign extends Asked {
  shape: "assign";
  rows: Row[];
  targets: Option[];
  everything: boolean;
}
export interface Split extends Asked {
  shape: "split";
  options: Option[];
  total: number;
  most_each: number;
}
export interface Order extends Asked {
  shape: "order";
  options: Option[];
}
export interface Place extends Asked {
  shape: "place";
  models: number[];
  area: Point[];
  optional: boolean;
}
export interface Move extends Asked {
  shape: "move";
  models: number[];
  modes: Mode[];
}
export interface Template extends Asked {
  shape: "template";
  templates: string[];
}
export interface FlightPath extends Asked {
  shape: "flight_path";
  shortest_leg: number;
  widest_turn: number;
  optional: boolean;
}
export interface Whole extends Asked {
  shape: "number";
  least: number;
  most: number;
}
export interface Confirm extends Asked {
  shape: "confirm";
  default: boolean;
}
export interface Plot extends Asked {
  shape: "plot";
  most: number;
  last_turn: number;
}
export type Decision =
  Choose | ChooseSome | Assign | Split | Order | Place | Move | Template | FlightPath | Whole | Confirm | Plot;

export interface Spot {
  model: number;
  x: number;
  y: number;
  z?: number;
  facing?: number;
}
export interface Leg {
  do: string;
  x: number;
  y: number;
  z?: number;
  facing?: number;
}
export interface Path {
  model: number;
  legs: Leg[];
}
export interface Moves {
  mode: string;
  paths?: Path[];
  onto?: number;
}
export interface Assignment {
  row: string;
  target: Value;
  count: number;
  mode?: string;
}

/** `models`: those that are in the wrong, where it is not the whole answer. */
export interface Reason {
  text: string;
  rules?: string[];
  facts?: Record<string, unknown>;
  models?: number[];
}
export interface Verdict {
  ok: boolean;
  reasons?: Reason[];
  /** What an answer that is allowed brings with it. */
  notes?: Reason[];
}

export interface Wall {
  a: Point;
  b: Point;
  bottom?: number;
  top: number;
  thickness: number;
}
export interface Floor {
  z: number;
  outline: Point[];
}
export interface Feature {
  kind: string;
  outline: Point[];
  name?: string;
  top?: number;
  solid?: boolean;
  walls?: Wall[];
  floors?: Floor[];
}
export interface Shape {
  core: Point[];
  radius: number;
  height: number;
  hull?: boolean;
  length?: number;
  width?: number;
  reach?: number;
}

export interface Ground {
  system: string;
  name: string;
  unit: string;
  table: { width: number; depth: number; unit: string; features: Feature[] };
  shapes: Shape[];
  shape_of: number[];
  wounds: number[];
  options: Record<string, string>;
  armies: string[];
  labels: string[];
  rings: Ring[];
  auras: Aura[];
  by_hand: ByHand[];
  /** Whether distances may be measured at any time. */
  measuring: boolean;
  /** Modifiers that players may agree on, with their least and largest values. */
  modifiers: [string, number, number][];
  /** The title of the scenario file that the battle goes on from, and what its author wants to know; empty without one. */
  file: string;
  question: string;
}
/** Abilities that nothing enforces: a player applies them. */
export interface ByHand {
  player: number;
  called: string;
  abilities: string[];
  gists?: Record<string, string>;
  when?: string;
}
export interface Ring {
  name: string;
  far: number;
  around: "enemies" | "comrades" | "objectives";
  rule?: string;
  spread: number;
  up: number;
  in_space: boolean;
  crowd: number;
  one_group: boolean;
  kinds?: string[];
}
/** What a battle is about: `rounds` is 0 where that is not settled. */
export interface Briefing {
  name: string;
  text: string;
  rounds: number;
  scoring: string[];
}
/** Where friends of some models are helped, and which units those may be. */
export interface Aura {
  name: string;
  far: number;
  models: number[];
  units: number[];
}
/** For each outline whose it is. */
export interface Area {
  far: number;
  chance: number;
  outlines: Point[][];
  models: number[];
  /** What has to be rolled for it, as players say it. */
  needs?: string;
}
export interface Outlook {
  target: number;
  lost: number;
  of: number;
  damage: number;
  destroyed: number;
  broken?: number;
  won?: number | null;
  margin?: number;
  own?: number;
}
export interface Seen {
  model: number;
  target: number;
  line: [number, number, number, number] | null;
  fully: boolean;
}
export interface Sight {
  unit: number;
  target: number;
  seen: Seen[];
  blocked: number[];
  text: string;
}
export interface Unit {
  id: number;
  player: number;
  name: string;
  models: number[];
  [field: string]: unknown;
}
export interface Player {
  id: number;
  name: string;
  side: number;
  [field: string]: unknown;
}
export interface View {
  models: number[][];
  units: Unit[];
  players: Player[];
  game: Record<string, unknown>;
  segment: string;
  step: number;
  round: number;
  active: number;
  effects: unknown[];
  features: Feature[];
}
/** What a badge says of a unit: in a word or two, and in full. */
export interface Mark {
  text: string;
  name: string;
  rule?: string;
}
export interface Board {
  objectives: [number, number, number, number, string, number][];
  marks: Mark[][];
  numbers: [string, number][][];
  score: string[];
  phase: string;
  round_name: string;
  rounds?: [string, number][][][];
  reminders: ByHand[];
  mission: Briefing | null;
  zones: [Point[], number][] | { outline: Point[]; player: number }[];
}
export interface Result {
  winners: number[];
  reason: string;
  scores?: number[];
  rulings?: number;
  takebacks?: number;
}
export interface Seat {
  player: number;
  name: string;
  side: number;
  plays: string;
  taken: boolean;
}
export interface Waiting {
  decision: number;
  player: number;
  kind: string;
}

export interface GameEvent {
  event: string;
  [field: string]: any;
}
export interface Now {
  say: string;
  to?: number;
  line: number;
  next: number;
  open: Decision[];
  waiting: Waiting[];
  result: Result | null;
  board: Board | null;
}
export interface Welcome extends Now {
  say: "welcome";
  version: string;
  battle: string;
  title: string;
  you: number;
  seats: Seat[];
  takebacks: string;
  ground: Ground;
  view: View;
  orders: string;
  usual_orders: string;
  rerolls: string;
  seen: number;
  hook: string;
  queued: number;
  falls: { unit: number; models: number[] }[];
  clocks: Clock[];
}
export interface Clock {
  player: number;
  left: number;
  running: boolean;
  fallen: boolean;
  increment: number;
}
/** An answer to a question that is still to come. */
export interface Queued {
  kind: string;
  unit: number;
  answer: unknown;
}
export interface Happened extends Now {
  first: number;
  events: GameEvent[];
  said: [number, string][];
}
export interface Rewound extends Now {
  say: "rewound";
  text: string;
  view: View;
}
export interface Rule {
  id: string;
  name: string;
  where: string;
  text: string;
  note: string;
  options?: { name: string; values: string[]; text: string }[];
  edition?: string;
  dated?: string;
  link?: string;
  needs?: { id: string; name: string }[];
  proofs?: { id: string; title: string }[];
  beneath?: string[];
  tests?: { name: string; file: string }[];
}
export interface Line {
  name: string;
  count: number;
  figures: [string, string][];
  notes?: string[];
  /** How far a model moves, or a weapon carries. */
  far?: number;
}
export interface Card {
  name: string;
  models?: Line[];
  weapons?: Line[];
  abilities?: string[];
  keywords?: string[];
  status?: string[];
  /** Who each model is, with what it carries and most of the others do not. */
  members?: { model: number; name: string; arms: string[] }[];
}
export interface Idea {
  answer: unknown;
  said: string;
  why: string;
  worth: number;
}
export interface Message {
  say: string;
  to?: number;
  [field: string]: any;
}

/* Columns of `View.models`. */
export const X = 0,
  Y = 1,
  Z = 2,
  FACING = 3,
  WOUNDS = 4,
  PLACE = 5,
  OF_UNIT = 7;
export const OFF = 0,
  ON_TABLE = 1,
  GONE = 3;
export const STEP = 1024,
  TURN = 4096;
