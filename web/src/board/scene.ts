/* The picture of the table, layer upon layer: the ground, what is near, models, plans, lines, badges, and what the hand does. */

import type { Game } from "../game.svelte";
import { NO_SKETCH, type Pointer } from "../game/drawn";
import { flown, type Flight } from "../moving/flight";
import { STEP, type Decision, type Line } from "../protocol";
import { BadgeLayer, figuresOf, type Box } from "./badges";
import type { Camera } from "./camera";
import { drawFloors } from "./floors";
import type { Hands } from "./hands";
import { GroundLayer } from "./layer";
import { drawLoupe } from "./loupe";
import {
  AreaLayer,
  drawCross,
  drawGhosts,
  drawKeepOut,
  drawLinks,
  drawPlaceArea,
  drawPointers,
  drawShade,
  drawSight,
  drawSketch,
  drawThreat,
  drawUsual,
  drawUsualSketch,
  nameThreat,
  radiusOf,
  type Told,
} from "./overlays";
import { INK, sideStyle } from "./style";
import { drawMarkers, featuresOf, zonesOf } from "./terrain";
import { planTogether } from "./together";
import { UnitLayer } from "./units";

/** What only the screen knows: where buttons lie, the frame in which models are picked, and the hands. */
export interface Screen {
  dpr: number;
  touch: boolean;
  tools: Box;
  frame: [number, number, number, number] | null;
  hands: Hands;
}

export class Scene {
  readonly badges = new BadgeLayer();
  /** What is written over the table about the range of a unit. */
  told: Told[] = [];
  private ground: GroundLayer;
  private areas = new AreaLayer();
  private units = new UnitLayer();

  constructor(
    private game: Game,
    private cam: Camera,
  ) {
    const { table } = game.ground;
    this.ground = new GroundLayer([table.width, table.depth]);
  }

  /** Says whether it wants to be drawn again, because something still moves. */
  draw(c: CanvasRenderingContext2D, screen: Screen): boolean {
    const { game, cam } = this,
      { dpr, touch, hands } = screen,
      d = game.decision;
    c.setTransform(dpr, 0, 0, dpr, 0, 0);
    c.clearRect(0, 0, cam.wide, cam.high);
    const again = this.drawGround(c, dpr);
    if (d?.shape === "place" && d.area.length) drawPlaceArea(c, cam, d.area);
    if (game.level) drawFloors(c, cam, game);
    this.areas.draw(c, cam, game.areas, figuresOf(cam, game), dpr);
    if (game.shade) drawShade(c, cam, game.shade.outlines, game.plan ? "" : `unseen by ${game.shade.name}`, dpr);
    const threat = game.showThreat && game.ground.measuring && game.selected >= 0 ? carries(game) : null;
    if (threat) drawThreat(c, cam, game, game.selected, threat.range, threat.move);
    drawMarkers(c, cam, game.board?.objectives ?? [], sideStyle, INK);
    const plan = game.plan?.decision === d?.id ? game.plan : null,
      planned = new Map((plan?.ghosts ?? []).map(g => [g.model, g]));
    if (plan?.ghosts.length && d) this.drawNearness(c, d.unit);
    this.units.draw(c, cam, game, planned);
    this.drawUsual(c);
    for (const intent of game.intents)
      if (intent.unit !== d?.unit || !plan) {
        c.globalAlpha = 0.6;
        drawGhosts(c, cam, game, intent.plan);
        c.globalAlpha = 1;
      }
    if (plan) drawGhosts(c, cam, game, plan);
    if (game.sight) drawSight(c, cam, featuresOf(game), game.sight, m => game.at(m));
    drawSketch(c, cam, game.sketch);
    if (game.ringed >= 0)
      drawSketch(c, cam, {
        ...NO_SKETCH,
        circles: [{ ...game.at(game.ringed), radius: game.baseOf(game.ringed).long, text: "" }],
      });
    drawPointers(c, cam, [...linesOf(game, d), ...game.pointers]);
    const { bases, solid } = this.units;
    this.badges.draw(c, cam, game, bases, { solid, tools: screen.tools, busy: hands.isBusy, touch });
    if (game.mark) drawCross(c, cam, game.mark);
    const labels = [...this.badges.laid.map(l => l.box), screen.tools];
    this.told = threat ? nameThreat(c, cam, game, { unit: game.selected, ...threat }, labels) : [];
    if (screen.frame) drawFrame(c, cam, screen.frame);
    if (hands.finger) drawLoupe(c, cam, hands.finger, dpr);
    return again || game.moving.size > 0;
  }
  private drawGround(c: CanvasRenderingContext2D, dpr: number): boolean {
    const { game, cam } = this,
      { table } = game.ground,
      features = featuresOf(game),
      zones = zonesOf(game),
      early = game.view.round === 0;
    return this.ground.draw(
      c,
      cam,
      dpr,
      {
        size: [table.width, table.depth],
        unit: table.unit,
        features,
        zones,
        early,
        pace: (table.unit === "in" ? 6 : 10) * STEP,
        narrow: cam.wide < 640,
      },
      // Whose zones are whose may turn out later than where they are.
      [features.length, early, ...zones.map(z => z.name)].join(),
    );
  }
  /** Rings around enemies and links within the unit, while it is being moved. */
  private drawNearness(c: CanvasRenderingContext2D, unit: number): void {
    const { game, cam } = this,
      [keepOut] = game.keepOut;
    if (keepOut && unit >= 0) drawKeepOut(c, cam, game, unit, keepOut);
    const found = planTogether(game);
    if (found) drawLinks(c, cam, found);
  }
  /** What the space bar would do, as long as nothing else is planned. */
  private drawUsual(c: CanvasRenderingContext2D): void {
    const { game, cam } = this,
      { decision: d, usual, plan } = game;
    if (!usual || !d) return;
    if (plan?.decision !== d.id || game.glanced) drawUsual(c, cam, game, game.outlines);
    if (game.sketch.legs.length || game.sketch.circles.length) return;
    if (d.shape === "flight_path" && usual.answer)
      drawUsualSketch(c, cam, { ...NO_SKETCH, legs: flown(usual.answer as Flight) });
    if (d.shape === "template") {
      const circles = (usual.answer as { x: number; y: number; template: string }[]).map(t => ({
        ...t,
        radius: radiusOf(d),
        text: t.template,
      }));
      drawUsualSketch(c, cam, { ...NO_SKETCH, circles });
    }
    if (d.shape === "plot" && !game.sketch.points.length) {
      const text = "suggested",
        places = usual.answer as { x: number; y: number }[];
      drawSketch(c, cam, { circles: [], legs: [], points: places.map(({ x, y }) => ({ x, y, text })) });
    }
  }
}
/** Lines between models that a question comes with: that of a crossfire, say. */
function linesOf(game: Game, d: Decision | null): Pointer[] {
  const place = (m: number): [number, number] => {
    const at = game.at(m);
    return [at.x, at.y];
  };
  return ((d?.about?.lines ?? []) as { from: number; to: number; text: string }[]).map(l => ({
    from: place(l.from),
    to: place(l.to),
    text: l.text,
    kind: "tape" as const,
  }));
}
/** How far the weapons of the selected unit carry and its models move. */
function carries({ card }: Game): { range: number; move: number } {
  const most = (lines: Line[] = []) => Math.max(0, ...lines.map(l => l.far ?? 0));
  return { range: most(card?.weapons), move: most(card?.models) };
}
function drawFrame(c: CanvasRenderingContext2D, cam: Camera, frame: [number, number, number, number]): void {
  const [ax, ay, bx, by] = [cam.px(frame[0]), cam.py(frame[1]), cam.px(frame[2]), cam.py(frame[3])];
  c.strokeStyle = INK.amber;
  c.lineWidth = 1.5;
  c.setLineDash([5, 4]);
  c.strokeRect(Math.min(ax, bx), Math.min(ay, by), Math.abs(bx - ax), Math.abs(by - ay));
  c.setLineDash([]);
}
