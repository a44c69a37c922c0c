"""What of an army, or of a faction, is enforced: three numbers, and what is left, by unit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from sandtable.armies.effects import AnyEffect
from sandtable.armies.format import Ability, Enhancement, Faction, Sheet, Stratagem
from sandtable.armies.lists import ArmyList, carriers, detachment_of, name_of
from sandtable.armies.pack import Pack

Rule: TypeAlias = Ability | Enhancement | Stratagem
SAVE: Final = "Invulnerable Save ("
"""Saves against some attacks only stand among abilities, because characteristics cannot tell against which."""
Unread: TypeAlias = Callable[[AnyEffect], str]
"""What of an effect a system does not read; empty where it reads it all."""
State: TypeAlias = Literal["reviewed", "in part", "unreviewed", "left"]


class Numbers(NamedTuple):
    """How many rules are enforced whole and reviewed, compiled but not reviewed, and left to the players."""

    reviewed: int
    unreviewed: int
    left: int

    @property
    def total(self) -> int:
        return sum(self)

    @property
    def share(self) -> float:
        """The part that is enforced whole and reviewed."""
        return self.reviewed / self.total if self.total else 0.0


class Line(NamedTuple):
    """A rule that is not enforced whole."""

    where: str
    """The unit, faction or detachment."""
    name: str
    state: State
    text: str


class Report(NamedTuple):
    """Occurrences of abilities on the units of an army, and the rules of its faction and detachment."""

    core: int
    """Occurrences of core abilities, which the rules of the game enforce."""
    units: Numbers
    rules: Numbers
    lines: tuple[Line, ...]


def reads_all(effect: AnyEffect) -> str:
    """For packs alone: nothing of an effect is left out."""
    return ""


def state_of(rule: Rule, unread: Unread = reads_all) -> State:
    """What becomes of a rule; one that is enforced in part counts as left."""
    if rule.enforced:
        return "in part" if rule.left_out or any(unread(effect) for effect in rule.effects) else "reviewed"
    return "unreviewed" if rule.unreviewed else "left"


def count(rules: Iterable[Rule], unread: Unread = reads_all) -> Numbers:
    """The three numbers."""
    states = [state_of(rule, unread) for rule in rules]
    reviewed, unreviewed = states.count("reviewed"), states.count("unreviewed")
    return Numbers(reviewed, unreviewed, len(states) - reviewed - unreviewed)


def told_by(sheet: Sheet) -> list[Ability]:
    """The abilities of a datasheet; a save that it prints as a characteristic is none."""
    return [ability for ability in sheet.abilities if not ability.name.startswith(SAVE)]


def report_list(pack: Pack, army: ArmyList, unread: Unread = reads_all) -> Report:
    """What of an army list is enforced; abilities of wargear count where it is carried."""
    faction, detachment = pack.faction(army.faction), detachment_of(pack, army)
    taken = {unit.enhancement for unit in army.units if unit.enhancement}
    rules: list[tuple[str, Rule]] = [(faction.name, rule) for rule in faction.rules] if faction else []
    if detachment is not None:
        rules += [(detachment.name, rule) for rule in detachment.rules]
        rules += [(detachment.name, stratagem) for stratagem in detachment.stratagems]
        rules += [(detachment.name, one) for one in detachment.enhancements if one.name in taken]
    units: list[tuple[str, Rule]] = []
    core = 0
    for unit in army.units:
        sheet = pack.sheet(unit.sheet)
        if sheet is not None:
            carried = {item for group in carriers(sheet, unit) for item in group.items}
            borne = [a for a in told_by(sheet) if a.item is None or a.item in carried]
            units += [(name_of(pack, unit), ability) for ability in borne]
            core += len(sheet.core)
    return _report(core, units, rules, unread)


def report_faction(faction: Faction, sheets: Sequence[Sheet], unread: Unread = reads_all) -> Report:
    """What of a whole faction is enforced."""
    rules: list[tuple[str, Rule]] = [(faction.name, rule) for rule in faction.rules]
    for detachment in faction.detachments:
        parts: tuple[Rule, ...] = (*detachment.rules, *detachment.enhancements, *detachment.stratagems)
        rules += [(detachment.name, rule) for rule in parts]
    units: list[tuple[str, Rule]] = [(sheet.name, ability) for sheet in sheets for ability in told_by(sheet)]
    return _report(sum(len(sheet.core) for sheet in sheets), units, rules, unread)


def _report(core: int, units: Sequence[tuple[str, Rule]], rules: Sequence[tuple[str, Rule]], unread: Unread) -> Report:
    lines = tuple(dict.fromkeys((*_lines(units, unread), *_lines(rules, unread))))
    return Report(core, count((rule for _, rule in units), unread), count((rule for _, rule in rules), unread), lines)


def _lines(rules: Iterable[tuple[str, Rule]], unread: Unread) -> Iterator[Line]:
    for where, rule in rules:
        state = state_of(rule, unread)
        if state != "reviewed":
            odd = next((f"Not read: {why}." for effect in rule.effects if (why := unread(effect))), "")
            yield Line(where, rule.name, state, rule.left_out or odd or rule.text)
