"""What a question deals out over targets, guns or blows, as advice on it looks at them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from sandtable.battle import Assign, Assignment


class Arms(NamedTuple):
    """How advice learns what a unit attacks with."""

    at: Callable[[Any, Assign, int], Mapping[int, Mapping[str, Sequence[Any]]]]
    """(world, question, target): for each row that can be put on a target, and each mode to weigh, its attacks.

    Those of one thing of a row stand for all of them."""
    together: Callable[[Any, Assign, Sequence[Assignment]], tuple[Assignment, ...]]
    """(world, question, wanted): as much of that as can be done together, what is named first rather."""
    plain: Callable[[Any, Assign], tuple[Assignment, ...]]
    """(world, question): what is done without advice."""
