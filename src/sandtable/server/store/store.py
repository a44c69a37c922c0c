"""The store: all access to the database. It waits for the disk, so it is called on a thread of its own."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from sandtable.errors import UserError
from sandtable.server.seats import PERSON, Calls, Place, Seat
from sandtable.server.store.additions import call, columns_of, drop, statements, wind
from sandtable.server.store.opening import opened
from sandtable.server.store.records import Addition, Dropped, Kept, Listed, NewSeat, Readings, Saved, Status
from sandtable.server.store.tables import (
    answers,
    battles,
    called,
    due,
    falls,
    leaves,
    notices,
    pauses,
    places,
    seats,
    told,
)
from sandtable.server.told import Chapter

MOST_LISTED: Final = 100
MOST_FORGOTTEN: Final = 20
"""Battles that are removed at one time, so that nobody's answer waits long for it."""
TAKEN: Final = "That token is in use already; make up another one."
BY_CLIENT: Final = "c:"
"""How nonces of clients begin; those of automatic answers begin otherwise."""
UNDER_WAY: Final = 3600.0
"""Seconds before the last thing that happened anywhere: whom a person's orders had not answered for by then, they leave
to that person."""
IN_LISTS: Final = (
    *(battles.c.id, battles.c.title, battles.c.system, battles.c.begun, battles.c.touched),
    *(battles.c.round, battles.c.asked, battles.c.result),
)
"""What lists tell of a battle; its datasheets, of which there are many, stay where they are."""


class Store:
    """All access to the database."""

    def __init__(self, url: str) -> None:
        self.engine = opened(url)

    def close(self) -> None:
        self.engine.dispose()

    # ---------------------------------------------------------------------------------- writing

    def begin(
        self,
        saved: Saved,
        taken: Sequence[NewSeat],
        watch: str,
        status: Status,
        kept: Mapping[int, Place] | None = None,
        story: Chapter | None = None,
    ) -> None:
        """A new battle, with the leaf that it begins with, and what is kept for its seats."""
        now = time.time()
        with self.engine.begin() as db:
            db.execute(
                battles.insert().values(
                    id=saved.id,
                    title=saved.title,
                    system=saved.system,
                    head=saved.head,
                    takebacks=saved.takebacks,
                    listed=saved.listed,
                    watch=watch,
                    begun=now,
                    touched=now,
                    **columns_of(status),
                )
            )
            db.execute(
                seats.insert(),
                [{"battle": saved.id, **s._asdict(), "orders": "", "so_far": b""} for s in taken],
            )
            rows = [{"battle": saved.id, "number": i, "entries": leaf} for i, leaf in enumerate(saved.leaves)]
            db.execute(leaves.insert(), rows)
            if story is not None:
                db.execute(told.insert(), [{"battle": saved.id, "number": 0, **story._asdict()}])
            if kept:
                at = [{"battle": saved.id, "player": player, **place._asdict()} for player, place in kept.items()]
                db.execute(places.insert(), at)

    def add(self, gained: Sequence[Addition]) -> None:
        """Keep what happened in some battles; all of it, or nothing."""
        with self.engine.begin() as db:
            for rows, work in statements(gained):
                if rows:
                    db.execute(work, rows)

    def give_orders(self, battle: str, player: int, orders: str, so_far: bytes = b"") -> None:
        """Standing orders of a seat."""
        with self.engine.begin() as db:
            place = (seats.c.battle == battle) & (seats.c.player == player)
            db.execute(seats.update().where(place).values(orders=orders, so_far=so_far))

    def keep_place(self, battle: str, player: int, **changed: Any) -> None:
        """Keep what changed for a seat, by the names of the fields of `Place`."""
        with self.engine.begin() as db:
            where = (places.c.battle == battle) & (places.c.player == player)
            if db.execute(places.update().where(where).values(**changed)).rowcount != 1:
                row = {"battle": battle, "player": player, **Place()._asdict(), **changed}
                db.execute(places.insert().values(row))

    def give_up(self, battle: str, dropped: Dropped) -> None:
        """Forget what waits for a seat, and keep what its player will hear of that."""
        with self.engine.begin() as db:
            for rows, work in drop([(battle, dropped)]):
                db.execute(work, rows)

    def heard(self, battle: str, player: int) -> None:
        """The player of a seat has heard what was given up."""
        with self.engine.begin() as db:
            db.execute(notices.delete().where((notices.c.battle == battle) & (notices.c.player == player)))

    def keep_due(self, battle: str, player: int, about: int | None) -> None:
        """Keep that the webhook of a seat is to be called about a question; None for not any more."""
        new, gone = ([], [(battle, player)]) if about is None else ([(battle, player, about)], [])
        with self.engine.begin() as db:
            for rows, work in call(new, gone):
                if rows:
                    db.execute(work, rows)

    def keep_called(self, battle: str, player: int, about: int) -> None:
        """The webhook of a seat was called about a question."""
        with self.engine.begin() as db:
            for table in (due, called):
                mine = (table.c.battle == battle) & (table.c.player == player)
                # Meanwhile it may be due because of something else.
                db.execute(table.delete().where(mine & (table.c.about == about) if table is due else mine))
            db.execute(called.insert().values(battle=battle, player=player, about=about, at=time.time()))

    def keep_clocks(self, shown: Mapping[str, Readings]) -> None:
        """Keep what the clocks of some battles say."""
        with self.engine.begin() as db:
            wind(db, [(battle, *reading) for battle, readings in shown.items() for reading in readings])

    def pause(self, battle: str, paused: bool, readings: Readings) -> None:
        """Keep that the clocks of a battle were stopped, or run again, and what they said then."""
        with self.engine.begin() as db:
            db.execute(pauses.delete().where(pauses.c.battle == battle))
            if paused:
                db.execute(pauses.insert().values(battle=battle))
            wind(db, [(battle, *reading) for reading in readings])

    def keep_fall(self, battle: str, player: int, unit: int, models: tuple[int, ...]) -> None:
        """In which order the models of a unit fall; none for no order."""
        with self.engine.begin() as db:
            db.execute(
                falls.delete().where((falls.c.battle == battle) & (falls.c.player == player) & (falls.c.unit == unit))
            )
            if models:
                row = {"battle": battle, "player": player, "unit": unit, "models": msgspec.json.encode(models)}
                db.execute(falls.insert().values(row))

    def claim(self, invitation: str, token: str) -> tuple[str, int] | None:
        """Take the seat of an invitation, by fingerprints; None if it was never made, or another token took it."""
        free = (seats.c.invitation == invitation) & seats.c.token.is_(None)
        held = (seats.c.invitation == invitation) & (seats.c.token == token)
        watches = sa.select(battles.c.id).where(battles.c.watch == token)
        invites = sa.select(seats.c.battle).where(seats.c.invitation == token)
        with self.engine.begin() as db:
            if db.execute(watches).first() is not None or db.execute(invites).first() is not None:
                raise UserError(TAKEN)
            # Of two who claim it at one time only one changes a row, and who did not hear the reply may ask again.
            try:
                db.execute(seats.update().where(free).values(token=token))
            except IntegrityError:
                raise UserError(TAKEN) from None
            found = db.execute(sa.select(seats.c.battle, seats.c.player).where(held)).one_or_none()
            return None if found is None else (str(found.battle), int(found.player))

    def forget(self, before: float, but: Iterable[str] = ()) -> int:
        """Remove battles where no person's seat ever answered, untouched since a time, but for some; says how many."""
        same = (seats.c.battle == answers.c.battle) & (seats.c.player == answers.c.player)
        person = same & (seats.c.plays == PERSON) & (answers.c.battle == battles.c.id)
        chosen = (
            sa.select(battles.c.id)
            .where(battles.c.touched < before)
            .where(battles.c.id.not_in(list(but)))
            .where(~sa.exists(sa.select(1).select_from(answers.join(seats, same)).where(person)))
            .order_by(battles.c.touched)
            .limit(MOST_FORGOTTEN)
        )
        with self.engine.begin() as db:
            gone = sorted(db.execute(chosen).scalars())
            for table in (told, due, called, notices, falls, pauses, places, answers, leaves, seats):
                db.execute(table.delete().where(table.c.battle.in_(gone)))
            db.execute(battles.delete().where(battles.c.id.in_(gone)))
        return len(gone)

    # ---------------------------------------------------------------------------------- reading

    def seat_of(self, token: str) -> tuple[str, int] | None:
        """The battle and the player of a token, by its fingerprint."""
        with self.engine.connect() as db:
            row = db.execute(sa.select(seats.c.battle, seats.c.player).where(seats.c.token == token)).one_or_none()
        return None if row is None else (str(row.battle), int(row.player))

    def watched_by(self, token: str) -> str | None:
        """The battle that a spectator's token, by its fingerprint, opens."""
        with self.engine.connect() as db:
            found = db.execute(sa.select(battles.c.id).where(battles.c.watch == token)).scalar()
        return None if found is None else str(found)

    def load(self, battle: str) -> Saved | None:
        """A battle, whole."""
        with self.engine.connect() as db:
            row = db.execute(sa.select(battles).where(battles.c.id == battle)).mappings().one_or_none()
            if row is None:
                return None
            entries = db.execute(
                sa.select(leaves.c.entries).where(leaves.c.battle == battle).order_by(leaves.c.number)
            ).scalars()
            given = db.execute(sa.select(answers).where(answers.c.battle == battle)).mappings()
            taken = db.execute(sa.select(seats).where(seats.c.battle == battle).order_by(seats.c.player)).mappings()
            kept = db.execute(sa.select(places).where(places.c.battle == battle)).mappings()
            at = {row["player"]: _place(row) for row in kept}
            orders = db.execute(sa.select(falls).where(falls.c.battle == battle)).mappings().all()
            untold = db.execute(sa.select(notices).where(notices.c.battle == battle)).mappings()
            calls = _calls(db, battle)
            told_of = {row["player"]: bytes(row["given_up"]) for row in untold}
            return Saved(
                battle,
                row["title"],
                row["system"],
                bytes(row["head"]),
                row["takebacks"],
                row["listed"],
                [bytes(leaf) for leaf in entries],
                [
                    Kept(a["player"], a["nonce"], a["decision"], bytes(a["answer"]), a["why"], a["leaf"] is None)
                    for a in given
                ],
                [
                    _seat(battle, s)._replace(
                        place=at.get(s["player"], Place()),
                        falls=_falls(orders, s["player"]),
                        notice=told_of.get(s["player"], b""),
                        calls=calls.get(s["player"], Calls()),
                    )
                    for s in taken
                ],
                db.execute(sa.select(told.c.number).where(told.c.battle == battle).limit(1)).first() is not None,
                db.execute(sa.select(pauses).where(pauses.c.battle == battle)).first() is not None,
                row["result"] is not None,
            )

    def told(self, battle: str) -> list[Chapter]:
        """What was told of a battle, in its order."""
        chosen = sa.select(told.c.first, told.c.events).where(told.c.battle == battle).order_by(told.c.number)
        with self.engine.connect() as db:
            return [Chapter(row.first, bytes(row.events)) for row in db.execute(chosen)]

    def listed(self) -> list[Listed]:
        """The battles that everybody may watch, the latest first."""
        chosen = sa.select(*IN_LISTS).where(battles.c.listed).order_by(battles.c.touched.desc()).limit(MOST_LISTED)
        with self.engine.connect() as db:
            return _listed(db, db.execute(chosen).mappings().all())

    def held_by(self, tokens: Iterable[str]) -> list[Listed]:
        """The battles of those who hold these tokens, by their fingerprints; where it is their move first."""
        with self.engine.connect() as db:
            held = db.execute(sa.select(seats.c.battle, seats.c.player).where(seats.c.token.in_(list(tokens)))).all()
            mine = battles.c.id.in_([h.battle for h in held])
            rows = db.execute(sa.select(*IN_LISTS).where(mine)).mappings().all()
            found = {entry.id: entry for entry in _listed(db, rows)}
        seated = [found[h.battle]._replace(seat=h.player) for h in held]
        return sorted(seated, key=lambda m: (m.status.result is not None, m.seat not in m.status.asked, -m.touched))

    def unattended(self, most: int) -> list[str]:
        """The battles that go on without anybody's doing, those first that were touched last, and only so many.

        A computer player is asked, or who has a clock; or a seat that left orders, unless they had long been done with.
        Or somebody is to be told of what happened before the server stopped.
        """
        latest = sa.select(sa.func.max(battles.c.touched)).scalar_subquery()
        ordered = (seats.c.orders != "") | (places.c.queue != b"") | falls.c.unit.is_not(None)
        itself = (
            (seats.c.plays != PERSON)
            | places.c.left.is_not(None)
            | (ordered & (battles.c.touched >= latest - UNDER_WAY))
        )
        same = (places.c.battle == seats.c.battle) & (places.c.player == seats.c.player)
        whose = (falls.c.battle == seats.c.battle) & (falls.c.player == seats.c.player)
        with self.engine.connect() as db:
            rows = db.execute(
                sa.select(battles.c.id, battles.c.touched, battles.c.asked, seats.c.player)
                .join(seats, seats.c.battle == battles.c.id)
                .outerjoin(places, same)
                .outerjoin(falls, whose)
                .where(battles.c.result.is_(None) & itself)
                .order_by(battles.c.touched.desc(), battles.c.id)
            ).all()
            calling = battles.c.id.in_(sa.select(due.c.battle))
            calls = db.execute(
                sa.select(battles.c.id, battles.c.touched)
                .where(calling)
                .order_by(battles.c.touched.desc(), battles.c.id)
                .limit(most)
            ).all()
        found = {str(r.id): r.touched for r in rows if str(r.player) in r.asked.split(",")}
        found |= {str(r.id): r.touched for r in calls}
        return sorted(found, key=lambda id_: (-found[id_], id_))[:most]


def _seat(battle: str, row: Any) -> Seat:
    taken = row["plays"] != PERSON or row["token"] is not None
    return Seat(battle, row["player"], row["plays"], taken, row["orders"], bytes(row["so_far"]))


def _place(row: Any) -> Place:
    return Place(row["seen"], row["hook"], bytes(row["queue"]), row["left"], row["increment"])


def _calls(db: Connection, battle: str) -> dict[int, Calls]:
    found: dict[int, Calls] = {}
    for row in db.execute(sa.select(called).where(called.c.battle == battle)).mappings():
        found[row["player"]] = Calls(None, row["about"], row["at"])
    for row in db.execute(sa.select(due).where(due.c.battle == battle)).mappings():
        found[row["player"]] = found.get(row["player"], Calls())._replace(due=row["about"])
    return found


def _falls(rows: Sequence[Any], player: int) -> dict[int, tuple[int, ...]]:
    order = msgspec.json.Decoder(tuple[int, ...])
    found = {}
    for row in rows:
        if row["player"] == player:
            with suppress(msgspec.MsgspecError):  # who cannot be read falls as the player says then
                found[row["unit"]] = order.decode(row["models"])
    return found


def _listed(db: Connection, rows: Sequence[Any]) -> list[Listed]:
    ids = [row["id"] for row in rows]
    plays: dict[str, list[str]] = {id_: [] for id_ in ids}
    free: dict[str, list[int]] = {id_: [] for id_ in ids}
    wanted = (seats.c.battle, seats.c.plays, seats.c.player, seats.c.token)
    for seat in db.execute(sa.select(*wanted).where(seats.c.battle.in_(ids)).order_by(seats.c.player)).mappings():
        plays[seat["battle"]].append(seat["plays"])
        if seat["plays"] == PERSON and seat["token"] is None:
            free[seat["battle"]].append(seat["player"])
    return [
        Listed(
            row["id"],
            row["title"],
            row["system"],
            row["begun"],
            row["touched"],
            Status(row["round"], tuple(int(p) for p in row["asked"].split(",") if p), row["result"]),
            plays[row["id"]],
            free=free[row["id"]],
        )
        for row in rows
    ]
