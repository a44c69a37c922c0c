/* Who rests on a target sees the lines of sight to it. */

import { untrack } from "svelte";
import type { Game } from "../game.svelte";
import { STEP } from "../protocol";

const GLANCE = 250; // milliseconds after which a look at a target is meant
const NEAR = 6 * STEP; // who is in a fight sees well enough

/** For as long as a component is there, whose question is about a unit that aims at others. */
export function glancing(game: Game, unit: number): void {
  let timer = 0,
    glanced = -1;
  const far = (target: number) => {
    const [a, b] = [game.middle(unit), game.middle(target)];
    return !!a && !!b && Math.hypot(a[0] - b[0], a[1] - b[1]) > NEAR;
  };
  const glance = (target: number) =>
    game.look(unit, target).then(() => {
      if (glanced !== target) game.sight = null;
    });
  $effect(() => {
    const target = game.pointable.has(game.hovered) && game.tool === "" ? game.hovered : -1;
    if (target === glanced) return;
    glanced = target;
    clearTimeout(timer);
    untrack(() => {
      if (game.tool === "") game.sight = null;
      if (target >= 0 && far(target)) timer = window.setTimeout(() => void glance(target), GLANCE);
    });
  });
  $effect(() => () => {
    clearTimeout(timer);
    glanced = -1;
  });
}
