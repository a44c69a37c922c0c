"""A target while it is attacked: who takes the next attack, what they lose, and what it all came to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from sandtable.attack.volley import NEVER, NO_SAVE, Body, Cites, DiceSum, Target, Volley, Why, WoundKind
from sandtable.battle.answers import number_in_unit
from sandtable.battle.decisions import Option, Value
from sandtable.battle.state import GONE
from sandtable.kit.attack.rolling import Anew, Hooks, Roller
from sandtable.kit.grammar import counted

if TYPE_CHECKING:
    from sandtable.battle.system import AnyBattle

ALLOCATE: Final = "allocate"
"""The question which model takes an attack."""


def needed(body: Body, wound: WoundKind) -> int:
    """The face that saves a body from a wound."""
    return NEVER if wound.save == NO_SAVE else body.saves[wound.save]


def why_saved(body: Body, wound: WoundKind) -> Why:
    """What that face is made of, where the edition says so."""
    return body.save_why[wound.save] if wound.save != NO_SAVE and body.save_why else ()


class Defenders:
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

    def renew(self, target: Target) -> None:
        """Go on with the target as it is now; who was given an attack before is remembered."""
        self.target = target
        self._models = np.array([x.model for x in target.bodies], dtype=np.int64)
        self._held, self._kinds = None, {}

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
            ALLOCATE,
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
            Option(x.model, name, f"{self.wounds(x)} of {x.full} wounds" if x.full > 1 else "")
            for x, name in zip(bodies, names, strict=True)
        ]

    def sure(self, most_damage: int, anew: Anew = "") -> int:
        """How many of the next attacks can have their saves rolled together without changing anything.

        It is so many as surely meet equal bodies, with nobody having a choice: all, where all bodies are alike; the
        number of bodies in front, where only those behind them differ; or what it takes to kill the one that has to
        take them. Where the target is looked at `anew`, it is what cannot kill before its last, or only one.
        """
        alive = self.alive()
        front = self.front(alive)
        if not front or self.asks_always or anew == "wounds":
            return 1
        forced = self.forced(front)
        if anew:
            found = forced or front
            return -(-self.wounds(found[0]) // max(1, most_damage)) if self.alike(found) else 1
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


# --- What it came to --------------------------------------------------------------------------------------------------


class Due(msgspec.Struct, frozen=True):
    """Mortal wounds that a unit is about to suffer."""

    points: int
    spill: bool = True
    """What is left when a model is destroyed goes on to the next one."""
    first: int = -1
    """The model that takes them first, whoever else would have to."""


class Outcome(msgspec.Struct, frozen=True):
    """What an attack came to."""

    attacks: int = 0
    hits: int = 0
    criticals: int = 0
    wounds: int = 0
    unsaved: int = 0
    damage: int = 0
    """Wounds lost."""
    destroyed: tuple[int, ...] = ()
    mortal: tuple[Due, ...] = ()
    """Mortal wounds that wait for the end of the unit's attacks on this target."""


def story(outcome: Outcome) -> str:
    """From hits to losses, in words."""
    if not outcome.hits:
        return "none hit"
    critical = f" ({outcome.criticals} critical)" if outcome.criticals else ""
    parts = [f"{outcome.hits} hit{critical}"]
    if not outcome.wounds:
        return f"{parts[0]}, none wound"
    parts.append(f"{outcome.wounds} wound")
    waiting = sum(d.points for d in outcome.mortal)
    if waiting:
        parts.append(counted(waiting, "mortal wound") + " to come")
    parts.append(f"{outcome.unsaved} unsaved")
    parts.append(losses(outcome))
    return ", ".join(parts)


def losses(outcome: Outcome) -> str:
    """What a target lost, in words."""
    if not outcome.damage:
        return "no wounds lost"
    fallen = f", {len(outcome.destroyed)} destroyed" if outcome.destroyed else ""
    return f"{counted(outcome.damage, 'wound')} lost{fallen}"


def figures(outcome: Outcome) -> dict[str, Any]:
    """The numbers, for an event."""
    return {
        "attacks": outcome.attacks,
        "hits": outcome.hits,
        "criticals": outcome.criticals,
        "wounds": outcome.wounds,
        "unsaved": outcome.unsaved,
        "damage": outcome.damage,
        "destroyed": list(outcome.destroyed),
    }


@dataclass
class Run:
    """One resolution while it runs."""

    b: AnyBattle
    unit: int
    against: int
    hooks: Hooks
    defenders: Defenders
    target: Callable[[], Target] | None = None
    """What the target is at the moment, where that is looked at anew."""
    cites: dict[str, None] = field(default_factory=dict)
    cited: set[Cites] = field(default_factory=set)
    attacks: int = 0
    hits: int = 0
    criticals: int = 0
    wounds: int = 0
    unsaved: int = 0
    damage: int = 0
    destroyed: list[int] = field(default_factory=list)
    mortal: list[Due] = field(default_factory=list)

    def cite(self, cites: Cites) -> None:
        if cites and cites not in self.cited:
            self.cited.add(cites)
            self.cites.update(dict.fromkeys(cites))

    def after_roll(self) -> None:
        """Where the edition or a player may step in after a roll, who takes attacks is looked at anew."""
        if self.hooks.watches or self.defenders.asks_always:
            self.defenders.look_again()

    @cached_property
    def attacker(self) -> Roller:
        return Roller(self.b, self.b.unit(self.unit).player, self.unit, self.hooks)

    @cached_property
    def defender(self) -> Roller:
        return Roller(self.b, self.b.unit(self.against).player, self.against, self.hooks)

    async def aim(self, volley: Volley, prompt: str, offered: Sequence[Body]) -> Body | None:
        """Let the attacker direct attacks at one of these bodies."""
        if not offered:
            return None
        model: Value | None = await self.b.choose(
            self.attacker.player,
            "aim",
            prompt,
            self.defenders.options(offered),
            optional=True,
            rules=volley.aim_cites,
            unit=self.unit,
        )
        if model is None:
            return None
        self.cite(volley.aim_cites)
        return next(x for x in offered if x.model == model)

    def outcome(self) -> Outcome:
        return Outcome(
            self.attacks,
            self.hits,
            self.criticals,
            self.wounds,
            self.unsaved,
            self.damage,
            tuple(self.destroyed),
            tuple(self.mortal),
        )

    def tell(self, name: str) -> Outcome:
        """Tell what a volley came to."""
        outcome = self.outcome()
        text = f"{name}, {counted(outcome.attacks, 'attack')}: {story(outcome)}."
        self.b.tell("attack", text, *self.cites, units=[self.unit, self.against], **figures(outcome))
        return outcome


# --- Damage -----------------------------------------------------------------------------------------------------------


FEEL_NO_PAIN: Final = "feel no pain"


async def points_of(
    run: Run, number: DiceSum, cites: Cites, why: Why = (), by: Cites = (), body: Body | None = None
) -> int:
    """Damage or mortal wounds of one wound; `why` says what it is made of, and `by` what may re-roll it.

    What is more than a `body` has left is lost, unless it may ignore some of it.
    """
    if number.fixed:
        return number.result()
    run.defenders.look_again()
    loses_all = body is not None and body.pain >= NEVER and not body.more_pain
    enough = run.defenders.wounds(body) if body is not None and loses_all else None
    return (await run.attacker.numbers("damage", [number], cites, why, by, enough))[0]


def give(run: Run, body: Body) -> None:
    """Write down that a body was given an attack, where that binds it."""
    if run.defenders.target.keeps:
        run.defenders.take(body)
        run.hooks.allocated(run.b, body.model)


async def inflict(run: Run, body: Body, points: int, pain: int) -> int:
    """Take wounds off a body, at most those it has; the points that are left over."""
    b, cites = run.b, run.defenders.target.pain_cites
    before = wounds = run.defenders.wounds(body)
    while points > 0 and wounds > 0:
        # As many dice as can be needed: the last of them is the first that could destroy the model.
        step = min(points, wounds)
        kept: list[bool] = []
        if pain < NEVER:
            run.cite(run.defenders.target.pain_cites)
            run.after_roll()
            why = body.pain_why
            kept = await run.defender.checks(FEEL_NO_PAIN, [pain] * step, rules=cites, why=why)
        for more in body.more_pain:
            again = iter(await run.defender.checks(FEEL_NO_PAIN, [more] * (step - sum(kept)), rules=cites))
            kept = [good or next(again) for good in (kept or [False] * step)]
        points -= step
        wounds -= step - sum(kept)
    if wounds < before:
        run.damage += before - wounds
        b.set_wounds(body.model, wounds)
    if wounds == 0:
        run.destroyed.append(body.model)
        run.defenders.look_again()
        await run.hooks.destroy(b, body.model)
    if run.target is not None and run.hooks.anew and (wounds == 0 or (run.hooks.anew == "wounds" and wounds < before)):
        run.defenders.renew(run.target())
    return points


# --- Mortal wounds ----------------------------------------------------------------------------------------------------


async def suffer_one(run: Run, due: Due) -> None:
    """Mortal wounds, one after the other, as long as there are points and bodies."""
    points, first = due.points, due.first
    while points > 0:
        body = _first(run, first) or await run.defenders.choose("a mortal wound")
        if body is None:
            return
        give(run, body)
        # Point by point; but where one body has to take all that come, they can be taken at once.
        at_once = points if _takes_all(run, body, due) else 1
        left = await inflict(run, body, at_once, body.pain_against_mortal)
        points += left - at_once
        if not due.spill:
            if run.defenders.wounds(body) <= 0:
                return
            first = body.model


def _first(run: Run, model: int) -> Body | None:
    """The body that is to take mortal wounds before all others, while it stands."""
    if model < 0:
        return None
    run.defenders.look_again()
    return next((x for x in run.defenders.alive() if x.model == model), None)


def _takes_all(run: Run, body: Body, due: Due) -> bool:
    """Whether a body takes every further point for as long as it stands."""
    defenders = run.defenders
    if due.first == body.model or not due.spill:
        return True
    if defenders.holds(body):
        return True
    front = defenders.front(defenders.alive())
    return defenders.target.keeps and defenders.forced(front) == [body]
