"""How additions are kept: few statements for all battles, together hardly slower than for one alone."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from sandtable.server.store.records import Addition, Dropped, Status
from sandtable.server.store.tables import answers, battles, due, leaves, notices, places, seats, told

ROW: Final = (places.c.battle == sa.bindparam("of")) & (places.c.player == sa.bindparam("at"))
WIND: Final = places.update().where(ROW).values(left=sa.bindparam("seconds"))


def statements(gained: Sequence[Addition]) -> Iterator[tuple[list[dict[str, Any]], sa.Executable]]:
    """What is executed for additions, each statement with its rows: together they take hardly longer than one alone."""
    new = [a for a in gained if a.leaf is not None]
    yield [{"battle": a.battle, "number": a.number, "entries": a.leaf} for a in new], leaves.insert()
    yield [{"battle": a.battle, "number": a.number, **a.told._asdict()} for a in new if a.told], told.insert()
    settled = [{"of": a.battle, "with": a.number} for a in new if a.ends_waiting]
    waiting = (answers.c.battle == sa.bindparam("of")) & answers.c.leaf.is_(None)
    yield settled, answers.update().where(waiting).values(leaf=sa.bindparam("with"))
    yield (
        [
            {
                "battle": a.battle,
                "player": a.kept.player,
                "nonce": a.kept.nonce,
                "decision": a.kept.decision,
                "answer": a.kept.answer,
                "leaf": None if a.leaf is None else a.number,
                "why": a.kept.why,
            }
            for a in gained
            if a.kept is not None
        ],
        answers.insert(),
    )
    ordered = [(a.battle, a.kept.player, a.so_far) for a in gained if a.kept is not None and a.so_far is not None]
    place = (seats.c.battle == sa.bindparam("of")) & (seats.c.player == sa.bindparam("at"))
    yield (
        [{"of": battle, "at": player, "memory": so_far} for battle, player, so_far in ordered],
        seats.update().where(place).values(so_far=sa.bindparam("memory")),
    )
    yield _ran([(a.battle, *reading) for a in gained for reading in a.clocks]), WIND
    ahead = [
        {"of": a.battle, "at": a.kept.player, "rest": a.queue}
        for a in gained
        if a.kept is not None and a.queue is not None
    ]
    yield ahead, places.update().where(ROW).values(queue=sa.bindparam("rest"))
    unseen = [{"of": a.battle, "at": player, "events": events} for a in gained for player, events in a.seen]
    yield unseen, places.update().where(ROW).values(seen=sa.bindparam("events"))
    yield from drop([(a.battle, dropped) for a in gained for dropped in a.dropped])
    calls = [(a.battle, player, about) for a in gained for player, about in a.due]
    yield from call(calls, [(a.battle, player) for a in gained for player in a.not_due])
    now = time.time()
    changed: dict[str, Any] = {name: sa.bindparam(f"new_{name}") for name in ("touched", "round", "asked", "result")}
    yield (
        [
            {"of": a.battle, "new_touched": now, **{f"new_{name}": v for name, v in columns_of(a.status).items()}}
            for a in gained
        ],
        battles.update().where(battles.c.id == sa.bindparam("of")).values(changed),
    )


def drop(gone: Sequence[tuple[str, Dropped]]) -> Iterator[tuple[list[dict[str, Any]], sa.Executable]]:
    """What is executed for queues that are given up: the last that is heard of a seat counts."""
    rows = [{"of": battle, "at": dropped.player} for battle, dropped in gone]
    yield [{**row, "rest": b""} for row in rows], places.update().where(ROW).values(queue=sa.bindparam("rest"))
    which = (notices.c.battle == sa.bindparam("of")) & (notices.c.player == sa.bindparam("at"))
    yield rows, notices.delete().where(which)
    new = [{"battle": battle, "player": dropped.player, "given_up": dropped.notice} for battle, dropped in gone]
    yield new, notices.insert()


def call(
    calls: Sequence[tuple[str, int, int]], no_more: Sequence[tuple[str, int]] = ()
) -> Iterator[tuple[list[dict[str, Any]], sa.Executable]]:
    """What is executed for webhooks that are to be called, or not any more."""
    before = [*no_more, *((battle, player) for battle, player, _ in calls)]
    which = (due.c.battle == sa.bindparam("of")) & (due.c.player == sa.bindparam("at"))
    yield [{"of": battle, "at": player} for battle, player in before], due.delete().where(which)
    yield [{"battle": battle, "player": player, "about": about} for battle, player, about in calls], due.insert()


def _ran(clocks: Sequence[tuple[str, int, float]]) -> list[dict[str, Any]]:
    return [{"of": battle, "at": player, "seconds": left} for battle, player, left in clocks]


def wind(db: Connection, clocks: Sequence[tuple[str, int, float]]) -> None:
    if clocks:
        db.execute(WIND, _ran(clocks))


def columns_of(status: Status) -> dict[str, Any]:
    return {"round": status.round, "asked": ",".join(map(str, status.asked)), "result": status.result}
