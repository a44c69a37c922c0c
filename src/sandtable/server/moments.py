"""A moment of a battle as a scenario file, as the player who asks for it may know it."""

from __future__ import annotations

import re
from typing import Any

import yaml

from sandtable.battle.world import View
from sandtable.errors import UserError


def write(view: View[Any, Any, Any, Any]) -> str:
    """The moment as YAML that `sandtable scenario check` reads."""
    if view.system.moment is None:
        raise UserError(f"{view.system.name} cannot write its moments down yet.")
    return yaml.safe_dump(view.system.moment(view), sort_keys=False, allow_unicode=True, width=120)


def file_name(view: View[Any, Any, Any, Any]) -> str:
    """A plain name for the file."""
    phase = re.sub(r"[^a-z]+", "-", str(getattr(view.state.game, "phase", "") or "set-up").casefold()).strip("-")
    return f"round-{view.state.round}-{phase}.yaml"
