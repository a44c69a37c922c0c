"""Play many random battles under a referee: `python bench/battles.py --battles 500`.

The tests play the first of them with every change; this goes on over all lists, layouts and missions. All are watched
by a referee, and some stand the proofs of the discipline. It measures nothing, and ends with status 1 when the referee
or a proof found something.

`python bench/battles.py --system w40k11 --pairs --log pairs.jsonl` has each faction meet each, over all missions and
layouts: the number of a battle is also the seed of its dice. Whoever stops it and gives the same command again goes on
after the last battle in the log.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import traceback
from collections.abc import Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sandtable import kernels

if TYPE_CHECKING:
    from support.discipline import Findings
    from support.tour import Match

EVERY = 23
"""In battles with proofs, purity is looked at once in so many decisions."""
BATTLES: Final = 500
TELL: Final = 10
"""Tell how far it is after so many battles."""

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))


def main() -> int:
    # Before the imports below: what watches the battles looks at geometry itself.
    kernels.engage(kernels.COMPILED)

    parser = argparse.ArgumentParser(description="Play random battles of an edition under a referee.")
    parser.add_argument(
        "--system", default="w40k10", choices=("w40k8", "w40k10", "w40k11"), help="the edition (w40k10)"
    )
    parser.add_argument("--battles", type=int, help=f"how many ({BATTLES}; with --pairs all)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first (0)")
    parser.add_argument("--proofs", type=int, default=10, help="one battle in so many stands the proofs, too (10)")
    parser.add_argument("--pairs", action="store_true", help="each faction against each instead (w40k11)")
    parser.add_argument("--log", type=Path, help="a line of JSON for each battle; battles that it has are not played")
    wanted = parser.parse_args()
    if wanted.battles is None and not wanted.pairs:
        wanted.battles = BATTLES
    if min(wanted.battles or 1, wanted.first + 1, wanted.proofs) < 1:
        parser.error("there is at least one battle, numbered from 0, and one in 1 or more stands the proofs")
    edition = import_module(f"{wanted.system}.battles")
    if wanted.pairs and not hasattr(edition, "pairs"):
        parser.error(f"the armies of {wanted.system} are no pairs of factions")
    tour = edition.pairs() if wanted.pairs else edition.matches()
    last = None if wanted.battles is None else wanted.first + wanted.battles
    found = _play(wanted, edition, list(islice(tour, wanted.first, last)))
    if wanted.pairs:
        _table(list(edition.pairs()), found)
    wrong = [number for number, faults in found.items() if faults]
    print(f"Faults in {len(wrong)} battles: {wrong}." if wrong else "Nothing was found.")
    return 1 if wrong else 0


def _play(wanted: argparse.Namespace, edition: Any, chosen: Sequence[Match]) -> dict[int, list[str]]:
    """Play the battles that are not in the log yet; the faults of all of them by their numbers."""
    from support.discipline import Findings

    played = _read(wanted.log)
    open_yet = [match for match in chosen if match.number not in played]
    if len(open_yet) < len(chosen):
        print(f"{len(chosen) - len(open_yet)} of {len(chosen)} battles are in {wanted.log} already.", flush=True)
    total, begun = Findings(), time.monotonic()
    for done, match in enumerate(open_yet, 1):
        found = _one(wanted, edition, match)
        total.add(found)
        played[match.number] = [f"{fault}: {example}" for fault, example in found.examples.items()]
        if found.faults:
            again = f"python bench/battles.py --system {wanted.system}{' --pairs' * wanted.pairs}"
            print(f"{match}; seed {match.number}; {again} --first {match.number} --battles 1", flush=True)
        for fault, example in found.examples.items():
            print(f"  {fault}, {found.faults[fault]} times: {example}", flush=True)
        if wanted.log:
            with wanted.log.open("a") as log:
                print(json.dumps({"battle": str(match), "faults": played[match.number]}), file=log)
        if done % TELL == 0 or done == len(open_yet):
            seconds = time.monotonic() - begun
            left = seconds / done * (len(open_yet) - done)
            asked = sum(total.asked.values())
            print(
                f"{done} of {len(open_yet)} battles, {asked} decisions, {seconds:.0f} s, about {left:.0f} s to go",
                flush=True,
            )
    print(f"{total.forks} forks, {total.restarts} restarts, {len(total.asked)} kinds of questions.")
    return {match.number: played[match.number] for match in chosen} | played


def _one(wanted: argparse.Namespace, edition: Any, match: Match) -> Findings:
    """What one battle shows; an exception is a finding, too."""
    from support.discipline import Findings

    try:
        if wanted.pairs:
            return edition.fight(match)  # type: ignore[no-any-return]
        proved = match.number % wanted.proofs == 0
        return edition.referee(match, EVERY) if proved else edition.watch(match)  # type: ignore[no-any-return]
    except Exception as error:
        found = Findings()
        cause = error.__cause__ or error
        told = traceback.extract_tb(cause.__traceback__)[-1]
        found.fault("crash", f"{type(cause).__name__}: {cause} ({told.filename}:{told.lineno}, {told.name})")
        return found


def _read(log: Path | None) -> dict[int, list[str]]:
    """The battles of a log by their numbers, with their faults."""
    if log is None or not log.exists():
        return {}
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    return {int(row["battle"].partition(":")[0]): row["faults"] for row in rows}


def _table(every: Sequence[Match], played: dict[int, list[str]]) -> None:
    """How much of the tour was played, this time and before."""
    done = [match for match in every if match.number in played]
    parts = {
        "pairs": lambda m: (m.red, m.blue),
        "factions": lambda m: m.red,
        "missions": lambda m: m.mission.partition("@")[0],
        "layouts": lambda m: m.layout,
    }
    print(f"{'':10}{'played':>8}{'of':>6}{'fewest':>8}{'most':>6}   not yet")
    for name, part in parts.items():
        counts = {part(match): 0 for match in every}
        for match in done:
            counts[part(match)] += 1
            if name == "factions" and match.blue != match.red:
                counts[match.blue] += 1
        missing = [key for key, count in counts.items() if not count]
        few, most = min(counts.values()), max(counts.values())
        told = ", ".join(" against ".join(one) if isinstance(one, tuple) else one for one in missing[:4])
        print(f"{name:10}{len(counts) - len(missing):>8}{len(counts):>6}{few:>8}{most:>6}   {told or '-'}")


if __name__ == "__main__":
    sys.exit(main())
