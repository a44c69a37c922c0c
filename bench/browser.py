"""The table in the browser: how soon it is there, how large it is, how fast it is drawn, and whether ghosts follow.

Without Playwright, Chromium or the built page there is nothing to measure. A machine without a graphics card draws in
software, so what a frame costs the page itself is told beside how many came.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from math import hypot
from pathlib import Path
from typing import Any, Final

MODELS: Final = 200
OPENINGS: Final = 5
ROUND_TRIP: Final = 150
"""Milliseconds."""
MOVES: Final = 30
"""Of the pointer, while a unit is dragged."""
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
#: The pointer moves a unit bit by bit; gives for each move how far the ghost is behind at once, and when it is drawn.
FOLLOW: Final = """
const [x, y, moves] = argument, ghost = () => game.plan.ghosts[0];
const event = (kind, dx, dy) => canvas.dispatchEvent(new PointerEvent(kind, {
  pointerId: 9, button: 0, buttons: 1, clientX: x + dx, clientY: y + dy, bubbles: true }));
const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(() => done(performance.now()))));
event("pointerdown", 0, 0); event("pointermove", 0, 8);
await frame();
const start = [ghost().x, ghost().y], found = [];
for (let i = 1; i <= moves; i++) {
  const dx = i % 8 - 4, dy = i * .6, from = performance.now();
  event("pointermove", dx, 8 + dy);
  const behind = Math.hypot(start[0] + dx / camera.k - ghost().x, start[1] - dy / camera.k - ghost().y);
  found.push([behind, await frame() - from]);
}
await new Promise(done => setTimeout(done, 800));
const held = game.plan.ghosts.map(g => [g.model, g.x, g.y]);
event("pointerup", 0, 8 + moves * .6);
return [found, held];
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
        table = Table(browser, server.address, battle.id, battle.tokens[0], SIZE).open()
        table.play_until("move_with")
        found |= _opening(table)
        found |= _panning(table)
        table.close()
        slow = Table(browser, server.address, battle.id, battle.tokens[0], SIZE, delay=ROUND_TRIP).open()
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


def _opening(table: Any) -> dict[str, dict[str, Any]]:
    took = []
    for _ in range(OPENINGS):
        table.page.goto("about:blank")
        began = time.perf_counter()
        table.page.goto(table.address)
        table.page.wait_for_function("() => document.querySelector('canvas')?.frames?.length > 0")
        took.append((time.perf_counter() - began) * 1000)
    what = f"opening the page of a battle until its first picture, median of {OPENINGS}"
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
    table.play_until("move_with")
    alone = "game.standing(u).length === 1 && !game.baseOf(game.standing(u)[0]).outline.length"
    unit = table.ask(f"return [...game.pointable].find(u => {alone})")
    table.page.mouse.click(*table.model(unit))
    table.play_until("move")
    table.page.wait_for_function("() => document.querySelector('canvas').game.areas.length")
    head = "const canvas = document.querySelector('canvas'), { game, camera } = canvas;"
    moves, held = table.page.evaluate(f"async argument => {{ {head} {FOLLOW} }}", [*table.model(unit), MOVES])
    after = {ghost["model"]: (ghost["x"], ghost["y"]) for ghost in table.planned()["ghosts"]}
    strays = max(hypot(x - after[model][0], y - after[model][1]) for model, x, y in held) / STEP
    drawn = sorted(late for _, late in moves)[int(MOVES * 0.95)]
    slowly = f"with {ROUND_TRIP} ms of round trip"
    return {
        "ghost_behind_in": {
            "value": max(behind for behind, _ in moves) / STEP,
            "limit": 0.1,
            "what": f"how far the ghost is behind the pointer at most, in inches, {slowly}",
        },
        "ghost_drawn_ms": {
            "value": drawn,
            "limit": 50,
            "what": f"from a move of the pointer to its picture, 95%, {slowly}",
        },
        "ghost_settles_in": {
            "value": strays,
            "limit": 0.1,
            "what": f"how far ghosts move when they are let go, in inches, {slowly}",
        },
    }
