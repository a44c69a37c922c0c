"""How the table's kernels are compiled.

A kernel decides rules, so it must give the same bits everywhere: only + - * / and sqrt, no fastmath, no hypot, no atan2
and no matrix product. Each one is plain Python too: with NUMBA_DISABLE_JIT=1 it runs uncompiled and answers the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])

#: Every kernel, so that a test can see that nothing compiles after warm-up.
KERNELS: list[Any] = []


def kernel(function: F) -> F:
    """Compile a function to machine code, kept on disk between runs."""
    compiled = numba.njit(cache=True, fastmath=False, error_model="numpy")(function)
    KERNELS.append(compiled)
    return cast(F, compiled)


def compiled_signatures() -> int:
    """How many kernel versions this process holds; it must not grow after warm-up."""
    return sum(len(getattr(k, "signatures", ())) for k in KERNELS)
