"""How long it takes to read a faction of the dataset of 11th edition: the first time, and once it was kept."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from tempfile import TemporaryDirectory
from typing import Any, Final

FACTIONS: Final = ("necrons", "orks", "tyranids", "death-guard", "adeptus-astartes")
RUNS: Final = 3
FIRST, AGAIN = 1.0, 0.1
#: In a process of its own, which has imported everything: what is measured is reading alone.
READ: Final = """
import sys, time
from sandtable.armies.packs import open_pack
pack = open_pack("w40k11")
begun = time.process_time()
assert pack.parts[sys.argv[1]].files[0].sheets
print(time.process_time() - begun)
"""


def seconds(faction: str, home: str) -> float:
    """Processor time of reading a faction with a folder of kept files."""
    told = {**os.environ, "XDG_CACHE_HOME": home}
    done = subprocess.run([sys.executable, "-c", READ, faction], env=told, capture_output=True, text=True, check=True)
    return float(done.stdout)


def both(faction: str) -> tuple[float, float]:
    """The best of some runs, the first time and the second."""
    first, again = [], []
    for _ in range(RUNS):
        with TemporaryDirectory() as home:
            first.append(seconds(faction, home))
            again.append(seconds(faction, home))
    return min(first), min(again)


def measure() -> dict[str, dict[str, Any]]:
    """The figures, with their limits."""
    first, again = zip(*map(both, FACTIONS), strict=True)
    what = (
        f"one faction of the dataset of 11th edition, processor time, slowest of {len(FACTIONS)}, best of {RUNS} runs"
    )
    return {
        "read_faction_s": {"value": round(max(first), 3), "limit": FIRST, "what": f"reading {what}"},
        "read_faction_again_s": {
            "value": round(max(again), 3),
            "limit": AGAIN,
            "what": f"the same once it was kept; the median is {statistics.median(again):.3f}",
        },
    }
