"""Missions of the 40kdc dataset as documents of ours: zones of a deployment pattern, markers, and what scores.

What a card needs and we lack is named: nothing stands in for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import cycle
from typing import Any, Final, NamedTuple

import msgspec

from sandtable.armies.kdc.source import Json, data
from sandtable.errors import UserError
from sandtable.forty.dataset_layouts import BOARD, dataset_layouts, outline_of
from sandtable.kit.missions import Mission, Score

AT: Final = "@"
"""Stands between a mission and the layout or the deployment pattern that it is fought on."""
WHEN: Final = {"end-of-turn": "turn", "end-of-battle": "battle", "end-of-phase": "command"}
PER: Final = {
    "controlled-objective": ("hold", "all"),
    "controlled-non-home-objective": ("hold", "not own zone"),
    "controlled-objective-in-enemy-territory": ("", ""),
}
SMALLEST: Final = 60, 44


class Card(NamedTuple):
    """A mission, and what of its card we lack."""

    mission: Mission
    lacks: tuple[str, ...]


def dataset_missions() -> list[str]:
    """The missions by their names."""
    return [one["id"] for one in data().raw["missions"]]


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


def read_card(name: str, sizes: Collection[str]) -> Card:
    """A mission by its name, alone or with the layout or the pattern that it is fought on: "punishment@dawn-of-war"."""
    called, _, where = name.partition(AT)
    mission = _one("missions", called, dataset_missions())
    cards = [card for card in data().raw["mission_cards"] if card["id"] == called]
    layout, pattern = _ground(called, where)
    zones = {zone["player"]: _zone(zone) for zone in pattern["zones"]}
    scores, lacks = _scoring(cards[0] if cards else {"awards": []})
    lacks += [f"at most {mission[key]} VP {told}" for key, told in CAPS.items() if mission.get(key)]
    lacks.append("a card of their own for the opponent")
    made = Mission(
        id=name,
        name=mission["name"],
        sizes=tuple(sizes),
        smallest=dict.fromkeys(sizes, SMALLEST),
        attacker=zones["attacker"],
        defender=zones["defender"],
        scoring=scores,
        markers=tuple(_markers(layout, pattern)),
        text=f"Both players score by this card. It lacks: {'; '.join(lacks)}.",
    )
    return Card(made, tuple(lacks))


CAPS: Final = {"vp_per_round_cap": "in a round", "vp_per_game_cap": "in the battle"}


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


def _markers(layout: Json | None, pattern: Json) -> Iterator[tuple[float, float]]:
    """Where objectives lie: as the layout says, two areas that are one objective in their middle."""
    if layout is None:
        yield from ((float(spot["x"]), BOARD[1] - float(spot["y"])) for spot in pattern["objectives"])
        return
    groups: dict[str, list[Json]] = {}
    for piece in layout["pieces"]:
        if piece.get("is_objective"):
            spot = (piece.get("objective") or {}).get("position") or piece["position"]
            groups.setdefault(piece.get("link_group") or piece["id"], []).append(spot)
    for spots in groups.values():
        x = sum(spot["x"] for spot in spots) / len(spots)
        yield round(x, 3), round(BOARD[1] - sum(spot["y"] for spot in spots) / len(spots), 3)


# --- Cards ------------------------------------------------------------------------------------------------------------


def _scoring(card: Json) -> tuple[tuple[Score, ...], list[str]]:
    """What of a card scores in our words, and what we lack for the rest."""
    scores: list[Score] = []
    lacks: list[str] = []
    for number, award in enumerate(card["awards"], 1):
        raw = _award(award)
        if isinstance(raw, str):
            lacks.append(raw)
        else:
            scores.append(msgspec.convert({"name": f"{card['name']} {number}", **raw}, Score))
    return tuple(scores), list(dict.fromkeys(lacks))


def _award(award: Json) -> Json | str:
    """An award as a way of scoring, or what is lacking for it."""
    trigger, when = award.get("trigger") or {}, award.get("when")
    moment = WHEN.get(str(trigger.get("timing")))
    if moment is None or trigger.get("player_turn") not in ("your-turn", None):
        return "awards at other moments"
    if award.get("exclusive_group"):
        return "awards of which only one is scored"
    rounds = trigger.get("battle_round") or {}
    common: Json = {"when": moment, "from_round": rounds.get("min", 1), "to_round": rounds.get("max", 99)}
    if "per" in award:
        if when:
            return "counts that depend on something else"
        kind, where = PER.get(award["per"], ("", ""))
        if not kind:
            return f"the count '{str(award['per']).replace('-', ' ')}'"
        return {**common, "kind": kind, "where": where, "vp": award["vp_per"]}
    if not isinstance(when, dict) or "parameters" not in when:
        return "awards without a condition that a machine can read"
    found = _condition(when["type"], when["parameters"])
    return found if isinstance(found, str) else {**common, **found, "vp": award["vp"], "most": award["vp"]}


def _condition(kind: str, told: Json) -> Json | str:
    if kind == "objective-majority" and told == {"relative_to": "opponent"}:
        return {"kind": "hold more"}
    if kind == "controls-objective" and not set(told) - {"count_min", "exclude", "objective"}:
        where = {"opponent-home": "enemy zone", "your-home": "own zone"}.get(str(told.get("objective")), "all")
        return {
            "kind": "hold some",
            "count": told.get("count_min", 1),
            "where": "not own zone" if told.get("exclude") == "home" else where,
        }
    if kind == "controls-objective":
        return "objectives with a part of their own (central, expansion)"
    return f"the condition '{kind.replace('-', ' ')}'"
