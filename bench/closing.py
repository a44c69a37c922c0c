"""Hold the search for charges and contact against a brute force: `python bench/closing.py --layouts 1000`.

The tests look at the first sixty layouts with every change; this goes on. A layout has one to four models that charge,
Pile In or Consolidate, one to three models of one or two targets, bystanders of both sides, walls, and table edges.
Then come charges on rough ground: over, up and down hills of 3", across barricades, and of flyers around walls. Last
come charges of up to twelve models at up to three targets whose ends were chosen first, so that they can be made
for sure. It measures nothing, and ends with status 1 when a short stop was accepted where contact was possible, or a
move was called impossible that is possible.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import islice
from pathlib import Path

from sandtable import kernels

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))


def main() -> int:
    # Before the imports below: what holds the layouts against a brute force looks at geometry itself.
    kernels.engage(kernels.COMPILED)
    from w40k10.charging import possible_charge
    from w40k10.closing_layouts import findings, layouts, rough_layout, told
    from w40k10.closing_planted import planted

    parser = argparse.ArgumentParser(description="Hold the search for charges and contact against a brute force.")
    parser.add_argument("--layouts", type=int, default=1000, help="how many (1000)")
    parser.add_argument("--planted", type=int, default=200, help="how many charges with ends that were chosen (200)")
    parser.add_argument("--rough", type=int, default=60, help="how many on rough ground (60)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first (0)")
    wanted = parser.parse_args()
    if min(wanted.layouts, wanted.planted, wanted.rough, wanted.first) < 0:
        parser.error("there are no fewer than no layouts, numbered from 0")
    total, begun = 0, time.monotonic()
    for done, layout in enumerate(islice(layouts(wanted.first), wanted.layouts), 1):
        for finding in findings(layout):
            print(f"layout {layout.number}, roll {layout.roll}: {finding}", flush=True)
            total += 1
        if done % 100 == 0 or done == wanted.layouts:
            print(f"{done} layouts, {time.monotonic() - begun:.0f} s", flush=True)
    for number in range(wanted.first, wanted.first + wanted.rough):
        small = rough_layout(number)
        for finding in findings(small):
            print(f"rough layout {number}, roll {small.roll}: {finding}", flush=True)
            total += 1
    print(f"{wanted.rough} layouts on rough ground, {time.monotonic() - begun:.0f} s", flush=True)
    for number in range(wanted.first, wanted.first + wanted.planted):
        large = planted(number)
        if possible_charge(large.battle, large.unit, large.targets, large.far) is None:
            print(f"planted charge {number}: none is found, but there is {told(large.moves)}", flush=True)
            total += 1
    print(f"{wanted.planted} planted charges, {time.monotonic() - begun:.0f} s", flush=True)
    print("Nothing was found." if not total else f"Found: {total}.")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
