"""Declaring blows in one answer, where each model strikes with one melee weapon and some strike in addition."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from sandtable.attack.volley import Aim, DiceSum
from sandtable.battle import ALLOWED, Assign, Assignment, Option, Question, Row, Verdict, refuse
from sandtable.battle.system import Outlook
from sandtable.forty.attacks import Precision
from sandtable.forty.effects.weapons import all_armed, changes_to_weapons
from sandtable.forty.odds.arms import Arms
from sandtable.forty.odds.chances import advise_blows, chance_that_one_falls, outlook_of
from sandtable.forty.odds.estimate import mean_damage
from sandtable.forty.row_names import row_names
from sandtable.forty.state import Battle40, Unit, World40, weapons_of
from sandtable.kit.grammar import agree, does


class Hand(NamedTuple):
    """One melee profile in the hands of one fighting model."""

    model: int
    weapon: Any
    targets: tuple[int, ...]
    number: DiceSum
    """How many attacks it makes."""
    extra: bool
    """It strikes in addition to the weapon that the model chose."""
    precise: bool
    """Its attacks may be directed at those whom others protect, whatever its profile says."""

    @property
    def attacks(self) -> int:
        """Its number of attacks; 0 where that is rolled, so that they cannot be split."""
        return self.number.result() if self.number.fixed else 0


Things = Callable[[Hand], int]
"""How much one weapon gives to assign: its attacks, which may be divided, or itself where they are rolled."""


class Striking(NamedTuple):
    """The seam: what an edition says about melee weapons."""

    rules: tuple[str, ...]
    """Who may be struck, with what, and how attacks are divided."""
    hands: Callable[[Any, Any], list[Hand]]
    """(world, unit): every melee profile of the models that fight, with whom it may strike."""
    things: Things
    together: Callable[[Sequence[Sequence[Hand]], Sequence[Assignment]], Verdict]
    """(rows of hands, assignments): whether that is what the models may and must do."""
    blow_at: Callable[[Any, Any], Any]
    """(world, target): a blow that nobody deals yet, with what is true of all at that target."""
    precision: Precision


def declaration(w: World40, unit: Unit) -> Assign:
    """The question which weapon strikes whom. Rows count attacks, where their number is known, else weapons."""
    striking = w.system.seam(Striking)
    groups = rows_of(striking.hands(w, unit))
    targets = sorted({t for group in groups for t in one_of(group).targets})
    names = row_names(w, [(one_of(group).weapon.name, [hand.model for hand in group]) for group in groups])
    return Assign(
        player=unit.player,
        kind="strike",
        prompt=f"Whom {agree(unit, 'does')} {unit.name} strike?",
        rows=tuple(row_of(i, names[i], group, striking.things) for i, group in enumerate(groups)),
        targets=tuple(Option(t, w.unit(t).name) for t in targets),
        rules=striking.rules,
        unit=unit.id,
    )


def hands_with(
    w: World40,
    unit: Any,
    fighters: Mapping[int, Sequence[int]],
    can_strike: Callable[[Any], bool],
    number: Callable[[Any], DiceSum],
    extra: Callable[[Any], bool],
    challenge: str,
    may_use: Callable[[Any, int, Any], bool] | None = None,
) -> list[Hand]:
    """Every melee profile of the models that fight, as abilities change it, with whom of these it may strike.

    The edition says which profiles strike, how many attacks they make, which do so in addition, and by which kind of
    effect the attacks of the model in its value may pick out whom others protect; `may_use` is for profiles that not
    every model uses that has them: (world, model, profile).
    """
    challengers = {e.value for e in w.effects(challenge, unit.id)}
    changes, found = changes_to_weapons(w, unit), []
    for model, targets in sorted(fighters.items()):
        if unit.last_stand and model not in unit.last_stand:
            continue
        alive = tuple(t for t in targets if w.is_on_table(w.unit(t)))
        for plain, weapon in zip(weapons_of(w, model), all_armed(w, model, changes), strict=True):
            if can_strike(plain) and (may_use is None or may_use(w, model, plain)):
                found.append(Hand(model, weapon, alive, number(weapon), extra(weapon), precise=model in challengers))
    return found


def no_blows(w: World40, unit: Any, fighters: Mapping[int, Sequence[int]]) -> str:
    """Why a unit strikes nobody: none of its models has an enemy in reach, or a weapon for it."""
    reached = any(w.is_on_table(w.unit(t)) for targets in fighters.values() for t in targets)
    return f"{does(unit, 'has')} {'nothing to strike with' if reached else 'nobody to strike'}."


def rows_of(hands: Sequence[Hand]) -> list[list[Hand]]:
    """Hands with the same weapon and the same targets, together."""
    groups: dict[tuple[object, ...], list[Hand]] = {}
    for hand in hands:
        if hand.targets:
            groups.setdefault((hand.weapon, hand.targets, hand.precise), []).append(hand)
    return list(groups.values())


def one_of(group: Sequence[Hand]) -> Hand:
    """Hands of a row are alike in weapon and targets, so that any of them tells of all."""
    return group[0]


def row_of(number: int, label: str, group: Sequence[Hand], things: Things) -> Row:
    """A row of the question."""
    first = one_of(group)
    return Row(f"{number}", label, len(group) * things(first), first.targets)


def wanted_of(answer: Sequence[Assignment]) -> dict[int, int]:
    """How much of each row is assigned."""
    wanted: dict[int, int] = {}
    for a in answer:
        wanted[int(a.row)] = wanted.get(int(a.row), 0) + a.count
    return wanted


# --- Who strikes ------------------------------------------------------------------------------------------------------


def wielders(groups: Sequence[Sequence[Hand]], answer: Sequence[Assignment], things: Things) -> dict[int, list[int]]:
    """Which models strike with each row: every model with one of them, beside those that strike in addition.

    A model that is needed elsewhere makes room for another (augmenting paths), so that what can be dealt out is.
    """
    who: dict[int, list[int]] = {}
    holder: dict[int, int] = {}
    """For each model the row that it strikes with."""
    can = [{h.model for h in group} for group in groups]

    def seat(row: int, seen: set[int]) -> bool:
        for model in sorted(can[row]):
            if model in seen:
                continue
            seen.add(model)
            if model not in holder or (holder[model] != row and seat(holder[model], seen)):
                holder[model] = row
                return True
        return False

    for row, count in wanted_of(answer).items():
        needed = -(-count // things(one_of(groups[row])))
        if one_of(groups[row]).extra:
            who[row] = sorted(can[row])[:needed]
        else:
            who[row] = []
            for _ in range(needed):
                if not seat(row, set()):
                    break
    for model, row in sorted(holder.items()):
        who[row].append(model)
    return who


def check_whole(groups: Sequence[Sequence[Hand]], answer: Sequence[Assignment], things: Things, rule: str) -> Verdict:
    """Whether models make as many attacks as their weapons have, no fewer."""
    for row, count in wanted_of(answer).items():
        hand = one_of(groups[row])
        if count % things(hand):
            text = f"Each model makes all {things(hand)} attacks of {hand.weapon.name}, not only some of them."
            return refuse(text, rule)
    return ALLOWED


def check_one_each(
    groups: Sequence[Sequence[Hand]], answer: Sequence[Assignment], things: Things, rule: str
) -> Verdict:
    """Whether each model strikes with one weapon, no more and no fewer, beside those that strike in addition."""
    who = wielders(groups, answer, things)
    if any(len(who[row]) * things(one_of(groups[row])) < count for row, count in wanted_of(answer).items()):
        return refuse("Each model strikes with one melee weapon, and one profile of it.", rule)
    fighting = {h.model for group in groups for h in group if not h.extra}
    idle = fighting - {m for row, models in who.items() if not one_of(groups[row]).extra for m in models}
    left = "one has" if len(idle) == 1 else f"{len(idle)} have"
    return refuse(f"Every model that can fight does so: {left} no attack yet.", rule) if idle else ALLOWED


async def declare_strikes(b: Battle40, unit: Any) -> list[Any]:
    """Ask which weapon strikes whom; which model then makes which attacks at whom."""
    answer = await b.ask(declaration(b, unit))
    return strikes(b, unit, b.system.seam(Striking).hands(b, unit), answer)


def strikes(w: World40, unit: Any, hands: Sequence[Hand], answer: Sequence[Assignment]) -> list[Any]:
    """Which model makes which attacks at whom."""
    striking, groups = w.system.seam(Striking), rows_of(hands)
    precision = striking.precision
    at = {t: striking.blow_at(w, w.unit(t)) for t in dict.fromkeys(int(a.target) for a in answer)}
    left = {
        row: [(m, striking.things(one_of(groups[row]))) for m in models]
        for row, models in wielders(groups, answer, striking.things).items()
    }
    blows: list[Any] = []
    for a in answer:
        row, target, wanted = int(a.row), int(a.target), a.count
        hand = one_of(groups[row])
        while wanted and left[row]:
            model, free = left[row].pop(0)
            count = min(free, wanted)
            wanted -= count
            if free > count:
                left[row].insert(0, (model, free - count))
            picks, attacks = hand.precise or precision.precise(hand.weapon), count if hand.attacks else 0
            aim = precision.whom(w, unit, w.unit(target), model) if picks else ()
            blows.append(replace(at[target], model=model, weapon=hand.weapon, aim=aim, attacks=attacks))
    return blows


# --- What could be declared -------------------------------------------------------------------------------------------


def best_strikes(w: World40, unit: Any, hands: Sequence[Hand]) -> tuple[Assignment, ...]:
    """Every model strikes with what does most at the first of its targets."""
    groups = rows_of(hands)
    return deal_out(groups, _at_the_first(w, unit, groups), w.system.seam(Striking).things)


def _at_the_first(w: World40, unit: Any, groups: Sequence[Sequence[Hand]]) -> list[Assignment]:
    """Every row at the first of its targets, what does most first."""
    things = w.system.seam(Striking).things
    rows = [row_of(i, "", group, things) for i, group in enumerate(groups)]
    return _by_worth(w, unit, groups, [Assignment(r.id, r.targets[0], r.count) for r in rows])


def _by_worth(
    w: World40, unit: Any, groups: Sequence[Sequence[Hand]], wanted: Sequence[Assignment]
) -> list[Assignment]:
    """Assignments in the order of what one weapon of each does."""
    striking = w.system.seam(Striking)

    def worth(a: Assignment) -> float:
        hand, target = one_of(groups[int(a.row)]), w.unit(int(a.target))
        blow = replace(striking.blow_at(w, target), model=hand.model, weapon=hand.weapon, attacks=hand.attacks)
        return mean_damage(w, unit, target, [blow])

    return sorted(wanted, key=lambda a: (-worth(a), int(a.row)))


def blows_at(w: World40, unit: Any, target: Any) -> list[Any]:
    """What does most at one target that a unit reaches; nothing where it does not."""
    hands = w.system.seam(Striking).hands(w, unit)
    reaching = [h._replace(targets=(target.id,)) for h in hands if target.id in h.targets]
    return strikes(w, unit, reaching, best_strikes(w, unit, reaching))


def deal_out(groups: Sequence[Sequence[Hand]], wanted: Sequence[Assignment], things: Things) -> tuple[Assignment, ...]:
    """For each row as many whole weapons as models are free; earlier rows have the first pick.

    Parts of a row that stand one after the other are different targets for the same weapons.
    """
    busy: set[int] = set()
    kept: list[Assignment] = []
    rows = dict.fromkeys(int(a.row) for a in wanted)
    for row in rows:
        group = groups[row]
        extra = one_of(group).extra
        models = [h.model for h in group if extra or h.model not in busy]
        if not extra:
            busy.update(models)
        room = len(models) * things(one_of(group))
        for a in wanted:
            count = min(a.count, room) if int(a.row) == row else 0
            if count:
                room -= count
                kept.append(Assignment(a.row, a.target, count))
    return tuple(kept)


def rows_in(w: World40, d: Assign) -> list[list[Hand]]:
    """The hands behind the rows of a question."""
    return rows_of(w.system.seam(Striking).hands(w, w.unit(d.unit)))


def judge_strikes(w: World40, d: Assign, answer: tuple[Assignment, ...]) -> Verdict:
    """Whether that is what the models may and must do."""
    return w.system.seam(Striking).together(rows_in(w, d), answer)


def default_strikes(w: World40, d: Assign) -> tuple[Assignment, ...]:
    """Every model strikes with what does most at the first of its targets."""
    return best_strikes(w, w.unit(d.unit), w.system.seam(Striking).hands(w, w.unit(d.unit)))


def suggest_strikes(w: World40, d: Assign, rng: Random) -> Iterator[tuple[Assignment, ...]]:
    """Weapons and targets at random, all at one or split."""
    wanted = []
    for r in rng.sample(d.rows, len(d.rows)):
        split = rng.randint(0, r.count) if rng.random() < 0.3 else 0
        for count in (r.count - split, split):
            if count:
                wanted.append(Assignment(r.id, rng.choice(r.targets), r.count if count == r.count else count))
    # What is left of a row goes to its first target, since nobody may hold back.
    wanted += [Assignment(r.id, r.targets[0], r.count) for r in d.rows]
    yield deal_out(rows_in(w, d), wanted, w.system.seam(Striking).things)


def odds_of_strikes(w: World40, d: Assign, answer: tuple[Assignment, ...]) -> float | None:
    """The chance that a target of the unit's melee attacks is destroyed."""
    unit = w.unit(d.unit)
    return chance_that_one_falls(w, unit, strikes(w, unit, w.system.seam(Striking).hands(w, unit), answer))


def outlook_of_strikes(w: World40, d: Assign, answer: tuple[Assignment, ...]) -> Iterator[Outlook]:
    """What a unit's melee attacks do to its targets."""
    unit = w.unit(d.unit)
    yield from outlook_of(w, unit, strikes(w, unit, w.system.seam(Striking).hands(w, unit), answer))


def fit_strikes(w: World40, d: Assign, wanted: tuple[Assignment, ...]) -> tuple[Assignment, ...]:
    """As much of that as the models may do together, and beside it what they have to do."""
    unit, groups = w.unit(d.unit), rows_in(w, d)
    wished = [*_by_worth(w, unit, groups, wanted), *_at_the_first(w, unit, groups)]
    counts: dict[tuple[str, Any], int] = {}
    for a in deal_out(groups, wished, w.system.seam(Striking).things):
        counts[a.row, a.target] = counts.get((a.row, a.target), 0) + a.count
    return tuple(Assignment(row, target, count) for (row, target), count in counts.items())


def _strikes_at(w: World40, d: Assign, target: int) -> dict[int, dict[str, list[Any]]]:
    """For each row that reaches a target, what one thing of it does: an attack, or a weapon."""
    unit = w.unit(d.unit)
    hands = w.system.seam(Striking).hands(w, unit)
    reaching = [(i, row) for i, row in enumerate(d.rows) if target in row.targets]
    return {i: {"": strikes(w, unit, hands, [Assignment(row.id, target, 1)])} for i, row in reaching}


def _together(w: World40, d: Assign, wanted: Sequence[Assignment]) -> tuple[Assignment, ...]:
    return deal_out(rows_in(w, d), wanted, w.system.seam(Striking).things)


ARMS: Final = Arms(_strikes_at, _together, default_strikes)


def advise_strikes(w: World40, d: Assign, aim: Aim) -> tuple[Assignment, ...]:
    """The best split of a unit's melee attacks for an aim."""
    return advise_blows(w, d, aim, ARMS)


STRIKE: Final = Question(
    judge_strikes,
    suggest_strikes,
    default_strikes,
    odds=odds_of_strikes,
    advise=advise_strikes,
    outlook=outlook_of_strikes,
    fit=fit_strikes,
)
