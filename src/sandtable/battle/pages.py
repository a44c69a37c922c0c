"""What was worked out about a battle, kept as long as it holds.

Every version of the geometry has a page of values. What depends on the models of one or two units alone is kept on the
page of the version at which the last of these moved, came or went, so that it survives what happens elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from typing import Any, Final

Page = dict[Hashable, Any]

VERSIONS: Final = 1000
"""How many versions of the geometry have a page; the oldest one makes way."""
PAGES: Final[dict[int, Page]] = {}
"""By version"""
_since: Final[dict[int, dict[int, int]]] = {}
"""By version: since which one each unit stands as it does; units that nothing is known of, since this one"""
_since_loss: Final[dict[int, int]] = {}
"""By version: since which one nobody came, went or changed units; without an entry, since this one"""
STAMPS: Final = 8
"""How many stamps have a page: who asks what would be if something were otherwise comes back to what is."""
MOMENT: Final[dict[int, Page]] = {}
"""By stamp"""


def new_page(version: int) -> Page:
    """The page of a version."""
    known = PAGES.get(version)
    if known is None:
        if len(PAGES) >= VERSIONS:
            oldest = next(iter(PAGES))
            del PAGES[oldest]
            _since.pop(oldest, None)
            _since_loss.pop(oldest, None)
        known = PAGES[version] = {}
    return known


def page_since(version: int, one: int, other: int) -> Page:
    """The page of the version since which two units, or one that is given twice, stand as they do."""
    stands = _since.get(version)
    if stands is None:
        return new_page(version)
    since = stands.get(one, version)
    if other != one:
        theirs = stands.get(other, version)
        since = since if since > theirs else theirs
    return PAGES.get(since) or new_page(since)


def page_since_loss(version: int) -> Page:
    """The page of the version since which nobody came, went or changed units."""
    since = _since_loss.get(version, version)
    return PAGES.get(since) or new_page(since)


def moment_page(stamp: int) -> Page:
    """A page for as long as the rules change nothing at all; only the last few are kept."""
    known = MOMENT.get(stamp)
    if known is None:
        if len(MOMENT) >= STAMPS:
            del MOMENT[next(iter(MOMENT))]
        known = MOMENT[stamp] = {}
    return known


def carry_on(before: int, after: int, units: Iterable[int], moved: Collection[int], *, lost: bool) -> None:
    """From one version to the next only some of the units moved; with `lost`, models came or went."""
    new_page(after)
    if not lost:
        _since_loss[after] = _since_loss.get(before, before)
    stands = _since.get(before, {})
    _since[after] = {unit: stands.get(unit, before) for unit in units if unit not in moved}
