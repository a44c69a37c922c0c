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
SIZE = (1280, 720)
COLOURS = 256
PLENTY = 3
"""Targets that a unit has in the picture."""
LETTERS = "() => document.querySelector('canvas').game.chips.size >= 2"
AIMED = "() => document.querySelectorAll('.dock p.good').length > 0"


def take() -> None:
    """Play to a shot with several targets, aim, and take the picture."""
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server, chromium.running() as browser:
        battle = server.begin(armies=ARMIES, layout="crossroads", seed=SEED, seats=["mine", "tactician"])
        table = Table(browser, server.address, battle.id, battle.tokens[0], SIZE, orders="default").open()
        while True:
            asked = table.play_until("shoot")
            if table.ask("return game.view.round") >= ROUND and len(asked["targets"]) >= PLENTY:
                break
            table.go_on()
        table.page.wait_for_function(LETTERS)
        chips: dict[str, str] = table.ask("return Object.fromEntries(game.chips)")
        table.page.keyboard.press(str(1 + _best(asked, chips)))
        table.page.wait_for_function(AIMED)
        table.page.wait_for_timeout(500)
        picture = Image.open(io.BytesIO(table.page.screenshot()))
        assert table.complaints == []
        table.close()
    picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(OUT, optimize=True)
    print(f"{OUT}: {OUT.stat().st_size // 1000} kB")


def _best(asked: dict[str, list[dict[str, int]]], chips: dict[str, str]) -> int:
    """The target of which most is lost."""
    lost = [float(chips.get(str(target["value"]), "0").split()[0]) for target in asked["targets"]]
    return min(lost.index(max(lost)), 8)


if __name__ == "__main__":
    take()
