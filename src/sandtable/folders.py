"""Folders of a user, where the standard for desktops (XDG) puts them."""

from __future__ import annotations

import os
from pathlib import Path


def user_folder(variable: str, *usual: str) -> Path | None:
    """Our folder below the one that a variable names, or below the usual one at home; `None` without a home.

    The standard says that a path that is not whole is to be ignored; so is a home that is none.
    """
    named = os.environ.get(variable, "")
    if os.path.isabs(named):
        return Path(named) / "sandtable"
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if not home.is_absolute() or os.environ.get("HOME") == "":
        return None
    return home.joinpath(*usual, "sandtable")
