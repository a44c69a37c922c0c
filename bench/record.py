"""Put battles on record before a change that should change none: `python bench/record.py --write FILE`.

46 seeded battles go over all lists, missions, layouts and computer players, Epic and 8th edition among them. For each
of them the record holds a digest of all steps, one of all events, and how many Python functions were called.
`--compare FILE` plays them again, and ends with status 1 when a battle differs, or when calls grew by more than 2 %.
"""

from __future__ import annotations

import argparse
import cProfile
import hashlib
import json
import sys
import time
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

import sandtable
from sandtable import systems
from sandtable.armies.packs import find_packs
from sandtable.battle.journal import StepEntry
from sandtable.players.named import named
from sandtable.players.table import play

LARGE: Final = ("w40k10", 32)
SMALL: Final = ("epica", 8)
OLDER: Final = ("w40k8", 6)
"""Systems with how many of their battles are on record, in this order."""
PLAYERS: Final = ("tactician", "rusher", "gunline", "random", "tactician", "default")
GROWTH: Final = 1.02
"""So much dearer may all battles together become."""


class Recorded(NamedTuple):
    """What came of a battle."""

    what: str
    steps: str
    events: str
    calls: int


def fingerprint(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def record(number: int) -> Recorded:
    """Play one of the battles."""
    if number < LARGE[1] or number >= LARGE[1] + SMALL[1]:
        system = LARGE[0] if number < LARGE[1] else OLDER[0]
        red, blue = _pair(system, number)
        rules = systems.get(system)
        missions, layouts = list(rules.missions()), list(rules.layouts())  # type: ignore[misc]
        mission, layout = missions[number % len(missions)], layouts[(number * 3 + number // 5) % len(layouts)]
        begin: dict[str, Any] = {"armies": {"red": red, "blue": blue}, "mission": mission, "layout": layout}
        what = f"{red} against {blue}, {mission}, {layout}"
        names = (PLAYERS[number % len(PLAYERS)], PLAYERS[(number // 2 + 1) % len(PLAYERS)])
    else:
        system, begin, what, names = SMALL[0], {}, "made-up armies", ("random", ("default", "random")[number % 2])
    battle = sandtable.new(system, seed=4000 + number, **begin)
    players = {player: named(name, 2 * number + player) for player, name in enumerate(names)}
    profile = cProfile.Profile(builtins=False)
    profile.enable()
    play(battle, players)
    profile.disable()
    calls = sum(entry.callcount for entry in profile.getstats())
    steps = " ".join(e.digest for e in battle.entries if isinstance(e, StepEntry))
    plain = msgspec.to_builtins(battle.events, str_keys=True, enc_hook=_plain)
    events = json.dumps(plain, sort_keys=True).encode()
    return Recorded(
        f"{system} {what}, {' against '.join(names)}",
        f"{steps.count(' ') + 1} {fingerprint(steps.encode())}",
        f"{len(battle.events)} {fingerprint(events)}",
        calls,
    )


def _pair(system: str, number: int) -> tuple[str, str]:
    """Two lists of one size; all of them come up, against ever different ones."""
    lists = [path.stem for path in sorted(find_packs()[system].glob("lists/*.yaml"))]
    red = lists[number % len(lists)]
    equals = [name for name in lists if _size(name) == _size(red)]
    return red, equals[(number * 5 + 1) % len(equals)]


def _size(name: str) -> str:
    """The size of an army, as the name of its list has it."""
    return next(part for part in name.split("-") if part.isdigit())


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else str(value)


def main() -> int:
    parser = argparse.ArgumentParser(description="Put battles on record, or hold them against a record.")
    wanted = parser.add_mutually_exclusive_group(required=True)
    wanted.add_argument("--write", type=Path, metavar="FILE")
    wanted.add_argument("--compare", type=Path, metavar="FILE")
    parser.add_argument("--battles", type=int, default=LARGE[1] + SMALL[1] + OLDER[1], help="only the first so many")
    parser.add_argument("--every", type=int, default=1, help="only one in so many")
    chosen = parser.parse_args()
    before = [] if chosen.write else [Recorded(*row) for row in json.loads(chosen.compare.read_text())]
    rows, differ, begun = [], 0, time.monotonic()
    most = min(chosen.battles, len(before)) if before else chosen.battles
    numbers = range(0, most, chosen.every)
    for number in numbers:
        row = record(number)
        rows.append(row)
        note = ""
        if before:
            old = before[number]
            differs = [name for name in ("what", "steps", "events") if getattr(old, name) != getattr(row, name)]
            differ += bool(differs)
            note = f", differs in {' and '.join(differs)}" if differs else ", the same"
        print(f"{number}: {row.what}: {row.steps}, {row.events}, {row.calls} calls{note}", flush=True)
    print(f"{len(rows)} battles, {time.monotonic() - begun:.0f} s")
    if chosen.write:
        chosen.write.write_text(json.dumps(rows, indent=0))
        return 0
    print(f"{differ} battles differ.")
    if len(rows) < len(before):
        # What is worked out once in a process is counted with the battle that needs it first.
        return 1 if differ else 0
    growth = sum(row.calls for row in rows) / sum(row.calls for row in before)
    print(f"Calls {growth - 1:+.2%} (at most {GROWTH - 1:+.0%}).")
    return 1 if differ or growth > GROWTH else 0


if __name__ == "__main__":
    sys.exit(main())
