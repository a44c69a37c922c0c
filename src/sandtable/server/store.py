"""The database: battles, seats, and every accepted answer. SQLite by default, PostgreSQL by its URL.

A battle is stored as the head of its journal and *leaves*: what the journal gained with one answer or take-back. Leaves
are only ever added. An answer counts when its leaf is committed; nobody has seen its events before. Where a question is
put to several players at once, an answer waits without a leaf until the others are in.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import Connection, make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from sandtable.errors import UserError
from sandtable.server.seats import PERSON, Place, Seat
from sandtable.server.told import Chapter

LAYOUT: Final = "1"
"""Of the tables; another one is refused."""
MOST_LISTED: Final = 100
MOST_FORGOTTEN: Final = 20
"""Battles that are removed at one time, so that nobody's answer waits long for it."""
TAKEN: Final = "That token is in use already; make up another one."
BY_CLIENT: Final = "c:"
"""How nonces of clients begin; those of automatic answers begin otherwise."""
UNDER_WAY: Final = 3600.0
"""Seconds before the last thing that happened anywhere: whom a person's orders had not answered for by then, they leave
to that person."""
IN_SQLITE: Final = "sqlite"

metadata = sa.MetaData()

about = sa.Table("sandtable", metadata, sa.Column("layout", sa.String(20), primary_key=True))

battles = sa.Table(
    "battles",
    metadata,
    sa.Column("id", sa.String(20), primary_key=True),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("system", sa.String(40), nullable=False),
    sa.Column("head", sa.LargeBinary, nullable=False),
    sa.Column("takebacks", sa.String(20), nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("watch", sa.String(64), nullable=False, index=True),
    sa.Column("begun", sa.Float, nullable=False),
    sa.Column("touched", sa.Float, nullable=False, index=True),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("asked", sa.String(200), nullable=False),
    sa.Column("result", sa.Text, nullable=True),
)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("battle", sa.ForeignKey("battles.id"), primary_key=True),
    sa.Column("player", sa.Integer, primary_key=True),
    sa.Column("plays", sa.String(40), nullable=False),
    sa.Column("token", sa.String(64), nullable=True, unique=True),
    sa.Column("invitation", sa.String(64), nullable=True, unique=True),
    sa.Column("orders", sa.Text, nullable=False, default=""),
    sa.Column("so_far", sa.LargeBinary, nullable=False, default=b""),
)

leaves = sa.Table(
    "leaves",
    metadata,
    sa.Column("battle", sa.ForeignKey("battles.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("entries", sa.LargeBinary, nullable=False),
)

answers = sa.Table(
    "answers",
    metadata,
    sa.Column("battle", sa.ForeignKey("battles.id"), primary_key=True),
    sa.Column("player", sa.Integer, primary_key=True),
    sa.Column("nonce", sa.String(80), primary_key=True),
    sa.Column("decision", sa.BigInteger, nullable=False),
    sa.Column("answer", sa.LargeBinary, nullable=False),
    sa.Column("leaf", sa.Integer, nullable=True),
    sa.Column("why", sa.Text, nullable=False),
)


#: One row for each seat that has something to keep; a database of an earlier version gets the table when it is opened.
places = sa.Table(
    "places",
    metadata,
    sa.Column("battle", sa.ForeignKey("battles.id"), primary_key=True),
    sa.Column("player", sa.Integer, primary_key=True),
    sa.Column("seen", sa.Integer, nullable=False),
    sa.Column("hook", sa.Text, nullable=False),
    sa.Column("queue", sa.LargeBinary, nullable=False),
    sa.Column("left", sa.Float, nullable=True),
    sa.Column("increment", sa.Float, nullable=False),
)


#: Battles whose clocks were stopped by agreement.
pauses = sa.Table("pauses", metadata, sa.Column("battle", sa.ForeignKey("battles.id"), primary_key=True))


#: In which order the models of a unit fall, for each unit whose player said so.
falls = sa.Table(
    "falls",
    metadata,
    sa.Column("battle", sa.ForeignKey("battles.id"), primary_key=True),
    sa.Column("player", sa.Integer, primary_key=True),
    sa.Column("unit", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("models", sa.LargeBinary, nullable=False),
)


#: What had been planned at a seat and was given up while nobody was there to hear of it.
notices = sa.Table(
    "notices",
    metadata,
    sa.Column("battle", sa.ForeignKey("battles.id"), primary_key=True),
    sa.Column("player", sa.Integer, primary_key=True),
    sa.Column("given_up", sa.LargeBinary, nullable=False),
)


#: What each leaf told everybody who may watch, for versions that no longer play the battle the same.
told = sa.Table(
    "told",
    metadata,
    sa.Column("battle", sa.ForeignKey("battles.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("first", sa.Integer, nullable=False),
    sa.Column("events", sa.LargeBinary, nullable=False),
)


Readings: TypeAlias = tuple[tuple[int, float], ...]
"""Players with a clock, and the seconds that are left."""


class NewSeat(NamedTuple):
    """A seat of a battle that begins; of its secrets only the fingerprints."""

    player: int
    plays: str
    token: str | None = None
    invitation: str | None = None


class Status(NamedTuple):
    """Where a battle stands, for lists."""

    round: int
    asked: tuple[int, ...]
    """The players who are asked something."""
    result: str | None
    """As JSON."""
    phase: str = ""
    """Which phase of which turn it is; it is not stored."""
    active: int = -1


class Kept(NamedTuple):
    """An accepted answer."""

    player: int
    nonce: str
    decision: int
    answer: bytes
    """As JSON."""
    why: str = ""
    """Why a computer player, or a standing order, gave it."""
    waits: bool = False
    """Whether the battle goes on only when others have answered, too."""


class Dropped(NamedTuple):
    """What had waited for a seat is given up."""

    player: int
    notice: bytes
    """What its player will hear of it."""


class Addition(NamedTuple):
    """What one answer, take-back or concession adds to a battle."""

    battle: str
    number: int
    """Of the leaf."""
    leaf: bytes | None
    """What the journal gained; without it an answer waits for others."""
    status: Status
    kept: Kept | None = None
    so_far: bytes | None = None
    """What the standing orders have come to that gave the answer."""
    ends_waiting: bool = False
    """Whether answers had waited for this one, and are in the leaf, too."""
    clocks: Readings = ()
    queue: bytes | None = None
    """What still waits for its questions, where the answer had waited, too."""
    told: Chapter | None = None
    """What the leaf tells."""
    seen: tuple[tuple[int, int], ...] = ()
    """Players who have heard more events than are left, with how many that are."""
    dropped: tuple[Dropped, ...] = ()
    """What had waited for a past that has changed."""


class Saved(NamedTuple):
    """A battle as it is stored."""

    id: str
    title: str
    system: str
    head: bytes
    takebacks: str
    listed: bool
    leaves: list[bytes]
    answers: list[Kept]
    """In no order; those that wait are not in the leaves."""
    seats: list[Seat]
    told: bool = False
    """Whether what was told of it is kept, too."""
    paused: bool = False
    """Whether its clocks were stopped by agreement."""
    over: bool = False

    def journal(self) -> bytes:
        """The whole journal as a file; it tells everything, so it is given away only when the battle is over."""
        file = msgspec.json.decode(self.head, type=dict[str, msgspec.Raw])
        entries = b",".join(leaf.strip()[1:-1] for leaf in self.leaves if leaf.strip() != b"[]")
        return msgspec.json.encode({**file, "entries": msgspec.Raw(b"[%s]" % entries)})


class Listed(NamedTuple):
    """A battle in a list."""

    id: str
    title: str
    system: str
    begun: float
    touched: float
    status: Status
    plays: list[str]
    seat: int | None = None
    """The seat that somebody holds who asked for their battles."""
    free: Sequence[int] = ()
    """The seats of people that nobody has taken."""


class Store:
    """All access to the database. It waits for the disk, so it is called on a thread of its own."""

    def __init__(self, url: str) -> None:
        try:
            parsed = make_url(url)
            if parsed.get_backend_name() == IN_SQLITE and _is_memory(url):
                raise UserError("A database in memory is another one for each thread; write sqlite:///FILE.")
            # An error is written to the log, and what is stored is nobody's business there.
            self.engine = sa.create_engine(parsed, pool_pre_ping=True, hide_parameters=True)
        except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
            raise UserError(
                f"That is no database that can be used ({error}); write sqlite:///FILE or postgresql://HOST/NAME."
            ) from None
        if parsed.get_backend_name() == IN_SQLITE:
            event.listen(self.engine, "connect", _prepare_sqlite)
            if parsed.database and not parsed.database.startswith("file:"):
                _keep_private(parsed.database)
        try:
            self._open(parsed.render_as_string(hide_password=True))
        except BaseException:
            self.close()
            raise

    def _open(self, shown: str) -> None:
        try:
            with self.engine.begin() as db:
                metadata.create_all(db)
                known = db.execute(sa.select(about.c.layout)).scalar()
                if known is None:
                    db.execute(about.insert().values(layout=LAYOUT))
        except SQLAlchemyError as error:
            why = str(getattr(error, "orig", error)).strip().splitlines()[0]
            raise UserError(f"The database {shown} cannot be opened: {why}.") from None
        if known not in (None, LAYOUT):
            raise UserError(f"The database {shown} has the layout {known}; this version of Sandtable knows {LAYOUT}.")

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
                    **_columns(status),
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
            for rows, work in _statements(gained):
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
            for rows, work in _drop([(battle, dropped)]):
                db.execute(work, rows)

    def heard(self, battle: str, player: int) -> None:
        """The player of a seat has heard what was given up."""
        with self.engine.begin() as db:
            db.execute(notices.delete().where((notices.c.battle == battle) & (notices.c.player == player)))

    def keep_clocks(self, shown: Mapping[str, Readings]) -> None:
        """Keep what the clocks of some battles say."""
        with self.engine.begin() as db:
            _wind(db, [(battle, *reading) for battle, readings in shown.items() for reading in readings])

    def pause(self, battle: str, paused: bool, readings: Readings) -> None:
        """Keep that the clocks of a battle were stopped, or run again, and what they said then."""
        with self.engine.begin() as db:
            db.execute(pauses.delete().where(pauses.c.battle == battle))
            if paused:
                db.execute(pauses.insert().values(battle=battle))
            _wind(db, [(battle, *reading) for reading in readings])

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
            for table in (told, notices, falls, pauses, places, answers, leaves, seats):
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
                sa.select(battles.c.id, battles.c.asked, seats.c.player)
                .join(seats, seats.c.battle == battles.c.id)
                .outerjoin(places, same)
                .outerjoin(falls, whose)
                .where(battles.c.result.is_(None) & itself)
                .order_by(battles.c.touched.desc(), battles.c.id)
            ).all()
        return list(dict.fromkeys(str(r.id) for r in rows if str(r.player) in r.asked.split(",")))[:most]


def _statements(gained: Sequence[Addition]) -> Iterator[tuple[list[dict[str, Any]], sa.Executable]]:
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
    yield from _drop([(a.battle, dropped) for a in gained for dropped in a.dropped])
    now = time.time()
    changed: dict[str, Any] = {name: sa.bindparam(f"new_{name}") for name in ("touched", "round", "asked", "result")}
    yield (
        [
            {"of": a.battle, "new_touched": now, **{f"new_{name}": v for name, v in _columns(a.status).items()}}
            for a in gained
        ],
        battles.update().where(battles.c.id == sa.bindparam("of")).values(changed),
    )


def _drop(gone: Sequence[tuple[str, Dropped]]) -> Iterator[tuple[list[dict[str, Any]], sa.Executable]]:
    """What is executed for queues that are given up: the last that is heard of a seat counts."""
    rows = [{"of": battle, "at": dropped.player} for battle, dropped in gone]
    yield [{**row, "rest": b""} for row in rows], places.update().where(ROW).values(queue=sa.bindparam("rest"))
    which = (notices.c.battle == sa.bindparam("of")) & (notices.c.player == sa.bindparam("at"))
    yield rows, notices.delete().where(which)
    new = [{"battle": battle, "player": dropped.player, "given_up": dropped.notice} for battle, dropped in gone]
    yield new, notices.insert()


IN_LISTS: Final = (
    *(battles.c.id, battles.c.title, battles.c.system, battles.c.begun, battles.c.touched),
    *(battles.c.round, battles.c.asked, battles.c.result),
)
"""What lists tell of a battle; its datasheets, of which there are many, stay where they are."""
ROW: Final = (places.c.battle == sa.bindparam("of")) & (places.c.player == sa.bindparam("at"))
WIND: Final = places.update().where(ROW).values(left=sa.bindparam("seconds"))


def _ran(clocks: Sequence[tuple[str, int, float]]) -> list[dict[str, Any]]:
    return [{"of": battle, "at": player, "seconds": left} for battle, player, left in clocks]


def _wind(db: Connection, clocks: Sequence[tuple[str, int, float]]) -> None:
    if clocks:
        db.execute(WIND, _ran(clocks))


def _columns(status: Status) -> dict[str, Any]:
    return {"round": status.round, "asked": ",".join(map(str, status.asked)), "result": status.result}


def _seat(battle: str, row: Any) -> Seat:
    taken = row["plays"] != PERSON or row["token"] is not None
    return Seat(battle, row["player"], row["plays"], taken, row["orders"], bytes(row["so_far"]))


def _place(row: Any) -> Place:
    return Place(row["seen"], row["hook"], bytes(row["queue"]), row["left"], row["increment"])


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
    columns = (seats.c.battle, seats.c.plays, seats.c.player, seats.c.token)
    for seat in db.execute(sa.select(*columns).where(seats.c.battle.in_(ids)).order_by(seats.c.player)).mappings():
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


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    """Readers do not wait for writers, and what is committed is on the disk, not only on its way there."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _is_memory(url: str) -> bool:
    """Whether a database of SQLite is no file."""
    return not make_url(url).database or ":memory:" in url or "mode=memory" in url


def _keep_private(name: str) -> None:
    """Only who runs the server reads the file: seeds of running battles are in it. Those beside it become as it is."""
    with suppress(OSError):  # where it cannot be made, opening it says why
        os.close(os.open(name, os.O_CREAT | os.O_RDWR, 0o600))
        for beside in ("", "-wal", "-shm", "-journal"):
            path = Path(name + beside)
            if path.is_file():
                path.chmod(0o600)
