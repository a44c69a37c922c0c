"""Missions of the 40kdc dataset as documents of ours: zones of a deployment pattern, markers, and the cards of both.

A card is for one disposition against another, so that the opponent has the card of the same pair the other way round.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from itertools import cycle
from typing import Any, Final, NamedTuple

import msgspec

from sandtable.armies.kdc.names import cut
from sandtable.armies.kdc.source import Json, data
from sandtable.errors import UserError
from sandtable.forty.dataset_cards import actions_of, ways_of
from sandtable.forty.dataset_layouts import BOARD, dataset_layouts, layout_called, outline_of
from sandtable.kit.missions import Action, Mission, Role, Score

AT: Final = "@"
"""Stands between a mission and the layout or the deployment pattern that it is fought on."""
SMALLEST: Final = 60, 44
SIDES: Final = ("first side", "second side")
ROLES: Final = {"home": "home", "center": "central", "expansion": "expansion"}
NEAR: Final = 6.0
"""An objective so near the middle of the table is central, where no layout says what it is."""

OFF_SEAM: Final = 0.1


class Card(NamedTuple):
    """A mission, and what of its card we lack."""

    mission: Mission
    lacks: tuple[str, ...]
    """Of its own card."""
    played: int
    """How many awards of it are scored."""
    opponent: str
    """The card that the opponent plays by."""


def dataset_missions() -> list[str]:
    """The missions by their names."""
    return [one["id"] for one in data().raw["missions"]]


def mission_called(name: str) -> str:
    """What a mission is called: an id has no apostrophes."""
    return cut(_one("missions", name, dataset_missions())["name"])


def dataset_patterns() -> list[str]:
    """The deployment patterns by their names."""
    return [one["id"] for one in data().raw["deployment_patterns"]]


def dataset_grounds() -> list[tuple[str, str]]:
    """Each mission on each layout that is meant for it, with the name of the layout; all of both are among them."""
    fitting = {mission: _fitting(mission) for mission in dataset_missions()}
    found = [(f"{mission}{AT}{one['id']}", one["id"]) for mission, layouts in fitting.items() for one in layouts]
    seen = {layout for _, layout in found}
    rest = [name for name in dataset_layouts() if name not in seen]
    found += [(f"{mission}{AT}{layout}", layout) for layout, mission in zip(rest, cycle(dataset_missions()))]
    return found


def dataset_tables() -> list[tuple[str, str, str]]:
    """The same, with what each layout is called."""
    return [(mission, layout, layout_called(layout)) for mission, layout in dataset_grounds()]


def read_card(name: str, sizes: Collection[str]) -> Card:
    """A mission by its name, alone or with the layout or the pattern that it is fought on: "punishment@dawn-of-war".

    The first side plays by the card of that name, and the other by the card that answers it.
    """
    called, _, where = name.partition(AT)
    mission = _one("missions", called, dataset_missions())
    answer = _answer(called)
    layout, pattern = _ground(called, where)
    zones = {zone["player"]: _zone(zone) for zone in pattern["zones"]}
    lands = {land["player"]: _zone(land) for land in pattern.get("territories") or ()}
    cards = [(called, "everybody")] if answer == called else list(zip((called, answer), SIDES, strict=True))
    ways: list[Score] = []
    actions: list[Action] = []
    told: dict[str, tuple[int, list[str]]] = {}
    for card_id, whose in cards:
        card: Json = next(one for one in data().raw["mission_cards"] if one["id"] == card_id)
        found, played, lacks = ways_of(card, whose)
        ways += found
        actions += actions_of(card, whose)
        told[card_id] = (played, lacks)
    spots = list(_markers(layout, pattern))
    made = Mission(
        id=name,
        name=mission["name"],
        sizes=tuple(sizes),
        smallest=dict.fromkeys(sizes, SMALLEST),
        attacker=zones["attacker"],
        defender=zones["defender"],
        scoring=tuple(ways),
        markers=tuple(spot for spot, _ in spots),
        roles=msgspec.convert([role for _, role in spots], tuple[Role, ...]),
        territories=(lands["attacker"], lands["defender"]) if len(lands) == 2 else None,
        most_in_round=mission.get("vp_per_round_cap") or 0,
        most_in_battle=mission.get("vp_per_game_cap") or 0,
        actions=tuple(actions),
        text=_text(called, answer, {card: lacks for card, (_, lacks) in told.items()}),
    )
    return Card(made, tuple(told[called][1]), told[called][0], answer)


class Secondary(NamedTuple):
    """A secondary card as a document: nobody draws it, so that it is not played yet."""

    name: str
    scoring: tuple[Score, ...]
    actions: tuple[Action, ...]
    awards: int
    """How many awards it has, of which so many are told..."""
    told: int
    lacks: tuple[str, ...]
    """...and what is lacking for the rest."""


def dataset_secondaries() -> list[str]:
    """The secondary cards by their names."""
    return [one["id"] for one in data().raw["mission_cards"] if one["card_type"] == "secondary"]


def read_secondary(name: str) -> Secondary:
    """A secondary card by its name."""
    card = _one("mission_cards", name, dataset_secondaries())
    found, told, lacks = ways_of(card, "everybody")
    return Secondary(
        card["name"], tuple(found), tuple(actions_of(card, "everybody")), len(card["awards"]), told, tuple(lacks)
    )


def _answer(mission: str) -> str:
    """The card of the opponent: that of the same pair of dispositions the other way round."""
    matchups = data().raw["mission_matchups"]
    own = next((one for one in matchups if one["mission_id"] == mission), None)
    if own is None:
        return mission
    pair = own["opponent_disposition"], own["disposition"]
    return str(next(one for one in matchups if (one["disposition"], one["opponent_disposition"]) == pair)["mission_id"])


def _text(card: str, answer: str, lacks: dict[str, list[str]]) -> str:
    names = {one["id"]: one["name"] for one in data().raw["missions"]}
    both = "Both players score by this card."
    if answer != card:
        both = f"The {SIDES[0]} scores by {names[card]}, the {SIDES[1]} by {names[answer]}."
    missing = [f"{names[name]} lacks: {'; '.join(told)}." for name, told in lacks.items() if told]
    return " ".join((both, *missing))


def _one(part: str, name: str, known: list[str]) -> Json:
    found = next((one for one in data().raw[part] if one["id"] == name), None)
    if found is None:
        raise UserError(f"There is no '{name}'; there are {', '.join(known)}.")
    return found


def _ground(mission: str, where: str) -> tuple[Json | None, Json]:
    """The layout, if there is one, and the deployment pattern that a mission is fought on."""
    raw = data().raw
    layout = next((one for one in raw["terrain_layouts"] if one["id"] == where), None)
    if not where:
        layout = next(iter(_fitting(mission)), None)
    pattern = layout["deployment_pattern_id"] if layout else where or dataset_patterns()[0]
    return layout, _one("deployment_patterns", pattern, dataset_patterns())


AT_ODDS: Final = "-vs-"


def _fitting(mission: str) -> list[Json]:
    """The layouts that are meant for a mission; pairs of dispositions are there in one order only."""
    matchups = {one["id"] for one in data().raw["mission_matchups"] if one["mission_id"] == mission}
    turned = {AT_ODDS.join(reversed(id_.split(AT_ODDS))) for id_ in matchups}
    return [one for one in data().raw["terrain_layouts"] if one.get("mission_matchup_id") in matchups | turned]


def _zone(zone: Json) -> Any:
    shape, at = zone["shape"], zone.get("position") or {"x": 0, "y": 0}
    if shape["type"] == "rectangle":
        wide, deep = shape["width"], shape["height"]
        points = [{"x": x, "y": y} for x, y in ((0, 0), (wide, 0), (wide, deep), (0, deep))]
    else:
        points = shape["points"]
    return outline_of([{"x": p["x"] + at["x"], "y": p["y"] + at["y"]} for p in points])


def _markers(layout: Json | None, pattern: Json) -> Iterator[tuple[tuple[float, float], str]]:
    """Where objectives lie, and what they are: as the layout says, two areas that are one objective in their middle."""
    if layout is None:
        for spot in pattern["objectives"]:
            at = float(spot["x"]), BOARD[1] - float(spot["y"])
            yield at, _role(at, pattern)
        return
    groups: dict[str, list[Json]] = {}
    roles: dict[str, str] = {}
    for piece in layout["pieces"]:
        if piece.get("is_objective"):
            spot = (piece.get("objective") or {}).get("position") or piece["position"]
            group = piece.get("link_group") or piece["id"]
            groups.setdefault(group, []).append(spot)
            roles[group] = ROLES[piece["objective_role"]]
    for group, spots in groups.items():
        x, y = (sum(spot[axis] for spot in spots) / len(spots) for axis in ("x", "y"))
        if len(spots) > 1:
            # The middle lies on the seam of two areas: a hair's breadth from it is surely in one of them.
            far = math.sqrt((spots[0]["x"] - x) ** 2 + (spots[0]["y"] - y) ** 2)
            x, y = (at + OFF_SEAM * (spots[0][axis] - at) / far for at, axis in ((x, "x"), (y, "y")))
        yield (round(x, 3), round(BOARD[1] - y, 3)), roles[group]


def _role(spot: tuple[float, float], pattern: Json) -> str:
    """What an objective is by where it lies."""
    x, y = spot
    if (x - BOARD[0] / 2) ** 2 + (y - BOARD[1] / 2) ** 2 <= NEAR**2:
        return "central"
    return "home" if any(_is_in(_zone(zone), x, y) for zone in pattern["zones"]) else "expansion"


def _is_in(outline: Any, x: float, y: float) -> bool:
    inside = False
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay):
            inside = not inside
    return inside
