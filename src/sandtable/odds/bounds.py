"""What the solver refuses, as a sentence for whoever asked."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from sandtable.attack.bounds import Unsolvable
from sandtable.errors import UserError

P = ParamSpec("P")
R = TypeVar("R")


def plainly(function: Callable[P, R]) -> Callable[P, R]:
    """Tell in a sentence what is impossible or too large, instead of an error of the solver."""

    @wraps(function)
    def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except Unsolvable as error:
            raise UserError(f"That cannot be reckoned exactly: {error}.") from None

    return asked


def whole_number(what: str, value: int, least: int, most: int) -> int:
    """A number within bounds."""
    if not least <= value <= most:
        raise UserError(f"{what}: {least} to {most}, not {value}.")
    return value


def share(what: str, value: float) -> float:
    """A chance between 0 and 1, both excluded; from 2 on it is read as a percentage."""
    if 2 <= value < 100:
        return value / 100
    if not 0 < value < 1:
        raise UserError(f"{what}: above 0 and below 1 (80 % is 0.8), not {value}.")
    return value
