"""Army lists that somebody brings along, in any form: a file of ours, or what another program exported.

The command line, the server and its page read lists here and nowhere else: which system a list is for, what was
understood of it, what was not, what of its abilities is enforced, and what keeps it from being played.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeAlias

import msgspec

from sandtable import systems
from sandtable.api import new
from sandtable.armies.characteristics import printed
from sandtable.armies.imported import bounded, game_of, read_roster
from sandtable.armies.kdc.names import plain
from sandtable.armies.lists import ArmyList, list_cost
from sandtable.armies.packs import open_pack, packs_by_system
from sandtable.armies.pasted import Pasted, understand
from sandtable.armies.reports import Report, Unread, reads_all, report_list
from sandtable.armies.told import understood
from sandtable.documents import parse_document
from sandtable.errors import UserError
from sandtable.forty.effects.enforced import Enforced, why_unread

OURS: Final = "a list of ours"
_FIELDS: Final = frozenset({"name", "system", "pack", "faction", "units"})
_FIELD: Final = re.compile(r"^[\"']?([a-z]+)[\"']?[ \t]*:", re.MULTILINE)
_ENOUGH: Final = 3
"""So many fields of ours make a text a list of ours, however wrong it is; the system alone is enough."""
SIDES: Final = ("red", "blue")

Weight: TypeAlias = tuple[int, ...]


class Text(NamedTuple):
    """A list that somebody brought."""

    text: str
    where: str
    """What a refusal calls it."""


class Reading(NamedTuple):
    """A list as the system knows it that knows it best, or that was wanted."""

    list: Pasted
    others: tuple[str, ...] = ()
    """Further systems that know units of it, the best first."""


def read_brought(text: str, where: str, system: str = "", rather: str = "") -> Reading:
    """An army list in any form, for a system, or else for the one that knows most of it.

    It is the one that it would `rather` be, if that knows anything of it, and otherwise that is said. Of several that
    know it equally well it is the latest.
    """
    return read_together([Text(text, where)], system, rather)[0]


def read_together(texts: Sequence[Text], system: str = "", rather: str = "") -> list[Reading]:
    """Army lists that are to fight each other: all are read for the same system."""
    ours = [_read_ours(text, system) if is_ours(text.text) else None for text in texts]
    told = [one.army.system for one in ours if one is not None]
    exports = [text for text, one in zip(texts, ours, strict=True) if one is None]
    read = iter(_read_exports(exports, system or (told[0] if told else ""), rather) if exports else ())
    return [next(read) if one is None else Reading(one) for one in ours]


# --- Lists of ours ----------------------------------------------------------------------------------------------------


def is_ours(text: str) -> bool:
    """Whether a text is meant to be an army list of ours, right or wrong."""
    if text.lstrip()[:1] == "{":
        return _is_ours_in_json(text)
    return _are_ours(_FIELD.findall(text))


def _is_ours_in_json(text: str) -> bool:
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return False
    return isinstance(found, dict) and _are_ours(found)


def _are_ours(fields: Iterable[str]) -> bool:
    known = _FIELDS.intersection(fields)
    return "system" in known or len(known) >= _ENOUGH


def _read_ours(text: Text, system: str) -> Pasted:
    army = parse_document(text.text, ArmyList, text.where)
    if army.system not in systems.known():
        there = ", ".join(systems.known())
        raise UserError(f"{text.where}: the list is for '{army.system}'; there are {there}.")
    if system and army.system != system:
        raise UserError(f"{text.where}: the list is for {army.system}, and this is a battle of {system}.")
    try:
        pack = open_pack(army.pack, army.faction)
    except UserError as error:
        raise UserError(f"{text.where}: {error}") from None
    return Pasted(army, pack, tuple(understood(pack, army, OURS)), ())


# --- Exports of other programs ----------------------------------------------------------------------------------------


def with_exports() -> list[str]:
    """The systems for which exports of other programs are read: other programs count points."""
    brought = packs_by_system()
    return [id_ for id_ in systems.known() if id_ in brought and not printed(id_).power]


def _read_exports(texts: Sequence[Text], system: str, rather: str) -> list[Reading]:
    """Exports, each as all of them are known best together."""
    known = with_exports()
    if system and system not in known:
        where = texts[0].where
        raise UserError(f"{where}: exports of other programs are read for {' and '.join(known)}, not for {system}.")
    whole = [Text(bounded(text.text, text.where), text.where) for text in texts]
    rosters = [read_roster(text.text, text.where) for text in texts]
    found: dict[str, list[Pasted]] = {}
    refused: dict[str, UserError] = {}
    for id_ in known:
        try:
            found[id_] = [understand(roster, id_, text.where) for roster, text in zip(rosters, whole, strict=True)]
        except UserError as error:
            refused[id_] = error
    wanted = system or rather
    if wanted not in found and (system or not found):
        raise refused[wanted if wanted in refused else known[-1]]
    if wanted not in found:
        wanted = _best(found, [game_of(text.text) for text in whole])
    others = tuple(sorted((id_ for id_ in found if id_ != wanted), key=lambda id_: _weight(found[id_])))
    instead = _instead(rather, wanted, refused, texts) if rather and not system else ""
    lists = [_with_game(one, game_of(text.text)) for one, text in zip(found[wanted], whole, strict=True)]
    return [Reading(one._replace(doubts=(*([instead] if instead else ()), *one.doubts)), others) for one in lists]


def _instead(rather: str, wanted: str, refused: Mapping[str, UserError], texts: Sequence[Text]) -> str:
    """Why it is not read for the system that somebody chose; empty where it is."""
    if rather == wanted:
        return ""
    why = str(refused[rather]).removesuffix(".") if rather in refused else "other programs write no lists for that"
    for text in texts:
        why = why.removeprefix(f"{text.where}: ")
    return f"It cannot be read for {systems.get(rather).name} ({why}), so it is read for {systems.get(wanted).name}."


def _best(found: Mapping[str, Sequence[Pasted]], games: Sequence[str]) -> str:
    """The system that the lists name, or else the one that knows most of them."""
    told = {plain(game) for game in games if game}
    named = [id_ for id_ in found if told and plain(systems.get(id_).name) in told]
    order = list(found)
    return min(named or order, key=lambda id_: (_weight(found[id_]), -order.index(id_)))


def _weight(lists: Sequence[Pasted]) -> Weight:
    """How much speaks against a system: points that it adds up otherwise, units that it lacks, and other doubts."""
    off = [abs(list_cost(one.pack, one.army) - (one.reported or 0)) for one in lists]
    return sum(map(bool, off)), sum(one.missing for one in lists), sum(len(one.doubts) for one in lists), sum(off)


def _with_game(one: Pasted, game: str) -> Pasted:
    """The list, with a doubt where it says that it is for another game than ours."""
    name = systems.get(one.army.system).name if game else ""
    if plain(name).startswith(plain(game)):
        return one
    return one._replace(doubts=(f"The list says that it is for '{game}'; it is read for {name}.", *one.doubts))


# --- What becomes of a list -------------------------------------------------------------------------------------------


def report_of(one: Pasted) -> Report:
    """What of a list is enforced."""
    return report_list(one.pack, one.army, unread_by(one.army.system))


def unread_by(system: str) -> Unread:
    """What of effects a system does not read."""
    try:
        enforced = systems.get(system).seam(Enforced)
    except (UserError, LookupError):
        return reads_all
    return partial(why_unread, enforced)


def problems_of(army: ArmyList) -> list[str]:
    """What keeps an army from being played, a sentence each."""
    # Whether it may be played, the system says when it is set up: against itself, for want of another.
    mine, other = (f"{side}: " for side in SIDES)
    try:
        new(army.system, armies=dict.fromkeys(SIDES, army), seed=0)
    except UserError as error:
        return [line.removeprefix(mine) for line in str(error).splitlines() if not line.startswith(other)]
    return []
