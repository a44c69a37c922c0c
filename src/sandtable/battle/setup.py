"""What a battle is set up with; nothing here changes while it is played."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

from sandtable.table.layout import Table
from sandtable.table.shapes import Shape

D = TypeVar("D", bound=msgspec.Struct)


class Setup(msgspec.Struct, Generic[D], frozen=True):
    """The table, the bases, and what the system brings: datasheets, mission, army lists."""

    system: str
    table: Table
    shapes: tuple[Shape, ...]
    shape_of: tuple[int, ...]
    """For each model its row of `shapes`."""
    data: D
    """The system's own, immutable."""
    options: dict[str, str] = {}
    """Named readings of the rules that this battle uses, all of them spelled out."""
    armies: tuple[str, ...] = ()
    """What each player's army is called; empty where no army lists were brought."""
    scene: str = ""
    """What is played, and on which table, such as "Only War on crossroads"; empty where nobody chose."""
    file: str = ""
    """The title of the scenario file that it goes on from; empty without one."""
    question: str = ""
    """What the author of that file wants to know."""
