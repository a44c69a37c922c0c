"""What rules do: ask, roll, tell, and open windows for whoever may react."""

from __future__ import annotations

from collections.abc import Coroutine, Generator, Iterable, Sequence
from typing import Any, Final, TypeAlias, TypeVar

import msgspec

from sandtable.battle.changing import Changing
from sandtable.battle.decisions import Choose, Decision, Option, Value
from sandtable.battle.dice import Dice
from sandtable.battle.events import Ended, Rolled, Told
from sandtable.battle.flows import Apart
from sandtable.battle.rolls import SHOWN, AnyReading
from sandtable.battle.setup import D, Setup
from sandtable.battle.state import GONE, G, P, Result, State, U
from sandtable.battle.system import Moment, System
from sandtable.battle.windows import any_guard, open_window
from sandtable.battle.world import Ground

A = TypeVar("A")

NO_MOMENT: Final = Moment()
NOBODY: Final = -1
"""In the list of those who act: what is going on ends with nobody."""


class Gone(Exception):
    """The acting unit cannot go on."""

    def __init__(self, unit: int) -> None:
        super().__init__(unit)
        self.unit = unit


class Over(Exception):
    """The battle ended in the middle of a flow."""


class Asking:
    """What a flow hands to the machine when it asks."""

    __slots__ = ("decisions",)

    def __init__(self, decisions: tuple[Decision[Any], ...]) -> None:
        self.decisions = decisions

    def __await__(self) -> Generator[tuple[Decision[Any], ...], tuple[Any, ...], tuple[Any, ...]]:
        return (yield self.decisions)


class Acting(Changing[U, P, G, D]):
    """A battle as the flows of rules have it in hand."""

    __slots__ = ("_acting", "_rolls", "_takebacks", "dice")

    def __init__(
        self, system: System, setup: Setup[D], state: State[U, P, G], dice: Dice, ground: Ground | None
    ) -> None:
        super().__init__(system, setup, state, ground)
        self.dice = dice
        self._rolls: dict[tuple[int, int], tuple[tuple[int, ...], int]] = {}
        self._acting: list[int] = []
        self._takebacks = 0

    async def ask(self, decision: Decision[A]) -> A:
        """Put a question to a player."""
        answer: A = (await Asking((decision,)))[0]
        return answer

    async def ask_all(self, decisions: Sequence[Decision[A]]) -> tuple[A, ...]:
        """Put questions to several players at once; answers stay hidden until all are in."""
        if not decisions:
            return ()
        return await Asking(tuple(sorted(decisions, key=lambda d: d.player)))

    async def choose(
        self,
        player: int,
        kind: str,
        prompt: str,
        options: Iterable[Option],
        *,
        optional: bool = False,
        rules: tuple[str, ...] = (),
        unit: int = -1,
        about: dict[str, Any] | None = None,
    ) -> Value | None:
        """Let a player pick; where there is only one thing to pick, nobody is asked."""
        offered = tuple(options)
        if not offered:
            return None
        if len(offered) == 1 and not optional:
            return offered[0].value
        return await self.ask(
            Choose(
                player=player,
                kind=kind,
                prompt=prompt,
                options=offered,
                optional=optional,
                rules=rules,
                unit=unit,
                about=about or {},
            )
        )

    async def choose_unit(
        self,
        player: int,
        kind: str,
        prompt: str,
        units: Iterable[U],
        *,
        optional: bool = False,
        rules: tuple[str, ...] = (),
        unit: int = -1,
        about: dict[str, Any] | None = None,
    ) -> U | None:
        """Let a player pick a unit."""
        options = [Option(u.id, u.name) for u in units]
        value = await self.choose(player, kind, prompt, options, optional=optional, rules=rules, unit=unit, about=about)
        return None if value is None else self.state.units[int(value)]

    async def window(self, trigger: str, moment: Moment = NO_MOMENT, *, unbroken: bool = False) -> bool:
        """Name a trigger, so that whatever is due or may be done at it happens now; whether anything did.

        Whoever acts may fall by it, and its activation ends then; where something has to be done to its end first,
        the window is `unbroken`, and `go_on` follows when that is done. Such a window runs apart, since what happens
        in it may open another one.
        """
        reactions = self.system.by_trigger.get(trigger)
        # Most windows open for nobody: the guards are asked before anything is built.
        if reactions is None or not any_guard(self, reactions, moment):
            return False
        opened = open_window(self, trigger, reactions, moment)
        if unbroken:
            self._acting.append(NOBODY)
            try:
                return await Apart(opened)
            finally:
                self._acting.pop()
        happened = await opened
        if happened:
            self.go_on()
        return happened

    async def act(self, unit: U, flow: Coroutine[Any, Any, A]) -> A | None:
        """Run a unit's activation; it ends by itself, with None, when the unit can no longer go on."""
        self._acting.append(unit.id)
        depth = len(self._acting)
        result: A | None = None
        try:
            result = await flow
        except Gone as gone:
            if gone.unit != unit.id:
                raise
        finally:
            del self._acting[depth - 1 :]
        self.go_on()
        return result

    def go_on(self) -> None:
        """End the innermost activation if its unit can no longer go on; those around it end when it has."""
        if self._acting and self._acting[-1] != NOBODY and not self.system.can_go_on(self, self._acting[-1]):
            raise Gone(self._acting[-1])

    def roll(
        self,
        count: int,
        reason: str,
        player: int = -1,
        *,
        sides: int = 6,
        rules: tuple[str, ...] = (),
        read: AnyReading = SHOWN,
    ) -> tuple[int, ...]:
        """Roll dice; `read` says what they had to show and what came of it."""
        if count <= 0:
            return ()
        faces = self._throw(count, sides, reason)
        self.events.append(Rolled(player, reason, faces, sides, rules, read))
        return faces

    def roll_one(self, reason: str, player: int = -1, *, rules: tuple[str, ...] = (), read: AnyReading = SHOWN) -> int:
        """Roll one D6."""
        return self.roll(1, reason, player, rules=rules, read=read)[0]

    def roll_again(
        self,
        faces: tuple[int, ...],
        places: Sequence[int],
        reason: str,
        player: int = -1,
        *,
        rules: tuple[str, ...] = (),
        read: AnyReading = SHOWN,
        by: str = "",
    ) -> tuple[int, ...]:
        """Roll some of these dice again; returns all that stand then. `by` is what allowed it."""
        if not places:
            return faces
        fresh = self._throw(len(places), 6, reason)
        found = list(faces)
        for place, face in zip(places, fresh, strict=True):
            found[place] = face
        again, standing = tuple(faces[i] for i in places), tuple(found)
        self.events.append(Rolled(player, reason, fresh, 6, rules, read, again, standing, by))
        return standing

    def _throw(self, count: int, sides: int, reason: str) -> tuple[int, ...]:
        self._spend(dice=count)
        state = self.state
        rolled = self.dice.roll(state.answers, state.rolled, count, sides, reason)
        self._rolls[(state.answers, state.rolled)] = rolled
        faces, state.rolled = rolled
        return faces

    def tell(self, kind: str, text: str, *rules: str, units: Iterable[int] = (), **data: Any) -> None:
        """Tell what happened."""
        self._spend(told=1)
        self.events.append(Told(kind, text, rules, tuple(units), data))

    def finish(self, result: Result) -> None:
        """End the battle, once the running flow has said all it has to say."""
        result = msgspec.structs.replace(result, rulings=self.state.rulings, takebacks=self._takebacks)
        self.state.result = result
        self.events.append(Ended(result))

    def end(self, result: Result) -> None:
        """End the battle at once, from however deep inside a flow."""
        self.finish(result)
        raise Over

    def gone(self, unit: U) -> bool:
        """Whether every model of a unit is out of play."""
        place = self.state.models.place
        return all(place[m] == GONE for m in unit.models)


AnyActing: TypeAlias = Acting[Any, Any, Any, Any]
