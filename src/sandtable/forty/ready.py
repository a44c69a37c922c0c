"""Why a single model may not do something."""

from __future__ import annotations

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.forty.state import World40, called


def refuse_unless(allowed: bool, w: World40, model: int, deed: str, *rules: str) -> Verdict:
    """A refusal with the model's name and what it did, is or has, unless it is allowed."""
    return ALLOWED if allowed else refuse(f"{called(w, model)} {deed}.", *rules)
