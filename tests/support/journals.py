"""Journals that were tampered with, each with what must be said about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from sandtable.battle import journal


def tampered(battle: Any, change: Callable[[dict[str, Any]], None]) -> bytes:
    """The journal of a battle with something changed in it."""
    raw = msgspec.json.decode(journal.write(battle))
    change(raw)
    return msgspec.json.encode(raw)


def _answer(raw: dict[str, Any], number: int, **new: Any) -> None:
    entries = [e for e in raw["entries"] if e["type"] == "a"]
    entries[number].update(new)


NO_MODEL = {"type": "set_wounds", "model": 999, "wounds": 1}

BAD_JOURNALS: list[tuple[Callable[[dict[str, Any]], None], str]] = [
    (lambda raw: raw.update(format="sandtable-battle/9"), "has the format 'sandtable-battle/9'"),
    (lambda raw: raw.update(system="chess"), "There is no rules system 'chess'"),
    (lambda raw: raw.update(seed=99), "plays the same only up to step"),
    (lambda raw: raw.update(entries=3), "is not a battle file"),
    (lambda raw: raw.update(start="AAAA"), "does not fit Skirmish"),
    (lambda raw: raw.update(setup={}), "does not fit Skirmish"),
    (lambda raw: raw["setup"].update(shapes=[{"core": [], "radius": 1, "height": 1}]), "does not fit Skirmish"),
    (lambda raw: raw["setup"].update(shape_of=[7]), "plays the same only up to step|does not fit"),
    (lambda raw: raw["entries"][0].update(digest="00"), "only up to step 0 of"),
    (lambda raw: _answer(raw, 3, answer=99), "plays the same only up to step"),
    (lambda raw: _answer(raw, 3, answer={"mode": "x"}), "plays the same only up to step"),
    (lambda raw: _answer(raw, 3, kind="dance"), "where it asked 'dance'"),
    (lambda raw: raw["entries"].append({"type": "a", "player": 0, "kind": "x", "answer": 1}), "the battle is over"),
    (lambda raw: raw["entries"].insert(5, {"type": "u", "count": 999, "epoch": 1}), "can be taken back, not 999"),
    (lambda raw: raw["entries"].insert(0, {"type": "c", "player": 9}), "plays the same only up to step"),
    (lambda raw: raw["entries"].insert(2, {"type": "r", "ruling": NO_MODEL}), "There is no model 999"),
]
