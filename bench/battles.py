"""Play many random battles under a referee: `python bench/battles.py --battles 500`.

The tests play the first of them with every change; this goes on over all lists, layouts and missions. All are watched
by a referee, and some stand the proofs of the discipline. It measures nothing, and ends with status 1 when the referee
or a proof found something.
"""

from __future__ import annotations

import argparse
import sys
import time
from importlib import import_module
from itertools import islice
from pathlib import Path

from sandtable import kernels

EVERY = 23
"""In battles with proofs, purity is looked at once in so many decisions."""

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))


def main() -> int:
    # Before the imports below: what watches the battles looks at geometry itself.
    kernels.engage(kernels.COMPILED)
    from support.discipline import Findings

    parser = argparse.ArgumentParser(description="Play random battles of an edition under a referee.")
    parser.add_argument(
        "--system", default="w40k10", choices=("w40k8", "w40k10", "w40k11"), help="the edition (w40k10)"
    )
    parser.add_argument("--battles", type=int, default=500, help="how many (500)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first (0)")
    parser.add_argument("--proofs", type=int, default=10, help="one battle in so many stands the proofs, too (10)")
    parser.add_argument("--pairs", action="store_true", help="each faction against each instead (w40k11)")
    wanted = parser.parse_args()
    if min(wanted.battles, wanted.first + 1, wanted.proofs) < 1:
        parser.error("there is at least one battle, numbered from 0, and one in 1 or more stands the proofs")
    edition = import_module(f"{wanted.system}.battles")
    if wanted.pairs and not hasattr(edition, "pairs"):
        parser.error(f"the armies of {wanted.system} are no pairs of factions")
    tour = edition.pairs() if wanted.pairs else edition.matches()
    chosen = list(islice(tour, wanted.first, wanted.first + wanted.battles))
    total, begun = Findings(), time.monotonic()
    for done, match in enumerate(chosen, 1):
        try:
            if wanted.pairs:
                found = edition.fight(match)
            else:
                found = edition.referee(match, EVERY) if match.number % wanted.proofs == 0 else edition.watch(match)
        except Exception as error:
            found = Findings()
            found.fault("crash", f"{type(error).__name__}: {error} (from {error.__cause__!r})")
        total.add(found)
        for fault, example in found.examples.items():
            print(f"{match}\n  {fault}, {found.faults[fault]} times: {example}", flush=True)
        if done % 10 == 0 or done == len(chosen):
            seconds = time.monotonic() - begun
            print(
                f"{done} of {len(chosen)} battles, {sum(total.asked.values())} decisions, {seconds:.0f} s", flush=True
            )
    print(f"{total.forks} forks, {total.restarts} restarts, {len(total.asked)} kinds of questions.")
    print("Nothing was found." if not total.faults else f"Found: {dict(total.faults)}.")
    return 1 if total.faults else 0


if __name__ == "__main__":
    sys.exit(main())
