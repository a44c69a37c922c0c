"""Wargear: whether the options of a datasheet allow what the models of a unit carry.

A list says what models carry in the end. Which options lead there is found here, by trying them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from sandtable.armies.format import ModelKind, Option, Sheet

Use: TypeAlias = tuple[int, int]
"""Number of an option, and of the choice taken from it."""
Way: TypeAlias = tuple[Use, ...]
"""The options that one model uses."""

MAX_WAYS: Final = 24
MAX_TRIED: Final = 5_000


class Carriers(NamedTuple):
    """Some models of one kind that carry the same."""

    kind: ModelKind
    number: int
    items: tuple[str, ...]


def ways_to(sheet: Sheet, kind: ModelKind, items: Sequence[str], size: int) -> list[Way]:
    """The different sets of options by which one model comes to carry these items, cheapest first."""
    wanted = Counter(items)
    usable = [
        (number, option)
        for number, option in enumerate(sheet.options)
        if (not option.who or kind.name in option.who) and is_open(option, size)
    ]
    # What is neither wanted in the end nor taken away again leads nowhere.
    useful = set(wanted) | {item for _, option in usable for item in option.replace}
    found: dict[Way, None] = {}
    seen: set[tuple[frozenset[tuple[str, int]], Way]] = set()
    # An option may replace what another one gave, so that order matters; each is used at most once.
    stack: list[tuple[Counter[str], Way]] = [(Counter(kind.equipment), ())]
    while stack and len(seen) < MAX_TRIED:
        has, way = stack.pop()
        key = (frozenset(has.items()), way)
        if key in seen:
            continue
        seen.add(key)
        if has == wanted:
            found[way] = None
        used = {number for number, _ in way}
        for number, option in usable:
            if number in used or any(has[item] < n for item, n in Counter(option.replace).items()):
                continue
            for choice, taken in enumerate(option.by):
                if not useful.issuperset(taken.items):
                    continue
                after = has - Counter(option.replace) + Counter(taken.items)
                stack.append((after, tuple(sorted((*way, (number, choice))))))
    return sorted(found, key=lambda way: (points_of(sheet, way), len(way), way))[:MAX_WAYS]


def is_open(option: Option, size: int) -> bool:
    """Whether an option is there for a unit of so many models."""
    return option.from_size <= size and (not option.to_size or size <= option.to_size)


def points_of(sheet: Sheet, way: Way) -> int:
    """What the options cost one model."""
    return sum(sheet.options[option].by[choice].points for option, choice in way)


def settle(sheet: Sheet, groups: Sequence[Carriers], size: int) -> tuple[int, str]:
    """Points for wargear of a unit, and what is wrong with it; an empty text if nothing is."""
    all_ways = []
    for group in groups:
        ways = ways_to(sheet, group.kind, group.items, size)
        if not ways:
            return 0, f"no option lets a model ({group.kind.name}) carry {_named(group.items)}"
        all_ways.append(ways)
    problem = ""
    for ways_taken in islice(_combined(all_ways), MAX_TRIED):
        uses: Counter[Use] = Counter()
        for group, way in zip(groups, ways_taken, strict=True):
            for use in way:
                uses[use] += group.number
        over = _over_limit(sheet, uses, size)
        if not over:
            points = sum(points_of(sheet, way) * group.number for group, way in zip(groups, ways_taken, strict=True))
            return points, ""
        problem = problem or over
    return 0, problem


def _combined(all_ways: Sequence[list[Way]]) -> Iterator[tuple[Way, ...]]:
    """One way for each group, in all combinations, the first ones first."""
    if not all_ways:
        yield ()
        return
    for way in all_ways[0]:
        for rest in _combined(all_ways[1:]):
            yield (way, *rest)


def _over_limit(sheet: Sheet, uses: Counter[Use], size: int) -> str:
    for number, option in enumerate(sheet.options):
        limit = limit_of(option, size)
        taken = {choice: uses[number, choice] for choice in range(len(option.by)) if uses[number, choice]}
        if limit is not None and sum(taken.values()) > limit:
            what = _named(option.by[next(iter(taken))].items)
            return f"{limit} of its models may have {what}, or another choice of that option, not {sum(taken.values())}"
        times = size // option.per if option.per else 1
        for choice, count in taken.items():
            if option.each_once and count > times:
                return f"{times} of its models may have {_named(option.by[choice].items)}, not {count}"
    return ""


def limit_of(option: Option, size: int) -> int | None:
    """How many models of a unit may use an option; None for all of them."""
    if not option.count:
        return None
    return option.count * (size // option.per) if option.per else option.count


def _named(items: Sequence[str]) -> str:
    parts = [item if count == 1 else f"{count} {item}" for item, count in Counter(items).items()]
    return ", ".join(parts) or "nothing"
