"""Blast markers: where they come from, where they go, and when they break a formation."""

from __future__ import annotations

from sandtable.battle.state import GONE
from sandtable.rules import rule
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.hits import who_is_lost
from sandtable.systems.epica.state import EpicBattle, EpicWorld, Formation, enemy_stands, size, stands


async def give_markers(
    b: EpicBattle, formation: Formation, count: int, why: str, *rules: str, source: list[int] | None = None
) -> None:
    """Place blast markers on a formation; on a broken one each becomes a hit. Breaking is judged elsewhere."""
    if count <= 0 or not b.is_on_table(formation):
        return
    if turns_into_hits(formation):
        await take_unsaved_hits(b, formation, count, source)
        return
    b.set_unit(formation, markers=formation.markers + count)
    b.tell(
        "markers",
        f"{formation.name} get {count} blast marker{'s' if count > 1 else ''} {why}, and now have {formation.markers}.",
        *rules,
        units=[formation.id],
        count=count,
    )


@rule("epica.broken.markers_become_hits", neutral=False)
def turns_into_hits(formation: Formation) -> bool:
    """A broken formation has no room for markers: each that it would get hits one of its units."""
    return formation.broken


async def take_unsaved_hits(
    b: EpicBattle, formation: Formation, count: int, source: list[int] | None = None
) -> list[int]:
    """Hits without saves, on the units closest to their source, or to any enemy; they cause no markers."""
    there = [s for s in source or () if b.state.models.place[s] != GONE] or enemy_stands(b, formation.player)
    rule_ = "epica.broken.markers_become_hits"
    lost = await who_is_lost(b, stands(b, formation), count, there, rule_)
    b.place_models(lost, GONE)
    if lost:
        b.tell(
            "markers became hits",
            f"{formation.name} are broken: {len(lost)} of their units are lost.",
            rule_,
            units=[formation.id],
            lost=len(lost),
        )
    return lost


@rule("epica.bm.removal", neutral=0)
def remove_markers(b: EpicBattle, formation: Formation, count: int) -> int:
    """Take markers off, never more than there are; says how many."""
    gone = min(count, formation.markers)
    if gone:
        b.set_unit(formation, markers=formation.markers - gone)
    return gone


@rule("epica.broken.threshold", neutral=False)
def is_at_break_point(world: EpicWorld, formation: Formation) -> bool:
    """Whether a formation has at least as many markers as units."""
    return formation.markers >= size(world, formation)


def breaks(b: EpicBattle, formation: Formation, *, flees: bool = True) -> bool:
    """Break a formation that has reached its break point; with `flees` it withdraws when the action is over."""
    if formation.broken or not b.is_on_table(formation) or not is_at_break_point(b, formation):
        return False
    become_broken(b, formation, flees=flees)
    return True


def breaks_by_losses(b: EpicBattle, formation: Formation) -> bool:
    """The same after losses that place no markers: with none at all nobody breaks."""
    return formation.markers > 0 and breaks(b, formation)


def become_broken(b: EpicBattle, formation: Formation, *, flees: bool) -> None:
    """Mark a formation as broken; overwatch is over for it."""
    b.set_unit(formation, broken=True, overwatch=False, flees=flees, markers=BOOK.markers_after_breaking)
    b.tell("broken", f"{formation.name} are broken.", "epica.broken.threshold", units=[formation.id])


@rule("epica.broken.count_as_markers", neutral=0)
def markers_of_broken(world: EpicWorld, formation: Formation) -> int:
    """A broken formation counts as having a marker for each of its units."""
    return size(world, formation)


def counted_markers(world: EpicWorld, formation: Formation) -> int:
    """The markers that a formation has, or counts as having."""
    return markers_of_broken(world, formation) if formation.broken else formation.markers
