"""Army lists of strangers: read in a worker, and told before anybody plays them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable import systems
from sandtable.armies.lists import list_cost
from sandtable.armies.reports import Numbers
from sandtable.armies.told import detachment_names, faction_name, measure, rows
from sandtable.armies.written import write_list
from sandtable.brought import Reading, is_ours, problems_of, read_brought, report_of
from sandtable.errors import UserError
from sandtable.server.dropped import demand
from sandtable.server.protocol import Counted, LeftRead, ListRead, ReadList, UnitRead
from sandtable.server.protocol.lists import MOST_TOLD

YOURS: Final = "Your list"
"""What a refusal calls the list that somebody sent."""


def read(asked: ReadList) -> ListRead:
    """What is understood of a list; refuses, in a sentence, what is none."""
    for id_ in filter(None, (asked.system, asked.rather)):
        if id_ not in systems.known():
            raise UserError(f"There is no system '{id_}'; there are {', '.join(systems.known())}.")
    demand("army list", asked.text)
    one, others = _read(asked.text, asked.system, asked.rather)
    found, army, pack = report_of(one), one.army, one.pack
    return ListRead(
        system=army.system,
        others=others,
        source=one.source,
        name=army.name,
        faction=faction_name(pack, army),
        detachments=detachment_names(pack, army),
        measure=measure(pack),
        cost=list_cost(pack, army),
        limit=army.limit,
        reported=one.reported,
        units=[UnitRead(*row) for row in rows(pack, army)],
        doubts=_some(one.doubts),
        problems=_some(problems_of(army)),
        core=found.core,
        abilities=_counted(found.units),
        rules=_counted(found.rules),
        left=[LeftRead(*line) for line in found.lines[:MOST_TOLD]],
        text=write_list(army),
    )


def as_ours(text: str, system: str) -> str:
    """A list in any form as a file of ours."""
    demand("army list", text)
    return text if is_ours(text) else write_list(_read(text, system).list.army)


def _read(text: str, system: str, rather: str = "") -> Reading:
    try:
        return read_brought(text, YOURS, system, rather)
    except UserError as error:
        raise UserError(" ".join(str(error).split())) from None


def warm() -> None:
    """Load what the first list needs, so that nobody waits for it."""
    from sandtable.armies.imported import dataset
    from sandtable.armies.packs import find_packs, open_pack

    dataset()
    for name in find_packs():
        open_pack(name)


def _counted(numbers: Numbers) -> Counted:
    return Counted(*numbers)


def _some(lines: Sequence[str]) -> list[str]:
    """As many as somebody reads, and a sentence where there are more."""
    more = len(lines) - MOST_TOLD
    return [*lines[:MOST_TOLD], f"And {more} more."] if more > 0 else list(lines)
