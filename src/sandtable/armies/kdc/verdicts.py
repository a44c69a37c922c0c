"""What becomes of an ability of the dataset: reviewed, compiled but not reviewed, or left to the players."""

from __future__ import annotations

from typing import Literal, NamedTuple

from sandtable.armies.effects import AnyEffect


class Verdict(NamedTuple):
    """An ability as a rule of our format."""

    text: str
    """In our own words: what it does, or why it is left to the players."""
    effects: tuple[AnyEffect, ...] = ()
    """Reviewed: held against the printed rule."""
    unreviewed: tuple[AnyEffect, ...] = ()
    left_out: str | None = None
    choose: int = 0
    until: Literal["phase", "turn", "attacks"] = "phase"
    item: bool | Literal["unit"] = False
    """Whether it belongs to wargear of its name that the dataset does not tell of, and that a model may take: for that
    model, or for its whole unit."""
    due: tuple[str, ...] = ()
    """When players are reminded of what is left to them."""

    @property
    def enforced(self) -> bool:
        return bool(self.effects)


def left(reason: str) -> Verdict:
    """Left to the players, with the reason."""
    return Verdict(f"Left to the players: {reason}.")
