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
