"""Every moment at which players may react has words that a player understands."""

from __future__ import annotations

import pytest

from sandtable.forty import moments
from sandtable.forty.happening import TOLD

WITHOUT_A_WINDOW = {moments.PRE_BATTLE}
NAMES = sorted(value for name, value in vars(moments).items() if name.isupper() and isinstance(value, str))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in WITHOUT_A_WINDOW])
def test_a_moment_is_told_in_words(name: str) -> None:
    assert name in TOLD
