"""Flows within flows: what sets off what sets off something else, however long the chain."""

from __future__ import annotations

from collections.abc import Coroutine, Generator
from typing import Any, Final, Generic, TypeVar

A = TypeVar("A")


class Apart(Generic[A]):
    """A flow that another one waits for, run beside it: chains of these do not grow the stack of calls."""

    __slots__ = ("flow",)

    def __init__(self, flow: Coroutine[Any, Any, A]) -> None:
        self.flow: Final = flow

    def __await__(self) -> Generator[Any, Any, A]:
        result: A = yield self
        return result


class Flow:
    """The flow of a step, with those that it waits for; runs as one coroutine does."""

    __slots__ = ("_waiting",)

    def __init__(self, flow: Coroutine[Any, Any, Any]) -> None:
        self._waiting = [flow]
        """Each waits for the next, and the last one runs."""

    def send(self, answer: Any) -> Any:
        """Go on until something is asked, which is returned; `StopIteration` and errors are those of the first flow."""
        error: BaseException | None = None
        while True:
            running = self._waiting[-1]
            try:
                asked = running.send(answer) if error is None else running.throw(error)
            except StopIteration as stop:
                if len(self._waiting) == 1:
                    raise
                answer, error = stop.value, None
            except BaseException as raised:
                if len(self._waiting) == 1:
                    raise
                error = raised
            else:
                if not isinstance(asked, Apart):
                    return asked
                self._waiting.append(asked.flow)
                answer, error = None, None
                continue
            del self._waiting[-1]

    def close(self) -> None:
        """End all of it, the last first."""
        while self._waiting:
            self._waiting.pop().close()
