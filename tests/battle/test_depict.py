"""Pictures of battles: whose models have which colour."""

from __future__ import annotations

import pytest

from sandtable.battle.depict import COLOURS
from sandtable.table.picture_style import side_style


@pytest.mark.parametrize(("name", "part"), [("red", 0), ("green", 1), ("blue", 2)])
def test_a_player_who_is_called_by_a_colour_is_drawn_in_it(name: str, part: int) -> None:
    fill = side_style(COLOURS[name]).colour
    parts = [int(fill[i : i + 2], 16) for i in (1, 3, 5)]
    assert parts[part] == max(parts)
