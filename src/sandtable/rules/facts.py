"""Facts: the values that a book states, each tied to the ledger rows that state it.

    class BOOK(Facts):
        engagement = fact(Zone(steps(1), steps(5)), "w40k10.concept.engagement_range", neutral=Zone(-1, -1))

A fact is read as `BOOK.engagement`, where it is needed and when it is needed. Whoever copies it when a module is
imported, or into a default argument, would not notice that a proof takes it away; `rules.scan` reports that.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar, cast

T = TypeVar("T")


class Fact(NamedTuple):
    """A value in the running process, and the one that stands for it when its rule is gone."""

    owner: type
    name: str
    neutral: object

    def become(self, value: object) -> None:
        """Let the book state something else."""
        setattr(self.owner, self.name, value)


STATED: dict[str, list[Fact]] = {}
"""Every fact by rule id, so that a proof can take it away."""


class _Statement(NamedTuple):
    """What `fact` gives to a class of facts, which keeps the value alone."""

    value: object
    ids: tuple[str, ...]
    neutral: object

    def __set_name__(self, owner: type, name: str) -> None:
        raise TypeError(f"{owner.__name__}.{name} is a fact, so {owner.__name__} must be a class of Facts")


class _Page(dict[str, object]):
    """The body of a class of facts while it is read: a fact may build on those above it."""

    def __init__(self) -> None:
        self.stated: dict[str, _Statement] = {}

    def __setitem__(self, name: str, value: object) -> None:
        if isinstance(value, _Statement):
            self.stated[name], value = value, value.value
        super().__setitem__(name, value)


class _Binding(type):
    """Makes classes of facts, and enters what they state."""

    @classmethod
    def __prepare__(cls, name: str, bases: tuple[type, ...], /, **named: Any) -> _Page:
        return _Page()

    def __new__(cls, name: str, bases: tuple[type, ...], page: _Page) -> _Binding:
        made = super().__new__(cls, name, bases, dict(page))
        for at, statement in page.stated.items():
            for rule_id in statement.ids:
                STATED.setdefault(rule_id, []).append(Fact(made, at, statement.neutral))
        return made

    def __call__(cls) -> None:
        raise TypeError(f"{cls.__name__} is read as it is: {cls.__name__}.name")


class Facts(metaclass=_Binding):
    """A book's facts; a class of them is read, and never made into an object."""


def fact(value: T, *ids: str, neutral: T) -> T:
    """State a value under its ledger rows; `neutral` is what the game would go by if the rule did not exist.

    Write the ids out as strings: `sandtable rules coverage` reads the source and does not run it.
    """
    if not ids or not all(isinstance(rule_id, str) for rule_id in ids):
        raise TypeError('fact(value, ...) takes the ids of ledger rows, for example "w40k10.concept.engagement_range"')
    return cast(T, _Statement(value, ids, neutral))
