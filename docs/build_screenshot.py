"""Take the picture that the README begins with: a battle in the browser. `make screenshot`."""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser import chromium
from browser.table import Table
from server.live import Server

OUT = Path(__file__).parent / "browser.png"
ARMIES = ("space-marines-1000-gunline", "orks-1000-horde")
SEED, ROUND = 7, 2
SIZE, SCALE = (1280, 720), 1.5
COLOURS = 256
PLENTY = 4
"""Targets that a unit has in the picture."""
CHIPS = "() => document.querySelector('canvas').game.chips.size >= 2"
AIMED = ".dock p.good"
"""What is expected of those that are aimed at."""


def take() -> None:
    """Play to a shot with several targets, split it as advised, and take the picture."""
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server, chromium.running() as browser:
        battle = server.begin(armies=ARMIES, layout="crossroads", seed=SEED, seats=["mine", "tactician"])
        table = Table(browser, server.address, battle.id, battle.tokens[0], SIZE, orders="default", scale=SCALE).open()
        while not (_lively(table) and _split(table)):
            table.go_on()
        picture = Image.open(io.BytesIO(table.page.screenshot()))
        assert table.complaints == []
        table.close()
    picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(OUT, optimize=True)
    print(f"{OUT}: {OUT.stat().st_size // 1000} kB")


def _lively(table: Table) -> bool:
    """Whether a unit with several weapons has several targets, in the middle of the battle."""
    asked = table.play_until("shoot")
    several = [row for row in asked["rows"] if len(row["targets"]) > 1]
    return table.ask("return game.view.round") >= ROUND and len(asked["targets"]) >= PLENTY and len(several) > 1


def _split(table: Table) -> bool:
    """Aim as advised; says whether that is at several targets."""
    table.page.wait_for_function(CHIPS)
    table.page.keyboard.press("b")
    table.page.locator(AIMED).first.wait_for()
    table.page.wait_for_timeout(500)
    return bool(table.ask("return game.pointed.size") > 1)


if __name__ == "__main__":
    take()
