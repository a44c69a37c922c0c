"""Flows within flows."""

from __future__ import annotations

import sys

import pytest

from sandtable.battle.acting import Asking
from sandtable.battle.flows import Apart, Flow


async def ask(what: str) -> str:
    (answer,) = await Asking((what,))  # type: ignore[arg-type]
    return str(answer)


async def chain(links: int) -> str:
    """A chain of flows; the last one asks."""
    return await ask("how?") if not links else f"{await Apart(chain(links - 1))}."


def test_a_chain_may_be_longer_than_the_stack_of_calls() -> None:
    links = sys.getrecursionlimit() * 3
    flow = Flow(chain(links))
    assert flow.send(None) == ("how?",)
    with pytest.raises(StopIteration) as stop:
        flow.send(("so",))
    assert stop.value.value == "so" + "." * links


class Stop(Exception):
    pass


async def breaks(told: list[str], links: int) -> None:
    try:
        if not links:
            await ask("go on?")
            raise Stop
        await Apart(breaks(told, links - 1))
    except Stop:
        if links != 2:
            raise
        told.append("caught")
    finally:
        told.append(f"end {links}")


def test_an_error_goes_up_to_whoever_catches_it() -> None:
    told: list[str] = []
    flow = Flow(breaks(told, 3))
    flow.send(None)
    with pytest.raises(StopIteration):
        flow.send(("yes",))
    assert told == ["end 0", "end 1", "caught", "end 2", "end 3"]


def test_an_error_that_nobody_catches_comes_out() -> None:
    flow = Flow(breaks([], 1))
    flow.send(None)
    with pytest.raises(Stop):
        flow.send(("yes",))


def test_all_of_a_chain_ends_when_it_is_closed() -> None:
    told: list[str] = []
    flow = Flow(breaks(told, 2))
    flow.send(None)
    flow.close()
    assert told == ["end 0", "end 1", "end 2"]
