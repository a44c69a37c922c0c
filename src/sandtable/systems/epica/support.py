"""Supporting fire: neighbours who join in an assault from within 15 cm."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.battle.decisions import ChooseSome, Option
from sandtable.battle.rolls import needing
from sandtable.battle.verdict import ALLOWED, Verdict, refuse
from sandtable.rules import rule
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.hits import Hits
from sandtable.systems.epica.line_of_fire import lines
from sandtable.systems.epica.state import EpicBattle, EpicWorld, Formation, sheet, stands


@rule("epica.support.barred", neutral=ALLOWED)
def may_support(formation: Formation) -> Verdict:
    """Whether a formation is in a state to lend support: not broken, and not on the march."""
    if formation.broken:
        return refuse(f"{formation.name} is broken.", "epica.support.barred")
    if formation.action in ("march", "road-march"):
        return refuse(f"{formation.name} has marched this turn.", "epica.support.barred")
    return ALLOWED


@rule("epica.support.eligible", neutral=())
def supporters(
    world: EpicWorld, formation: Formation, enemies: Sequence[int], involved: Sequence[int]
) -> list[tuple[int, tuple[int, ...]]]:
    """The stands of a formation that can support, each with the involved enemies within its 15 cm and line of fire."""
    found = []
    for row, stand in enumerate(stands(world, formation)):
        if not sheet(world, stand).has_ranged_weapon:
            continue
        reached: list[int] = []
        for enemy in enemies:
            other = world.unit(enemy)
            near = (world.gaps(formation, other)[row] <= BOOK.support_reach) & lines(world, formation, other).clear[row]
            reached += [t for t, there in zip(stands(world, other), near, strict=True) if there and t in involved]
        if reached:
            found.append((stand, tuple(reached)))
    return found


def in_position(
    world: EpicWorld, side: Sequence[int], fighting: Sequence[int], enemies: Sequence[int], involved: Sequence[int]
) -> list[Formation]:
    """The formations beside a fight that could support their side (given by its formations) in it."""
    player = world.unit(side[0]).player
    return [
        f
        for f in world.friends_of(player)
        if f.id not in fighting and world.is_on_table(f) and may_support(f) and supporters(world, f, enemies, involved)
    ]


async def choose_support(b: EpicBattle, candidates: Sequence[Formation], fighting: Sequence[int]) -> list[Formation]:
    """Let each player say which neighbours join in."""
    chosen: list[Formation] = []
    for player in b.state.players:
        mine = [f for f in candidates if f.player == player.id]
        if not mine:
            continue
        picked = await b.ask(
            ChooseSome(
                player=player.id,
                kind="support",
                deed="Support",
                prompt="Who lend supporting fire?",
                rules=("epica.support.eligible",),
                options=tuple(Option(f.id, f.name) for f in mine),
                about={"fighting": list(fighting)},
            )
        )
        chosen += [f for f in mine if f.id in picked]
    return chosen


@rule("epica.support.resolve", neutral=0)
def roll_support(b: EpicBattle, helpers: Sequence[Formation], enemies: Sequence[int], involved: Sequence[int]) -> Hits:
    """Roll the firefight dice of all supporters of a side; blast markers suppress nobody here."""
    hits, reached = 0, set[int]()
    for helper in helpers:
        ready = supporters(b, helper, enemies, involved)
        values = [sheet(b, stand).ff for stand, _ in ready]
        read = needing(values, "hit(s)")
        faces = b.roll(len(ready), "support", helper.player, rules=("epica.support.resolve",), read=read)
        scored = sum(face >= value for face, value in zip(faces, values, strict=True))
        hits += scored
        reached.update(t for _, there in ready for t in there)
        b.tell(
            "support",
            f"{helper.name} lend supporting fire.",
            "epica.support.eligible",
            units=[helper.id],
            attacks=len(ready),
            hits=scored,
        )
    return Hits("assault", hits, tuple(sorted(reached)))


def sources_of(world: EpicWorld, formations: Sequence[Formation]) -> list[int]:
    """The stands of some formations."""
    return [int(m) for f in formations for m in world.on_table(f)]
