"""Verdicts: whether something is allowed, and if not, why not, by which rule, and what would be."""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

Fact: TypeAlias = int | float | str | bool


class Reason(msgspec.Struct, frozen=True):
    """One thing that speaks against an answer, as a sentence with the rules behind it and the facts it rests on.

    Facts called `distance`, `far`, `range`, `gap`, `limit`, `overlap` or `height` are lengths in the unit of the table;
    `model`, `unit`, `target`, `player`, `marker` and `feature` (a piece of terrain) are numbers of those, which clients
    show by name. A `unit`, a `marker` or a `feature` is what models come too near, or not near enough: the own unit,
    where they do not stand together. `edge` says that it is the edge of the table.
    """

    text: str
    rules: tuple[str, ...] = ()
    facts: dict[str, Fact] = {}
    models: tuple[int, ...] = ()
    """Those that are in the wrong, where it is not the whole answer."""


class Verdict(msgspec.Struct, frozen=True):
    """Truthy when allowed. A refusal has reasons, and where a search found one, a legal answer to give instead."""

    ok: bool
    reasons: tuple[Reason, ...] = ()
    instead: Any = None
    notes: tuple[Reason, ...] = ()
    """What an answer that is allowed brings with it, for who thinks about it: the dice that it asks for, say."""

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        if self.ok:
            return " ".join(("Allowed.", *(note.text for note in self.notes)))
        return " ".join(f"{r.text} [{', '.join(r.rules)}]" if r.rules else r.text for r in self.reasons)


ALLOWED = Verdict(True)


def refuse(text: str, *rules: str, instead: Any = None, **facts: Fact) -> Verdict:
    """A refusal for one reason."""
    return Verdict(False, (Reason(text, rules, facts),), instead)


def first_refusal(*verdicts: Verdict) -> Verdict:
    """The first verdict that refuses, or an allowance."""
    return next((v for v in verdicts if not v.ok), ALLOWED)


def all_reasons(*verdicts: Verdict) -> Verdict:
    """One verdict with the reasons of all."""
    reasons = tuple(r for v in verdicts if not v.ok for r in v.reasons)
    if not reasons:
        return ALLOWED
    return Verdict(False, reasons, next((v.instead for v in verdicts if v.instead is not None), None))
