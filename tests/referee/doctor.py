"""Doctoring records of battles: dice, moves and points are changed after the fact, to show them to a judgement."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Record = dict[str, Any]


def with_item(record: Record, place: int, *items: dict[str, Any]) -> Record:
    """The record with one item replaced, or left out."""
    return {**record, "items": [*record["items"][:place], *items, *record["items"][place + 1 :]]}


def rolls(record: Record, reason: str) -> Iterator[tuple[int, dict[str, Any]]]:
    return ((i, x) for i, x in enumerate(record["items"]) if x["event"] == "rolled" and x["reason"] == reason)


def other_faces(reason: str, was: int, face: int) -> Callable[[Record], Iterator[Record]]:
    """Dice that show another face than was acted on."""

    def doctor(record: Record) -> Iterator[Record]:
        for i, x in rolls(record, reason):
            if was in x["faces"] and not x.get("again"):
                yield with_item(record, i, {**x, "faces": [face if f == was else f for f in x["faces"]]})

    return doctor


def longer_moves(record: Record) -> Iterator[Record]:
    """Models that go a good deal further than they say."""
    items = record["items"]
    for i, x in enumerate(items):
        if (
            x["event"] == "answered"
            and x["kind"] == "move"
            and x["answer"]["mode"] == "normal"
            and x["answer"]["paths"]
        ):
            path = x["answer"]["paths"][0]
            last = path["legs"][-1]
            there = {**last, "x": last["x"] + 12 * 1024}
            paths = [{**path, "legs": [*path["legs"], there, last]}, *x["answer"]["paths"][1:]]
            yield with_item(record, i, {**x, "answer": {**x["answer"], "paths": paths}})


def all_dice(reason: str) -> Callable[[Record], Iterator[Record]]:
    """Dice that all show a 1, or all a 6: one of the two is not what was acted on."""

    def doctor(record: Record) -> Iterator[Record]:
        for i, x in rolls(record, reason):
            for face in (1, 6):
                yield with_item(record, i, {**x, "faces": [face] * len(x["faces"])})

    return doctor


def forgotten(event: str, **fields: Any) -> Callable[[Record], Iterator[Record]]:
    """Something that is left out of the story."""

    def doctor(record: Record) -> Iterator[Record]:
        for i, x in enumerate(record["items"]):
            if x["event"] == event and all(x.get(name) == value for name, value in fields.items()):
                yield with_item(record, i)

    return doctor


def more_points(field: str) -> Callable[[Record], Iterator[Record]]:
    """Points that nobody has earned."""

    def doctor(record: Record) -> Iterator[Record]:
        for i, x in enumerate(record["items"]):
            if x["event"] == "changed" and x["what"] == "player" and x["fields"].get(field):
                yield with_item(record, i, {**x, "fields": {**x["fields"], field: x["fields"][field] + 1}})

    return doctor


def other_control(record: Record) -> Iterator[Record]:
    """Markers that the wrong player controls."""
    for i, x in enumerate(record["items"]):
        if x["event"] == "changed" and x["what"] == "game" and "control" in x["fields"]:
            yield with_item(record, i, {**x, "fields": {"control": [-1 - c for c in x["fields"]["control"]]}})


def told(kind: str, change: Callable[[Record, Record], Record | None]) -> Callable[[Record], Iterator[Record]]:
    """What is told of a kind, changed; None leaves it as it is."""

    def doctor(record: Record) -> Iterator[Record]:
        for i, x in enumerate(record["items"]):
            if x["event"] == "told" and x["kind"] == kind and (other := change(record, x)) is not None:
                yield with_item(record, i, {**x, **other})

    return doctor


def far_from(record: Record, x: Record) -> Record:
    """A charge at the last unit of the enemy, instead of at somebody at hand."""
    units = record["start"]["units"]
    mine = units[x["units"][0]]["player"]
    return {
        "units": [x["units"][0], *[u["id"] for u in units if u["player"] != mine and u["id"] not in x["units"]][:8]]
    }


def nobody(record: Record, x: Record) -> Record:
    """A charge by which nobody of those who are struck was meant."""
    return {"units": [x["units"][0]]}


def shots_at_friends(record: Record) -> Iterator[Record]:
    """Weapons that are fired at a unit of the own army."""
    units = record["start"]["units"]
    for i, x in enumerate(record["items"]):
        if x["event"] == "answered" and x["kind"] == "shoot" and x["answer"]:
            friend = next(u["id"] for u in units if u["player"] == x["player"])
            yield with_item(record, i, {**x, "answer": [{**a, "target": friend} for a in x["answer"]]})


def leaps(record: Record) -> Iterator[Record]:
    """Whole units are put elsewhere than they went, one model far away from the others."""
    for i, x in enumerate(record["items"]):
        if x["event"] == "answered" and x["kind"] == "move" and len(x["answer"]["paths"]) > 2:
            path = x["answer"]["paths"][0]
            last = {**path["legs"][-1], "x": path["legs"][-1]["x"] + 9000}
            paths = [{**path, "legs": [*path["legs"], last]}, *x["answer"]["paths"][1:]]
            yield with_item(record, i, {**x, "answer": {**x["answer"], "paths": paths}})


def deployed_elsewhere(record: Record) -> Iterator[Record]:
    """Models that are set up in the middle of the battlefield."""
    items, table = record["items"], record["setup"]["table"]
    for i, x in enumerate(items):
        asked = [y for y in items[:i] if y["event"] == "answered"][-1:]
        if x["event"] == "moved" and asked and asked[0]["kind"] == "deploy":
            middle = [[table["width"] // 2, table["depth"] // 2 + 1500 * k, 0] for k in range(len(x["models"]))]
            yield with_item(record, i, {**x, "pos": middle})


def lesser_figures(what: str) -> Callable[[Record], Iterator[Record]]:
    """Attacks of which less, or more, is told than the dice say."""

    def change(record: Record, x: Record) -> Record | None:
        return {"data": {**x["data"], what: x["data"][what] + 1}} if x["data"]["hits"] else None

    return told("attack", change)
