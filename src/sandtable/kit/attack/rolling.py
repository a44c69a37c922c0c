"""Rolling the dice of an attack in batches, with re-rolls, and how they are read for the event of each roll.

A batch is rolled, then what the attack itself allows to re-roll is re-rolled, then the edition's hook sees the dice and
may change them. Nothing is ever re-rolled twice: the hook is told which dice have been.

Which rolls are made again is asked only where another answer could be better than making all that failed again: where a
new roll gives more on average than a success, as with criticals that do much more, or where a higher sum would do.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import msgspec

from sandtable.attack.volley import FACES, NEVER, Cites, DiceSum, HitFace, HitRoll, Why, WoundFace, WoundRoll
from sandtable.battle.decisions import ChooseSome, Option, Value
from sandtable.battle.rolls import SHOWN, AnyReading, ByFace, Each, Reading, Sum, Total, needing
from sandtable.battle.state import GONE
from sandtable.battle.system import Question
from sandtable.kit.grammar import titled
from sandtable.reasons import Part, called

if TYPE_CHECKING:
    from sandtable.battle.system import AnyBattle

NEXT_TO_NOTHING: Final = 1e-9
"""What averages may differ by that are the same."""
Anew: TypeAlias = Literal["", "losses", "wounds"]
"""Never, after each model that is lost, or after each wound."""


class Roll(msgspec.Struct, frozen=True):
    """A batch of dice on the table, as a re-roll window sees it."""

    kind: str
    """"attacks", "hit", "extra hits", "wound", "save", "damage" or "feel no pain"."""
    player: int
    """Who rolled."""
    unit: int
    """For which unit, attacking or attacked."""
    faces: tuple[int, ...]
    group: tuple[int, ...]
    """For each die the number of the roll it belongs to: the dice of one sum are re-rolled together."""
    spent: tuple[bool, ...]
    """For each roll, whether it has been re-rolled already."""
    score: tuple[float, ...]
    """How good each roll is for the one who made it; 0 is a failure."""
    best: float
    """The best score that a roll could have."""
    stake: float = 1.0
    """About how many wounds depend on one of these rolls."""
    model: int = -1
    """Whose saving throws these are, one of those who are all alike, or the first whom the dice come to."""
    read: AnyReading = SHOWN
    """How the dice are read, for the event of a re-roll."""
    rules: Cites = ()
    """The rules that the roll goes by."""

    def dice_of(self, roll: int) -> tuple[int, ...]:
        """The places of a roll's dice."""
        return tuple(i for i, g in enumerate(self.group) if g == roll)

    def open(self) -> tuple[int, ...]:
        """Rolls that may still be re-rolled, worst first."""
        return tuple(sorted((r for r, spent in enumerate(self.spent) if not spent), key=lambda r: self.score[r]))


def _no_mark(b: AnyBattle, model: int) -> None:
    """An edition in which being given an attack leaves no mark."""


async def _as_rolled(b: AnyBattle, roll: Roll) -> tuple[int, ...]:
    return roll.faces


async def _remove(b: AnyBattle, model: int) -> None:
    b.place_models([model], GONE)


@dataclass(frozen=True)
class Hooks:
    """Where an edition steps into an attack."""

    after_roll: Callable[[Any, Roll], Awaitable[tuple[int, ...]]] = _as_rolled
    """(battle, roll): the faces that stand, after any re-roll by `reroll_one`. Called once for each batch of dice."""
    allocated: Callable[[Any, int], None] = _no_mark
    """(battle, model): a model was given an attack; write the mark that `Body.marked` is read from."""
    destroy: Callable[[Any, int], Awaitable[None]] = _remove
    """(battle, model): a model has no wounds left; take it out of play and do all that this sets off."""
    anew: Anew = ""
    """When the target is looked at anew, since it may be saved better or worse from then on."""

    @property
    def watches(self) -> bool:
        """Whether the edition looks at dice, and so may change anything after a roll."""
        return self.after_roll is not _as_rolled


NO_HOOKS = Hooks()


@dataclass(slots=True)
class Roller:
    """Rolls for one unit in an attack."""

    b: AnyBattle
    player: int
    unit: int
    hooks: Hooks

    async def stage(
        self,
        kind: str,
        table: HitRoll | WoundRoll,
        count: int,
        worth: Callable[[], Sequence[float]],
        stake: float = 1.0,
        by: str = "",
        more: int = 0,
    ) -> tuple[int, ...]:
        """One die for each attack, read from a table by face; `more` come without dice, `by` what makes them.

        `worth` is what each face brings on average.
        """
        read = by_table(table, by, more)
        faces = self.b.roll(count, kind, self.player, rules=table.cites, read=read)
        may = [i for i, f in enumerate(faces) if f in table.reroll] if table.reroll else []
        if not may and not self.hooks.watches:
            return faces
        scores, best = _scores(table)

        def score(_roll: int, dice: Sequence[int]) -> float:
            return scores[dice[0] - 1]

        bad = [i for i in may if not scores[faces[i] - 1]]
        clear = all(scores[faces[i] - 1] in (0, best) for i in may)
        again = table.reroll_cites

        def better() -> list[int]:
            gains = gaining(worth())
            return [i for i in may if scores[faces[i] - 1] and gains[faces[i] - 1]]

        return await self._finish(
            kind, faces, range(count), may, bad, clear, score, best, table.cites, stake, -1, read, again, better
        )

    async def numbers(
        self,
        kind: str,
        sums: Sequence[DiceSum],
        rules: Cites = (),
        why: Why = (),
        by: Cites = (),
        enough: int | None = None,
    ) -> list[int]:
        """The results of sums of dice, all rolled in one batch. `why` says what one of them is made of.

        A result of `enough` is as good as any that is higher.
        """
        group = [i for i, s in enumerate(sums) for _ in s.dice]
        if not group:
            return [s.result() for s in sums]
        places = [[p for p, g in enumerate(group) if g == i] for i in range(len(sums))]
        read = by_sums(kind, tuple(sums), why)
        rolled = self.b.roll(len(group), kind, self.player, rules=rules, read=read)
        totals = [s.total([rolled[p] for p in places[i]]) for i, s in enumerate(sums)]
        may = [i for i, s in enumerate(sums) if s.dice and totals[i] in s.reroll]
        best = max(float(sum(s.dice) - len(s.dice)) for s in sums)

        def does(roll: int, total: int) -> bool:
            return enough is not None and sums[roll].result(total) >= enough

        def score(roll: int, dice: Sequence[int]) -> float:
            total = sums[roll].total(dice)
            # The lowest sum is not a failure, but the one that nobody keeps.
            return best if does(roll, total) else float(total - len(dice))

        short = [i for i in may if not does(i, totals[i])]
        bad = [i for i in short if totals[i] < sums[i].mean_of_dice]
        # An average result is kept, unless a higher one would be enough.
        higher = [i for i in short if i not in bad and does(i, sum(sums[i].dice))]
        clear = all(totals[i] == len(sums[i].dice) for i in may)
        faces = await self._finish(
            kind, rolled, group, may, bad, clear, score, best, rules, read=read, by=by, better=lambda: higher
        )
        return [s.of([faces[p] for p in places[i]]) for i, s in enumerate(sums)]

    async def checks(
        self,
        kind: str,
        needed: Sequence[int],
        reroll: tuple[int, ...] = (),
        rules: Cites = (),
        stake: float = 1.0,
        model: int = -1,
        why: Why = (),
        by: Cites = (),
    ) -> list[bool]:
        """Rolls that need a face each, with failures re-rolled on some faces: the dice, and whether each succeeded."""
        if not needed:
            return []
        read = needing(needed, NOUNS.get(kind, kind), why)
        faces = self.b.roll(len(needed), kind, self.player, rules=rules, read=read)
        if not reroll and not self.hooks.watches:
            return [f >= n for f, n in zip(faces, needed, strict=True)]
        bad = [i for i, f in enumerate(faces) if f in reroll and f < needed[i]]

        def score(roll: int, dice: Sequence[int]) -> float:
            return float(dice[0] >= needed[roll])

        every = range(len(needed))
        faces = await self._finish(kind, faces, every, bad, bad, True, score, 1.0, rules, stake, model, read, by)
        return [f >= n for f, n in zip(faces, needed, strict=True)]

    async def saves(
        self, count: int, needed: Sequence[int], reroll: tuple[int, ...], rules: Cites, stake: float, model: int
    ) -> tuple[int, ...]:
        """Save dice that belong to nobody yet: the faces. `needed` is what saves each of those they may come to."""
        read: AnyReading = Each(NOUNS["save"], needed=needed[0])
        if len(needed) > 1:
            # What a die saves depends on whom it comes to.
            read = Reading(why=tuple(Part(f"{n}+") for n in needed))
        faces = self.b.roll(count, "save", self.player, rules=rules, read=read)
        if not reroll and not self.hooks.watches:
            return faces

        def score(_roll: int, dice: Sequence[int]) -> float:
            return sum(dice[0] >= n for n in needed) / len(needed)

        bad = [i for i, f in enumerate(faces) if f in reroll and f < max(needed)]
        clear = all(faces[i] < min(needed) for i in bad)
        best = score(0, FACES[-1:])
        return await self._finish("save", faces, range(count), bad, bad, clear, score, best, rules, stake, model, read)

    async def _finish(
        self,
        kind: str,
        faces: tuple[int, ...],
        group: Sequence[int],
        may: list[int],
        bad: list[int],
        clear: bool,
        score: Callable[[int, Sequence[int]], float],
        best: float,
        rules: Cites,
        stake: float = 1.0,
        model: int = -1,
        read: AnyReading = SHOWN,
        by: Cites = (),
        better: Callable[[], list[int]] = list,
    ) -> tuple[int, ...]:
        """Re-roll what the attack itself allows, then let the edition see the dice.

        `bad` are the rolls that anybody makes again, and `better` those that some would, too.
        """
        rolls = (group[-1] if len(group) else -1) + 1
        spent = [False] * rolls
        if may:
            always = self.b.setup.options.get("windows") == "all"
            if not clear or always:
                doubtful = better()
                # Where nothing failed and nothing could be better, there is nothing to ask about.
                if bad or doubtful or always:
                    labels = {i: _label(faces, group, i) for i in may}
                    bad = await self._which(kind, labels, bad, doubtful, rules)
            for i in bad:
                spent[i] = True
            places = [p for p, g in enumerate(group) if spent[g]]
            faces = self.b.roll_again(faces, places, kind, self.player, rules=rules, read=read, by=_names(by))
        if not self.hooks.watches or not faces:
            return faces
        dice: list[list[int]] = [[] for _ in range(rolls)]
        for g, f in zip(group, faces, strict=True):
            dice[g].append(f)
        scores = tuple(score(i, d) if d else best for i, d in enumerate(dice))
        closed = tuple(s or not d for s, d in zip(spent, dice, strict=True))
        roll = Roll(kind, self.player, self.unit, faces, tuple(group), closed, scores, best, stake, model, read, rules)
        return await self.hooks.after_roll(self.b, roll)

    async def _which(
        self, kind: str, labels: dict[int, str], bad: list[int], better: list[int], rules: Cites
    ) -> list[int]:
        picked = await self.b.ask(
            ChooseSome(
                player=self.player,
                kind="reroll",
                deed="Re-roll",
                prompt=f"Which of these {kind} rolls are re-rolled?",
                options=tuple(Option(i, label) for i, label in labels.items()),
                rules=rules,
                unit=self.unit,
                about={"roll": kind, "bad": list(bad), "better": better},
            )
        )
        return sorted(int(i) for i in picked)


def reroll_one(
    b: AnyBattle, roll: Roll, which: int, *rules: str, by: str = "", die: int | None = None
) -> tuple[int, ...]:
    """Re-roll one roll of a batch, for an edition's `after_roll`. `by` names what allows it.

    All dice of a sum are re-rolled together, or one `die` of them, counted from 0, where the edition says so.
    """
    if roll.spent[which]:
        raise ValueError("no die is ever re-rolled twice")
    places = roll.dice_of(which) if die is None else roll.dice_of(which)[die : die + 1]
    return b.roll_again(roll.faces, places, roll.kind, roll.player, rules=rules, read=roll.read, by=by or _names(rules))


def _names(sources: Cites) -> str:
    return ", ".join(map(called, sources))


@lru_cache(maxsize=1024)
def _scores(table: HitRoll | WoundRoll) -> tuple[tuple[float, ...], float]:
    """How good each face is: 0 fails, 1 succeeds, 2 is a critical that does more than succeed."""
    plain = [f for f in table.faces if f.success and not f.critical]
    usual = _yield(plain[0]) if plain else None
    scores = tuple(float(f.success) + float(f.critical and _yield(f) != usual) for f in table.faces)
    return scores, max(scores)


def _yield(face: Any) -> Any:
    return (face.hits, face.wounds, face.extra) if isinstance(face, HitFace) else face.kind


def _label(faces: Sequence[int], group: Sequence[int], roll: int) -> str:
    return " + ".join(str(f) for f, g in zip(faces, group, strict=True) if g == roll)


def gaining(worth: Sequence[float]) -> list[bool]:
    """For each face, whether a new roll brings more on average."""
    mean = sum(worth) / len(worth)
    return [mean - value > NEXT_TO_NOTHING for value in worth]


def _default_reroll(world: Any, decision: ChooseSome) -> tuple[int, ...]:
    """What failed, or is below the average."""
    return tuple(decision.about["bad"])


def _what_else(world: Any, decision: ChooseSome, answer: Sequence[Value]) -> tuple[str, ...]:
    """Why somebody might make other rolls again than these."""
    about = decision.about
    if set(about["better"]) <= set(answer):
        return ()
    return ("a critical",) if about["roll"] in ("hit", "wound") else ("a kill",)


REROLL_QUESTION = Question(default=_default_reroll, matters=_what_else)


# --- How dice are read ------------------------------------------------------------------------------------------------


NOUNS: Final = {
    "attacks": "attack(s)",
    "extra hits": "hit(s) more",
    "damage": "damage",
    "save": "saved",
    "feel no pain": "ignored",
}
"""What is counted, by the kind of roll."""


@lru_cache(maxsize=1024)
def by_table(table: HitRoll | WoundRoll, by: str = "", more: int = 0) -> ByFace:
    """How a hit or wound roll is read."""
    noun = "hit(s)" if isinstance(table, HitRoll) else "wound(s)"
    faces: tuple[HitFace | WoundFace, ...] = table.faces
    needed = next((n for n, f in enumerate(faces, 1) if f.success), NEVER)
    critical = next((n for n, f in enumerate(faces, 1) if f.critical and _does_more(f)), 0)
    by = by or (what_wounds(table) if isinstance(table, HitRoll) else "")
    return ByFace(noun, table.why, needed, tuple(map(_scored, faces)), critical, by, more)


def what_wounds(table: HitRoll) -> str:
    """What makes critical hits of a roll wound by themselves, by its name; empty where nothing does, or nobody says."""
    usual = len(table.cites) - len(table.reroll_cites)
    # What makes them critical is cited first.
    cites = next((face.cites[usual + 1 :] for face in table.faces if face.wounds), ())
    return titled(called(cites[0]).lower()) if cites else ""


def _does_more(face: HitFace | WoundFace) -> bool:
    """Whether a critical face gives anything that another does not; else nobody wants to hear of it."""
    return (face.hits, face.wounds, face.extra) != (1, 0, None) if isinstance(face, HitFace) else face.kind > 0


def _scored(face: HitFace | WoundFace) -> int:
    return face.hits + face.wounds if isinstance(face, HitFace) else int(face.success)


@lru_cache(maxsize=1024)
def by_sums(kind: str, sums: tuple[DiceSum, ...], why: Why) -> Reading:
    """How several sums of dice in one batch are read, such as the attacks of several weapons."""
    parts = why or (Part(" and ".join(dict.fromkeys(map(str, sums)))),)
    if len(sums) > 1 and len(set(sums)) == 1:
        parts = (msgspec.structs.replace(parts[0], value=f"{len(sums)} x {parts[0].value}"), *parts[1:])
    if any(s.times > 1 for s in sums):
        return Reading(why=parts)
    # Fewer than no attacks are none.
    read = tuple(Sum(s.dice, s.plus, max(0, s.least), s.divide) for s in sums)
    return Total(NOUNS.get(kind, kind), parts, sums=read)
