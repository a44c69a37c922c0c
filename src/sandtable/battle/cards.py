"""What a system shows of a unit: its datasheet as a card, for terminals, pages and browsers alike."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec


class Line(msgspec.Struct, frozen=True):
    """A line of a datasheet: a profile or a weapon with its figures."""

    name: str
    count: int
    """How many models of the unit have it now."""
    figures: tuple[tuple[str, str], ...]
    """Each with its heading, such as ("T", "4")."""
    notes: tuple[str, ...] = ()
    far: int = 0
    """How far a model moves, or a weapon carries, in grid steps; 0 where it does not."""


class Member(msgspec.Struct, frozen=True):
    """A model of a unit, as its player tells it from the others."""

    model: int
    name: str
    arms: tuple[str, ...] = ()
    """What it carries and most of the others do not."""


class Card(msgspec.Struct, frozen=True):
    """A unit as it is now."""

    name: str
    models: tuple[Line, ...] = ()
    weapons: tuple[Line, ...] = ()
    abilities: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    status: tuple[str, ...] = ()
    """What has become of it: wounds lost, what it did this turn, what lies on it."""
    members: tuple[Member, ...] = ()
    """Its models that are left; nobody where they are not told apart."""


def lines(card: Card) -> Iterator[str]:
    """A card as text."""
    for found in (*card.models, *card.weapons):
        figures = " ".join(f"{heading} {figure}".strip() for heading, figure in found.figures)
        notes = f" [{', '.join(found.notes)}]" if found.notes else ""
        yield f"{found.count} x {found.name}: {figures}{notes}"
    if card.abilities:
        yield f"Abilities: {', '.join(card.abilities)}"
    if card.keywords:
        yield f"Keywords: {', '.join(card.keywords)}"
    if card.status:
        yield f"Now: {', '.join(card.status)}"
