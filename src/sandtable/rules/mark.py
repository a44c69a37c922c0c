"""The mark that ties a piece of code to the ledger rows it enforces."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

#: Every marked function by rule id, so that a proof can knock it out.
MARKED: dict[str, list[tuple[FunctionType, object]]] = {}


class Argument:
    """A neutral answer that hands one of the function's own arguments back, unchanged.

    It suits rules that change a value: without the rule the value stays as it came.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"Argument({self.name!r})"


def rule(*ids: str, neutral: object = None) -> Callable[[F], F]:
    """Mark a function as enforcing ledger rows.

    The function itself stays as it is, so the mark costs nothing when the rule runs. `neutral` is what the
    function would answer if the rule did not exist; `sandtable rules prove` puts it in the function's place:

    - nothing given: None, except that a function annotated `-> Step` answers `Step.DONE`;
    - a value: that value (`neutral=True` for a predicate that forbids by answering False);
    - `neutral=Argument("strength")`: the argument of that name, as it came in.

    Choose it so that the game goes on without the rule. A neutral answer that merely crashes the caller makes
    every test look like a proof.

    Write the ids out as strings: `sandtable rules coverage` reads the source and does not run it.
    """
    if not ids or not all(isinstance(rule_id, str) for rule_id in ids):
        raise TypeError('@rule takes the ids of ledger rows, for example @rule("w40k10.move.advance")')

    def mark(function: F) -> F:
        if not isinstance(function, FunctionType) or function.__closure__:
            raise TypeError(f"@rule goes on a plain function that captures no variables, not on {function!r}")
        if isinstance(neutral, Argument) and neutral.name not in _arguments(function):
            raise TypeError(f"{function.__qualname__} has no argument {neutral.name!r} to hand back as neutral")
        for rule_id in ids:
            MARKED.setdefault(rule_id, []).append((function, neutral))
        return function

    return mark


def _arguments(function: FunctionType) -> tuple[str, ...]:
    code = function.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
