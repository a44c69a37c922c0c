"""Hold the search for charges and contact against a brute force: `python bench/closing.py --layouts 1000`.

The tests look at the first sixty layouts with every change; this goes on. A layout has one to four models that charge,
Pile In or Consolidate, one to three models of one or two targets, bystanders of both sides, walls, and table edges. It
measures nothing, and ends with status 1 when a short stop was accepted where contact was possible, or a move was called
impossible that is possible.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))


def main() -> int:
    from w40k10.closing_layouts import findings, layouts

    parser = argparse.ArgumentParser(description="Hold the search for charges and contact against a brute force.")
    parser.add_argument("--layouts", type=int, default=1000, help="how many (1000)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first (0)")
    wanted = parser.parse_args()
    if wanted.layouts < 1 or wanted.first < 0:
        parser.error("there is at least one layout, numbered from 0")
    total, begun = 0, time.monotonic()
    for done, layout in enumerate(islice(layouts(wanted.first), wanted.layouts), 1):
        for finding in findings(layout):
            print(f"layout {layout.number}, roll {layout.roll}: {finding}", flush=True)
            total += 1
        if done % 100 == 0 or done == wanted.layouts:
            print(f"{done} layouts, {time.monotonic() - begun:.0f} s", flush=True)
    print("Nothing was found." if not total else f"Found: {total}.")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
