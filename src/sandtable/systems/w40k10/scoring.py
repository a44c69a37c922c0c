"""Victory points: what a mission's ways of scoring count, and when."""

from __future__ import annotations

from sandtable.battle import DONE, GONE, Step
from sandtable.forty.mission import mission_of, zones_of
from sandtable.kit.missions import Score
from sandtable.kit.room import gap_to_area
from sandtable.rules import rule
from sandtable.systems.w40k10.objectives import settle
from sandtable.systems.w40k10.placing import wholly_within
from sandtable.systems.w40k10.state import Battle10, Unit, World10, markers_of

# --- When -------------------------------------------------------------------------------------------------------------


async def score_command(b: Battle10) -> Step:
    """The Command phase has ended: the active player scores."""
    score(b, "command")
    return DONE


async def score_turn(b: Battle10) -> Step:
    """The turn ends: control is settled once more, and the active player scores."""
    if mission_of(b) is not None:
        settle(b)
        score(b, "turn")
    return DONE


def score(b: Battle10, when: str) -> None:
    """Score what is due: for the active player, and at the end of the battle for everybody."""
    mission = mission_of(b)
    if mission is None:
        return
    players = [p for p in b.state.players if when == "battle" or p.id == b.state.active]
    for player in players:
        for i, way in enumerate(mission.scoring):
            if way.when == when and way.from_round <= b.state.round <= way.to_round:
                add(b, player.id, i, way)
    if when != "command" and any(way.kind == "destroy" for way in mission.scoring):
        sides = {p.side for p in players}
        # A unit stays to be scored until an enemy of it has had the chance to.
        seen = [u for u in fallen(b) if u in b.state.game.fallen or sides - {b.side(b.unit(u).player)}]
        b.set_game(fallen=tuple(seen))


def add(b: Battle10, player: int, number: int, way: Score) -> None:
    """Score in one way, within its limits."""
    p = b.player(player)
    worth = way.vp + way.grows * (b.state.round - way.from_round)
    points = min(worth * counted(b, player, way), most_at_once(way), way.most_in_battle - p.scored[number])
    if points <= 0:
        return
    scored = tuple(n + points if i == number else n for i, n in enumerate(p.scored))
    b.set_player(p, vp=p.vp + points, scored=scored)
    b.tell("scored", f"{p.name} scores {points}VP: {way.name}.", *_rules(way), player=player, vp=points)
    if way.carries_off:
        _carry_off(b, held(b, player, way)[: max(1, points // max(1, worth))])


def _rules(way: Score) -> tuple[str, ...]:
    return ("w40k10.onlywar.capture_and_control",) if way.kind == "hold" else ("w40k10.mission.muster",)


@rule("w40k10.onlywar.capture_and_control", neutral=99)
def most_at_once(way: Score) -> int:
    """How many VP can be scored at one time."""
    return way.most


def _carry_off(b: Battle10, markers: list[int]) -> None:
    gone = (*b.state.game.removed, *markers)
    control = tuple(-1 if m in gone else who for m, who in enumerate(b.state.game.control))
    b.set_game(removed=gone, control=control)
    for m in markers:
        b.tell("carried_off", f"Objective {m + 1} is carried off.", "w40k10.mission.muster", marker=m)


# --- What -------------------------------------------------------------------------------------------------------------


def counted(w: World10, player: int, way: Score) -> int:
    """How many of what a way of scoring counts a player has."""
    match way.kind:
        case "hold":
            return control_counts(w, player, way)
        case "hold more":
            others = [len(held(w, p.id, way)) for p in w.opponents(player)]
            return int(len(held(w, player, way)) > max(others, default=0))
        case "hold some":
            return int(len(held(w, player, way)) >= way.count)
        case "destroy":
            new = [u for u in fallen(w) if u not in w.state.game.fallen]
            return sum(w.side(w.unit(u).player) != w.side(player) for u in new)
        case "destroy warlord":
            return int(any(warlord_fell(w, p.id) for p in w.opponents(player)))
        case "break through":
            return sum(has_broken_through(w, u) for u in w.units_of(player))


@rule("w40k10.onlywar.capture_and_control", neutral=0)
def control_counts(w: World10, player: int, way: Score) -> int:
    """Each marker under a player's control counts."""
    return len(held(w, player, way))


def held(w: World10, player: int, way: Score) -> list[int]:
    """The markers that a player controls and that a way of scoring looks at."""
    control = w.state.game.control
    return [m for m in range(len(markers_of(w))) if control and control[m] == player and lies(w, m, player, way.where)]


def lies(w: World10, marker: int, player: int, where: str) -> bool:
    """Whether a marker lies where a way of scoring looks."""
    if where == "all":
        return True
    game, spot = w.state.game, markers_of(w)[marker]
    key = ("lies", spot, game.wish, game.attacker, player, where)
    return w.fixed(key, lambda: _lies(w, spot, player, where))


def _lies(w: World10, spot: tuple[int, int, int], player: int, where: str) -> bool:
    own, enemy = zone_of(w, player), enemy_zone(w, player)
    x, y, _ = spot
    if where == "no man's land":
        return not _inside(own, x, y) and not _inside(enemy, x, y)
    return _inside(own if where == "own zone" else enemy, x, y)


def _inside(zone: tuple[tuple[int, int], ...], x: int, y: int) -> bool:
    """Whether a point lies in an outline; in whole numbers."""
    found = False
    for (ax, ay), (bx, by) in zip(zone, (*zone[1:], zone[0]), strict=True):
        if (ay > y) != (by > y):
            cross = (bx - ax) * (y - ay) - (x - ax) * (by - ay)
            found ^= (cross > 0) == (by > ay)
    return found


def fallen(w: World10) -> tuple[int, ...]:
    """The units of the rosters that are destroyed; Leaders count on their own."""
    out, first = [], 0
    for i, entry in enumerate(w.setup.data.roster):
        if bool((w.state.models.place[first : first + entry.models] == GONE).all()):
            out.append(i)
        first += entry.models
    return tuple(out)


def warlord_fell(w: World10, player: int) -> bool:
    """Whether a player's Warlord is destroyed."""
    roster = w.setup.data.roster
    return any(
        entry.warlord >= 0 and w.unit(i).player == player and w.state.models.place[entry.warlord] == GONE
        for i, entry in enumerate(roster)
    )


def has_broken_through(w: World10, unit: Unit) -> bool:
    """Whether a unit stands wholly within the enemy deployment zone."""
    zone = enemy_zone(w, unit.player)
    models = w.on_table(unit)
    return len(models) > 0 and all(wholly_within(w, w.bodies, int(m), zone) for m in models)


# --- Zones ------------------------------------------------------------------------------------------------------------


def attacker_of(w: World10) -> int:
    """The Attacker; before that is known, the first player."""
    return max(0, w.state.game.attacker)


@rule("w40k10.mission.deploy", neutral=((0, 0), (1 << 20, 0), (1 << 20, 1 << 20), (0, 1 << 20)))
def zone_of(w: World10, player: int) -> tuple[tuple[int, int], ...]:
    """A player's deployment zone: the Attacker's side has the first, the others the second."""
    return zones_of(w)[0 if w.side(player) == w.side(attacker_of(w)) else 1]


def enemy_zone(w: World10, player: int) -> tuple[tuple[int, int], ...]:
    """The deployment zone of a player's enemies."""
    return zones_of(w)[1 if w.side(player) == w.side(attacker_of(w)) else 0]


def gap_to_enemy_zone(w: World10, player: int, bodies: object, model: int) -> float:
    """How far a base is from the enemy deployment zone."""
    return gap_to_area(w, bodies, model, enemy_zone(w, player))  # type: ignore[arg-type]
