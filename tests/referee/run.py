"""Play battles under the referee: `python tests/referee/run.py --battles 100`.

Lists, missions, layouts, players and seeds go round at different paces, so that all of them meet. Every second battle
is bare: nobody has abilities beyond those of the core book, and every number must follow from it. Ends with status 1
when something was found.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from referee.watch import Fault


class Match(NamedTuple):
    """One battle of the tour."""

    number: int
    system: str
    red: str
    blue: str
    mission: str
    layout: str
    players: tuple[str, str]
    bare: bool
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        kind = "bare" if self.bare else "with abilities"
        who = " against ".join(f"{a} ({p})" for a, p in zip((self.red, self.blue), self.players, strict=True))
        return f"battle {self.number} (seed {self.number}, {kind}): {who}, {self.mission}, {self.layout}"


class Finding(NamedTuple):
    """What came of a battle."""

    match: Match
    faults: list[Fault]
    looks: Counter[str]
    events: int
    seconds: tuple[float, float]
    """To play it, and to judge it."""


def edition_of(system: str) -> Any:
    """The module with an edition's numbers and judgements."""
    return import_module(f"referee.editions.{system}")


def matches(system: str) -> Iterator[Match]:
    """Battles without end. Each pair of a bare battle and one with abilities has the same lists, table and players."""
    edition = edition_of(system)
    number = 0
    while True:
        turn = number // 2
        armies = edition.lists()[turn % len(edition.lists())]
        lap = turn // len(edition.lists())
        red, blue = armies[lap % len(armies)], armies[(lap + 1 + lap // len(armies)) % len(armies)]
        mission = edition.missions()[turn % len(edition.missions())]
        layout = edition.layouts()[(turn + turn // 24) % len(edition.layouts())]
        if "@" in mission:  # It brings its own.
            layout = mission.partition("@")[2]
        players = edition.PLAYERS[turn % len(edition.PLAYERS)]
        # Where chance decides, it may also decide about what a player with sense would not be asked.
        options = edition.CURIOUS if "random" in players else ()
        yield Match(number, system, red, blue, mission, layout, players, number % 2 == 0, options)
        number += 1


def play(match: Match) -> dict[str, Any]:
    """Play a battle, and keep its record."""
    from referee.record import begin, watch

    battle = begin(
        match.system,
        {"red": match.red, "blue": match.blue},
        match.mission,
        match.layout,
        match.number,
        bare=match.bare,
        options=dict(match.options),
    )
    return watch(battle, match.players, match.number, str(match))


def judge(match: Match, keep: str = "") -> Finding:
    """Play a battle, and judge it; what breaks on the way is a fault, too."""
    from referee.watch import hear

    begun = time.process_time()
    record: dict[str, Any] = {"items": []}
    faults: list[Fault] = []
    looks: Counter[str] = Counter()
    played = begun
    try:
        record = play(match)
        played = time.process_time()
        faults, looks = hear(record, edition_of(match.system))
    except Exception:
        faults.append(Fault("-", traceback.format_exc(limit=-6), len(record["items"]), "", "crash"))
    if keep and faults:
        with gzip.open(Path(keep) / f"battle-{match.number}.json.gz", "wt") as file:
            json.dump(record, file)
    return Finding(match, faults, looks, len(record["items"]), (played - begun, time.process_time() - played))


def _judge(job: tuple[Match, str]) -> Finding:
    return judge(*job)


def tour(wanted: list[Match], processes: int, keep: str = "") -> Iterator[Finding]:
    """Judge battles, several at a time."""
    jobs = [(match, keep) for match in wanted]
    if processes < 2:
        yield from map(_judge, jobs)
        return
    with get_context("spawn").Pool(processes, maxtasksperchild=25) as pool:
        yield from pool.imap(_judge, jobs)


def tell(finding: Finding) -> Iterator[str]:
    """The faults of a battle, in words."""
    if finding.faults:
        yield str(finding.match)
    for fault in finding.faults:
        yield f"  event {fault.event}, {fault.at} [{fault.judgement}]: {fault.sentence} ({fault.rule})"


def main() -> int:
    parser = argparse.ArgumentParser(description="Play battles under a referee who shares nothing with the rules.")
    parser.add_argument("--system", default="w40k10", help="the edition (w40k10)")
    parser.add_argument("--battles", type=int, default=100, help="how many (100)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first (0)")
    parser.add_argument("--only", type=int, action="append", help="this battle alone; may be given several times")
    parser.add_argument("--processes", type=int, default=2, help="how many at a time (2)")
    parser.add_argument("--keep", default="", metavar="FOLDER", help="keep the records of battles with faults there")
    parser.add_argument("--looks", action="store_true", help="say what was looked at, and how often")
    wanted = parser.parse_args()
    if min(wanted.battles, wanted.first + 1, wanted.processes) < 1:
        parser.error("there is at least one battle, numbered from 0, and one process")
    numbers = wanted.only or range(wanted.first, wanted.first + wanted.battles)
    chosen = [m for m in islice(matches(wanted.system), max(numbers) + 1) if m.number in numbers]
    begun, rules, looks, guilty = time.monotonic(), Counter[str](), Counter[str](), 0
    for done, finding in enumerate(tour(chosen, min(wanted.processes, len(chosen)), wanted.keep), 1):
        for line in tell(finding):
            print(line, flush=True)
        rules.update(f.rule for f in finding.faults)
        looks.update(finding.looks)
        guilty += bool(finding.faults)
        if done % 10 == 0 or done == len(chosen):
            print(f"{done} of {len(chosen)} battles, {time.monotonic() - begun:.0f} s", flush=True)
    if wanted.looks:
        print("Looked at: " + ", ".join(f"{n} {what}" for what, n in sorted(looks.items())) + ".")
    if not rules:
        print(f"Nothing was found in {len(chosen)} battles ({sum(looks.values())} things looked at).")
        return 0
    print(f"Found in {guilty} of {len(chosen)} battles: " + ", ".join(f"{r} {n}" for r, n in rules.most_common()) + ".")
    return 1


if __name__ == "__main__":
    sys.exit(main())
