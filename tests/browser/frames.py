"""How fast the table is drawn while it is panned with 200 models on it: `python tests/browser/frames.py`.

It needs Playwright, Chromium and the built page. A machine without a graphics card draws in software, so the figures
are told with it: what a frame costs the page itself, and how far apart frames came.
"""

from __future__ import annotations

import platform
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser import chromium
from browser.table import Table
from server.live import Server

MODELS = 200
CROWD = """
const { models } = game.view, standing = () => models.filter(row => row[5] === 1).length;
for (let i = 0; standing() < argument; i++) {
  const from = i % models.length;
  if (models[from][5] !== 1) continue;
  const row = [...models[from]];
  row[0] = i * 7919 % game.ground.table.width; row[1] = i * 4241 % game.ground.table.depth;
  models.push(row); game.ground.shape_of.push(game.ground.shape_of[from]); game.full.push(1);
}
game.turn++;
return standing();
"""
PAN = """
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
FIGURES = """
const sorted = list => [...list].sort((a, b) => a - b), at = (list, part) => list[Math.floor(list.length * part)];
const gaps = sorted(canvas.frames.slice(1).map((t, i) => t - canvas.frames[i])), costs = sorted(canvas.costs);
return [at(costs, .5), at(costs, .95), at(gaps, .5), at(gaps, .95)];
"""


def main() -> None:
    with Server(Path(tempfile.mkdtemp())) as server, chromium.running() as browser:
        battle = server.begin(seed=3, seats=["mine", "default"])
        table = Table(browser, server.address, battle.id, battle.tokens[0], (1280, 720)).open()
        table.play_until("move_with")
        count = table.ask(CROWD, MODELS)
        for zoom in (1.0, 2.2):
            table.ask("camera.whole(); if (argument > 1) camera.zoom(400, 300, argument)", zoom)
            table.ask(PAN)
            cost, dear, gap, wide = table.ask(FIGURES)
            print(
                f"{count} models, zoom {zoom}: a frame costs {cost:.1f} ms (95 %: {dear:.1f} ms) of the page's time; "
                f"frames came {gap:.1f} ms apart (95 %: {wide:.1f} ms)"
            )
        print(f"{platform.machine()}, {platform.processor() or 'unknown processor'}, drawn without a graphics card")


if __name__ == "__main__":
    main()
