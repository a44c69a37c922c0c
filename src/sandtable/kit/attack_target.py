"""Who of a target takes the next attack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sandtable.attack.volley import NEVER, NO_SAVE, Body, Target, Why, WoundKind
from sandtable.battle.answers import number_in_unit
from sandtable.battle.decisions import Option
from sandtable.battle.state import GONE

if TYPE_CHECKING:
    from sandtable.battle.system import AnyBattle


def needed(body: Body, wound: WoundKind) -> int:
    """The face that saves a body from a wound."""
    return NEVER if wound.save == NO_SAVE else body.saves[wound.save]


def why_saved(body: Body, wound: WoundKind) -> Why:
    """What that face is made of, where the edition says so."""
    return body.save_why[wound.save] if wound.save != NO_SAVE and body.save_why else ()


class Standing:
    """The bodies of a target while it is being attacked. Wounds are read from the state, so that what happens in
    between counts too."""

    __slots__ = ("_held", "_kinds", "_models", "_taken", "asks_always", "b", "target", "unit")

    def __init__(self, b: AnyBattle, target: Target, unit: int) -> None:
        self.b = b
        self.target = target
        self.unit = unit
        self.asks_always = b.setup.options.get("windows") == "all"
        """Whether the players wish to be asked even where it makes no difference."""
        self._taken = {x.model for x in target.bodies if x.marked}
        self._models = np.array([x.model for x in target.bodies], dtype=np.int64)
        self._held: Body | None = None
        self._kinds: dict[int, int] = {}

    def wounds(self, body: Body) -> int:
        return int(self.b.state.models.wounds[body.model])

    def alive(self) -> list[Body]:
        """Bodies that are still there, in casualty order."""
        models = self.b.state.models
        wounds, places = models.wounds[self._models].tolist(), models.place[self._models].tolist()
        return [x for x, w, p in zip(self.target.bodies, wounds, places, strict=True) if w > 0 and p != GONE]

    def somebody(self) -> bool:
        """Whether anybody is left."""
        return self._held is not None or bool(self.alive())

    def front(self, alive: list[Body]) -> list[Body]:
        """Those that are not protected by others."""
        ranks = [x.rank for x in alive]
        if not ranks or max(ranks) == (rank := min(ranks)):
            return alive
        return [x for x in alive if x.rank == rank]

    def forced(self, front: list[Body]) -> list[Body]:
        """Those that have to take the next attack: hurt ones, and ones that were given an attack before."""
        wounds = self.b.state.models.wounds
        return [x for x in front if x.model in self._taken or wounds[x.model] < x.full]

    def hurt(self, bodies: Sequence[Body]) -> list[Body]:
        """Those that have lost wounds."""
        wounds = self.b.state.models.wounds
        return [x for x in bodies if wounds[x.model] < x.full]

    def candidates(self, alive: list[Body]) -> list[Body]:
        """Those that the defender may give the next attack to."""
        front = self.front(alive)
        return self.forced(front) or front

    def look_again(self) -> None:
        """Something may have happened to the bodies: who takes the next attack is to be found out anew."""
        self._held = None

    def holds(self, body: Body) -> bool:
        """Whether it is known that this body alone has to take the next attack."""
        return self._held is body

    def take(self, body: Body) -> None:
        """Remember that a body was given an attack."""
        if self.target.keeps:
            self._taken.add(body.model)

    def alike(self, bodies: Sequence[Body]) -> bool:
        """Whether it makes no difference to anybody which of them takes an attack."""
        if len(bodies) == 1:
            return True
        kinds, wounds = self._kinds or self._find_kinds(), self.b.state.models.wounds
        first, left = kinds[bodies[0].model], wounds[bodies[0].model]
        return all(kinds[x.model] == first and wounds[x.model] == left for x in bodies[1:])

    def _find_kinds(self) -> dict[int, int]:
        """For each model a number for all that it is to its owner, but for its wounds left."""
        known: dict[tuple[Any, ...], int] = {}
        for x in self.target.bodies:
            key = (x.saves, x.save_reroll, x.pain, x.pain_mortal, x.full, x.group, x.value)
            self._kinds[x.model] = known.setdefault(key, len(known))
        return self._kinds

    async def choose(self, what: str) -> Body | None:
        """Let the defender give an attack to a body; asked only where it makes a difference."""
        if self._held is not None:
            return self._held
        front = self.front(self.alive())
        forced = self.forced(front)
        found = forced or front
        if not found:
            return None
        if len(found) == 1 or (not self.asks_always and self.alike(found)):
            # Once it is given this attack, it alone has to take the next.
            if self.target.keeps and len(forced) <= 1:
                self._held = found[0]
            return found[0]
        return await self._ask(found, what)

    async def pick(self, found: Sequence[Body], what: str) -> Body:
        """Let the defender pick one of these bodies; asked only where it makes a difference."""
        if len(found) == 1 or (not self.asks_always and self.alike(found)):
            return found[0]
        return await self._ask(found, what)

    async def _ask(self, found: Sequence[Body], what: str) -> Body:
        model = await self.b.choose(
            self.b.unit(self.unit).player,
            "allocate",
            f"Which model of {self.b.unit(self.unit).name} takes {what}?",
            self.options(found),
            rules=self.target.cites,
            unit=self.unit,
        )
        return next(x for x in found if x.model == model)

    def options(self, bodies: Sequence[Body]) -> list[Option]:
        """Bodies to pick from."""
        names = [f"{x.group or 'model'} {number_in_unit(self.b, x.model)}" for x in bodies]
        return [
            Option(x.model, name, f"{self.wounds(x)} of {x.full} wounds") for x, name in zip(bodies, names, strict=True)
        ]

    def sure(self, most_damage: int) -> int:
        """How many of the next attacks can have their saves rolled together without changing anything.

        It is so many as surely meet equal bodies, with nobody having a choice: all, where all bodies are alike; the
        number of bodies in front, where only those behind them differ; or what it takes to kill the one that has to
        take them.
        """
        alive = self.alive()
        front = self.front(alive)
        if not front or self.asks_always:
            return 1
        forced = self.forced(front)
        if len(forced) <= 1 and self.alike([x for x in front if x not in forced] or front):
            unlike = [x for x in alive if x.saves != front[0].saves or x.save_reroll != front[0].save_reroll]
            if not unlike and self._no_choice_behind(alive, front):
                return 1 << 30
            if all(x.rank != front[0].rank for x in unlike):
                return len(front)
        if len(forced) == 1:
            return -(-self.wounds(forced[0]) // max(1, most_damage))
        return 1

    def _no_choice_behind(self, alive: list[Body], front: list[Body]) -> bool:
        behind = [x for x in alive if x.rank != front[0].rank]
        return not behind or (len(self.forced(behind)) <= 1 and self.alike(behind))
