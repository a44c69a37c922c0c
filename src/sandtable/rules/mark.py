"""The mark that ties a piece of code to the ledger rows it enforces."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

#: Every marked function by rule id, so that a proof can knock it out.
MARKED: dict[str, list[tuple[FunctionType, object]]] = {}


def rule(*ids: str, neutral: object = None) -> Callable[[F], F]:
    """Mark a function as enforcing ledger rows.

    The function itself stays as it is, so the mark costs nothing when the rule runs. `neutral` is what the
    function would answer if the rule did not exist; `sandtable rules prove` puts it in the function's place.
    """

    def mark(function: F) -> F:
        if not isinstance(function, FunctionType) or function.__closure__:
            raise TypeError(f"@rule goes on a module-level function, not on {function!r}")
        for rule_id in ids:
            MARKED.setdefault(rule_id, []).append((function, neutral))
        return function

    return mark
