"""The table in the browser: how soon it is there, how large it is, how fast it is drawn, and whether ghosts follow.

Without Playwright, Chromium or the built page there is nothing to measure. A machine without a graphics card draws in
software, so what a frame costs the page itself is told beside how many came.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from math import cos, hypot, pi, sin
from pathlib import Path
from typing import Any, Final

MODELS: Final = 200
OPENINGS: Final = 5
ROUND_TRIP: Final = 150
"""Milliseconds."""
MOVES: Final = 12
"""Of the pointer, while a unit is dragged."""
HORDE: Final = ["orks-1000-horde", "space-marines-1000-gunline"]
SQUADS: Final = (5, 10, 20)
"""Units of about so many models are dragged, and one of a single model"""
WAYS: Final = 8
"""Directions in which each is dragged"""
WAY: Final = 4.0
"""Inches that the hand goes: among friends and terrain, where not everybody can follow"""
STEP: Final = 1024
SIZE: Final = (1280, 720)

#: Models are added to those of a battle until there are enough.
CROWD: Final = """
const { models } = game.view, standing = () => models.filter(row => row[5] === 1).length;
for (let i = 0; standing() < argument; i++) {
  const from = i % models.length;
  if (models[from][5] !== 1) continue;
  const row = [...models[from]];
  row[0] = i * 7919 % game.ground.table.width; row[1] = i * 4241 % game.ground.table.depth;
  models.push(row); game.ground.shape_of.push(game.ground.shape_of[from]); game.full.push(1);
}
game.turn++;
"""
PAN: Final = """
return new Promise(done => {
  const event = (kind, x, y) =>
    canvas.dispatchEvent(new PointerEvent(kind, { pointerId: 9, button: 1, clientX: x, clientY: y }));
  let i = 0;
  canvas.frames.length = canvas.costs.length = 0;
  event("pointerdown", 400, 400);
  const go = () => {
    event("pointermove", 400 + 200 * Math.sin(i / 20), 400 + 120 * Math.cos(i / 17));
    if (++i < 240) requestAnimationFrame(go); else { event("pointerup", 400, 400); done(); }
  };
  go();
});
"""
FIGURES: Final = """
const sorted = list => [...list].sort((a, b) => a - b), at = (list, part) => list[Math.floor(list.length * part)];
const gaps = sorted(canvas.frames.slice(1).map((t, i) => t - canvas.frames[i])), costs = sorted(canvas.costs);
return [at(costs, .5), at(costs, .95), at(gaps, .5), at(gaps, .95)];
"""
#: The pointer takes a model somewhere bit by bit, and rests; gives for each move how far the model's ghost is behind at
#: once, in open ground, and when it is drawn; and where ghosts were at once, after a rest, and after they were let go.
FOLLOW: Final = """
const [model, x, y, far, moves] = argument, [sx, sy] = game.view.models[model];
const event = (kind, dx, dy) => canvas.dispatchEvent(new PointerEvent(kind, {
  pointerId: 9, button: 0, buttons: 1, shiftKey: true, clientX: x + dx, clientY: y + dy, bubbles: true }));
const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(() => done(performance.now()))));
const ghosts = () => game.plan.ghosts.map(g => [g.model, g.x, g.y]);
const area = game.areas[0], own = area.outlines.filter((_, i) => area.models[i] === model);
const holds = (px, py) => own.reduce((odd, ring) => ring.reduce((o, [ax, ay], i) => {
  const [bx, by] = ring[(i + 1) % ring.length];
  return (ay > py) !== (by > py) && px < (bx - ax) * (py - ay) / (by - ay) + ax ? !o : o;
}, odd), false);
// Where a model may be for sure: areas are rough, and say nothing of markers.
const open = (px, py) => Math.hypot(px - sx, py - sy) < game.decision.modes.find(m => m.allowance > 0).allowance - 300
  && [...Array(12).keys()].every(k => holds(px + 400 * Math.cos(k / 6 * Math.PI), py + 400 * Math.sin(k / 6 * Math.PI)))
  && game.board.objectives.every(([ox, oy]) => Math.hypot(ox - px, oy - py) > 2500);
const found = [];
event("pointerdown", 0, 0); event("pointermove", 0, 6);
await frame();
for (let i = 1; i <= moves; i++) {
  const dx = far[0] * camera.k * i / moves, dy = -far[1] * camera.k * i / moves, from = performance.now();
  event("pointermove", dx, dy);
  const to = [sx + far[0] * i / moves, sy + far[1] * i / moves], at = game.plan.ghosts.find(g => g.model === model);
  found.push([open(...to) ? Math.hypot(to[0] - at.x, to[1] - at.y) : 0, await frame() - from]);
}
const local = ghosts();
await new Promise(done => setTimeout(done, 500));
const held = ghosts();
event("pointerup", far[0] * camera.k, -far[1] * camera.k);
await new Promise(done => setTimeout(done, 50));
while (game.settling || !game.plan?.verdict) await frame();
return [found, local, held, ghosts()];
"""


def measure() -> dict[str, dict[str, Any]]:
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from sandtable.server import pages

    try:
        import playwright  # noqa: F401

        from browser import chromium
        from browser.table import Table
        from server.live import Server
    except ImportError:
        return _nothing("Playwright")
    if chromium.path() is None:
        return _nothing("Chromium")
    if not (pages.STATIC / pages.FIRST).is_file():
        return _nothing("built page (make page)")
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server, chromium.running() as browser:
        found = {"page_kb": _size(server, pages.STATIC)}
        battle = server.begin(seed=3, seats=["mine", "default"])
        window = partial(Table, browser, server.address, battle.id, battle.tokens[0], SIZE)
        table = window().open()
        table.play_until("move_with")
        found |= _opening(window)
        found |= _panning(table)
        table.close()
        horde = server.begin(seed=3, seats=["mine", "default"], armies=HORDE, layout="crossroads")
        slow = Table(
            browser, server.address, horde.id, horde.tokens[0], SIZE, orders="default", delay=ROUND_TRIP
        ).open()
        found |= _following(slow)
        slow.close()
    return found


def _nothing(what: str) -> dict[str, dict[str, Any]]:
    print(f"There is no {what} here: the table in the browser is not measured.", file=sys.stderr)
    return {}


def _size(server: Any, static: Path) -> dict[str, Any]:
    paths = ["/", *(f"/{path.relative_to(static)}" for path in static.rglob("*.*") if path.name != "index.html")]
    size = sum(len(server.get(path)[2]) for path in paths)
    return {"value": size / 1000, "limit": 1500, "what": "all files of the page together, not compressed, in kB"}


def _opening(window: Callable[[], Any]) -> dict[str, dict[str, Any]]:
    took = []
    for _ in range(OPENINGS):
        # A context of its own: nothing of the page is there yet.
        table = window()
        began = time.perf_counter()
        table.page.goto(table.address)
        table.page.wait_for_function("() => document.querySelector('canvas')?.frames?.length > 0")
        took.append((time.perf_counter() - began) * 1000)
        table.close()
    what = f"opening the page of a battle for the first time until its first picture, median of {OPENINGS}"
    return {"page_first_picture_ms": {"value": statistics.median(took), "limit": 2000, "what": what}}


def _panning(table: Any) -> dict[str, dict[str, Any]]:
    table.wait()
    table.ask(CROWD, MODELS)
    table.ask("camera.whole()")
    table.ask(PAN)
    cost, dear, gap, wide = table.ask(FIGURES)
    return {
        "page_frame_ms": {
            "value": cost,
            "limit": 16,
            "what": f"what a frame with {MODELS} models costs the page, median",
        },
        "page_frame_p95_ms": {"value": dear, "limit": None, "what": "the same, 95% of frames"},
        "page_frames_per_s": {
            "value": 1000 / gap,
            "limit": 59,
            "at_least": True,
            "what": f"frames a second while {MODELS} models are panned, by the median gap, without a graphics card",
        },
        "page_gap_p95_ms": {"value": wide, "limit": None, "what": "between two of these frames, 95%"},
    }


def _following(table: Any) -> dict[str, dict[str, Any]]:
    """Squads of several sizes are dragged in all directions, and let go after the hand rested for half a second."""
    table.play_until("move_with")
    sizes = dict(table.ask("return [...game.pointable].map(u => [u, game.standing(u).length]).filter(([, n]) => n)"))
    units = {min(sizes, key=lambda unit: (abs(sizes[unit] - size), unit)) for size in (1, *SQUADS)}
    late, behind, jumps, astray = [], [], [], []
    for unit in sorted(units):
        table.play_until("move_with")
        table.pick(unit)
        table.page.wait_for_function("() => document.querySelector('canvas').game.areas.length")
        for k in range(WAYS):
            to = [WAY * STEP * cos(2 * pi * k / WAYS), WAY * STEP * sin(2 * pi * k / WAYS)]
            model = table.ask("return game.standing(argument)[0]", unit)
            head = "const canvas = document.querySelector('canvas'), { game, camera } = canvas;"
            moves, local, held, after = table.page.evaluate(
                f"async argument => {{ {head} {FOLLOW} }}", [model, *table.model(unit), to, MOVES]
            )
            behind += [far for far, _ in moves]
            late += [took for _, took in moves]
            jumps.append(_apart(held, after))
            astray.append(_apart(local, after))
            table.page.keyboard.press("Escape")
        table.go_on("z")
    slowly = f"with {ROUND_TRIP} ms of round trip, of {len(units)} units of 1 to {max(sizes[u] for u in units)} models"
    return {
        "ghost_behind_in": {
            "value": max(behind) / STEP,
            "limit": 0.1,
            "what": f"how far the ghost in the hand is behind the pointer in open ground at most, in inches, {slowly}",
        },
        "ghost_drawn_ms": {
            "value": sorted(late)[int(len(late) * 0.95)],
            "limit": 50,
            "what": f"from a move of the pointer to its picture, 95%, {slowly}",
        },
        "ghost_settles_in": {
            "value": max(jumps) / STEP,
            "limit": 0.1,
            "what": f"how far any ghost moves at most when it is let go after half a second, in inches, {slowly}",
        },
        "ghost_plans_legal": {
            "value": sum(far <= STEP / 10 for far in astray) / len(astray),
            "limit": 0.9,
            "at_least": True,
            "what": f"the part of {len(astray)} plans that stood as the page had made them, {slowly}",
        },
    }


def _apart(before: list[list[int]], after: list[list[int]]) -> float:
    """How far any ghost is from where it was."""
    now = {model: (x, y) for model, x, y in after}
    return max((hypot(x - now[model][0], y - now[model][1]) for model, x, y in before if model in now), default=0.0)
