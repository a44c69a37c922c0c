/* What moving a unit and setting one up have in common: gestures and keys plan, and the tick commits what is planned. */

import type { Game } from "../game.svelte";
import type { Move, Place } from "../protocol";
import { FORMATIONS, type Formation } from "../moving/formations";
import type { Planner } from "../moving/planner.svelte";
import type { Actor, Deed } from "./actor";

const TURN = Math.PI / 12;

/** Gestures that mean the same for both. */
export function planned(planner: Planner): Actor {
  return {
    drag: (x, y, loose) => planner.drag(x, y, loose),
    drop: () => void planner.drop(),
    revert: () => planner.revert(),
    takeUp: answer => planner.takeUp(answer),
    model: model => {
      if (!planner.singles || !planner.decision.models.includes(model)) return false;
      planner.toggle(model);
      return true;
    },
    pick: (models, toggle) => {
      if (toggle) planner.toggle(...models);
      else planner.pick(models);
    },
    place: (x, y, loose) => planner.point(x, y, loose),
    front: (ax, ay, bx, by, done) => {
      planner.front(ax, ay, bx, by);
      if (done) void planner.drop();
    },
    spacing: by => planner.space(by),
    nudge: (dx, dy) => {
      planner.nudge(dx, dy);
      return true;
    },
    cancel: () => planner.cancel(),
  };
}
/** Keys that do; says whether one was one of them. */
export function planKey(e: KeyboardEvent, planner: Planner, game: Game): boolean {
  const formation = FORMATIONS[Number(e.key) - 1];
  if (formation) planner.form(formation.name);
  else if (e.key === "9") planner.takeUp();
  else if (e.key === "y") planner.pickNext(false);
  else if (e.key === "Y") planner.pickNext(true);
  else if (e.key === "s" && planner.only.size) planner.hold();
  else if (e.key === "q") planner.turn(TURN);
  else if (e.key === "e") planner.turn(-TURN);
  else if (e.key === "h") void planner.hide(game.hovered >= 0 ? game.hovered : game.selected);
  else if (e.key === "<") planner.widen(-1);
  else if (e.key === ">") planner.widen(1);
  else if (e.key === ",") planner.space(-1);
  else if (e.key === ".") planner.space(1);
  else return false;
  return true;
}
export const formationDeeds = (planner: Planner, formations: { name: Formation; label: string }[]): Deed[] =>
  formations.map(f => ({ label: f.label, on: planner.shape === f.name, do: () => planner.form(f.name) }));

/** Who commits before it was judged commits what is legal then. */
export async function commit(game: Game, asked: Move | Place): Promise<void> {
  if (!(await game.answers.judged()) || game.decision?.id !== asked.id || !game.plan?.verdict?.ok) return;
  await (asked.shape === "move" && game.plans.planning ? game.plans.shelve() : game.answer(game.plan.answer));
}
