"""The database, on SQLite and on PostgreSQL."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from sandtable.errors import UserError
from sandtable.server.seats import OVER, PERSON, Calls, Place
from sandtable.server.store import opening
from sandtable.server.store import store as stores
from sandtable.server.store.opening import Busy
from sandtable.server.store.records import Addition, Dropped, Kept, NewSeat, Saved, Status
from sandtable.server.store.store import UNDER_WAY, Store
from sandtable.server.store.tables import about, battles, called, due
from server.kills import play_and_kill
from server.live import Server

STATUS = Status(1, (0,), None)


def postgres_folder() -> Path | None:
    """Where the programs of a PostgreSQL server are; Debian keeps them off the path."""
    found = [Path(p).resolve().parent for p in (shutil.which("initdb"), shutil.which("postgres")) if p]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in found if (folder / "initdb").is_file()), None)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """A private cluster in a folder of its own, reached by a socket in it; root has it run by somebody else."""
    programs = postgres_folder()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed: Debian's package is called postgresql")
    # Not in pytest's own folder: nobody but its owner may go there, and the path of a socket must be short.
    with tempfile.TemporaryDirectory(prefix="sandtable-pg-", ignore_cleanup_errors=True) as folder:
        user: dict[str, Any] = {}
        if os.geteuid() == 0:
            name = next((n for n in ("postgres", "nobody") if n in {entry.pw_name for entry in pwd.getpwall()}), None)
            if name is None:
                pytest.skip("PostgreSQL does not run as root, and there is nobody else")
            entry = pwd.getpwnam(name)
            user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
            shutil.chown(folder, entry.pw_uid, entry.pw_gid)

        def run(program: str, *arguments: str) -> None:
            command = [str(programs / program), "-D", f"{folder}/data", *arguments]
            done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False, **user)
            assert done.returncode == 0, done.stderr

        run("initdb", "-U", "sandtable", "-A", "trust", "-N", "-E", "UTF8", "--no-locale")
        settings = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off -c max_connections=20"
        run("pg_ctl", "-w", "-l", f"{folder}/log", "-o", settings, "start")
        try:
            yield f"postgresql://sandtable@/postgres?host={folder}"
        finally:
            run("pg_ctl", "-w", "-m", "immediate", "stop")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/battles.db"
    url = str(request.getfixturevalue("postgresql"))
    name = f"test_{abs(hash(request.node.name))}"
    admin = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    with admin.connect() as db:
        db.execute(sa.text(f"DROP DATABASE IF EXISTS {name}"))
        db.execute(sa.text(f"CREATE DATABASE {name}"))
    admin.dispose()
    return url.replace("/postgres?", f"/{name}?")


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    opened = Store(database)
    yield opened
    opened.close()


def begun(store: Store, id_: str = "one", **more: bool) -> Saved:
    saved = Saved(id_, "Red against Blue", "any", b"head", "agreed", more.get("listed", True), [b"[]"], [], [])
    seats = [NewSeat(0, PERSON, f"{id_}-token"), NewSeat(1, PERSON, None, f"{id_}-invitation"), NewSeat(2, "random")]
    store.begin(saved, seats, f"{id_}-watch", STATUS)
    return saved


def test_a_battle_comes_back_as_it_was_stored(store: Store) -> None:
    begun(store)
    store.add([Addition("one", 1, b"[1]", STATUS, Kept(0, "c:a", 7, b"true", "because"))])
    store.add([Addition("one", 2, b"[2]", STATUS)])
    found = store.load("one")
    assert found is not None
    assert found.leaves == [b"[]", b"[1]", b"[2]"]
    assert found.answers == [Kept(0, "c:a", 7, b"true", "because", waits=False)]
    assert [(s.player, s.plays, s.taken) for s in found.seats] == [
        (0, PERSON, True),
        (1, PERSON, False),
        (2, "random", True),
    ]
    assert store.load("another") is None


def test_nobody_waits_without_end_for_who_holds_the_database(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LONGEST_WAIT", 50)
    opened = Store(database)
    begun(opened)
    other = sa.create_engine(database)
    hold = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "LOCK TABLE battles"}[other.dialect.name]
    with other.connect() as db:
        db.exec_driver_sql(hold)
        with pytest.raises(Busy):
            opened.add([Addition("one", 1, b"[1]", STATUS)])
        db.rollback()
    opened.add([Addition("one", 1, b"[1]", STATUS)])
    assert loaded(opened).leaves == [b"[]", b"[1]"]
    other.dispose()
    opened.close()


def test_what_is_kept_for_who_comes_and_goes_comes_back_too(store: Store) -> None:
    saved = Saved("one", "Red against Blue", "any", b"head", "agreed", True, [b"[]"], [], [])
    seats = [NewSeat(player, PERSON, f"token {player}") for player in (0, 1)]
    store.begin(saved, seats, "watch", STATUS, {0: Place(left=60.0, increment=5.0)})
    store.keep_place("one", 0, seen=12, hook="https://example.org/x")
    store.keep_place("one", 1, queue=b"[1]")
    store.add([Addition("one", 1, b"[1]", STATUS, clocks=((0, 41.5),))])
    assert [seat.place for seat in loaded(store).seats] == [
        Place(12, "https://example.org/x", b"", 41.5, 5.0),
        Place(queue=b"[1]"),
    ]


def test_battles_go_on_by_themselves_that_have_a_clock_or_answers_ahead(store: Store) -> None:
    for id_ in ("clocked", "queued", "plain"):
        saved = Saved(id_, "Red against Blue", "any", b"head", "agreed", True, [b"[]"], [], [])
        kept = {0: Place(left=60.0)} if id_ == "clocked" else {}
        store.begin(saved, [NewSeat(0, PERSON, id_)], f"{id_}-watch", Status(1, (0,), None), kept)
    store.keep_place("queued", 0, queue=b"[1]")
    assert sorted(store.unattended(9)) == ["clocked", "queued"]
    store.keep_place("queued", 0, queue=b"")
    assert store.unattended(9) == ["clocked"]


def test_an_answer_waits_until_its_leaf_is_there(store: Store) -> None:
    begun(store)
    store.add([Addition("one", 1, None, STATUS, Kept(0, "c:a", 7, b"1"))])
    assert [kept.waits for kept in loaded(store).answers] == [True]
    store.add([Addition("one", 1, b"[1]", STATUS, Kept(1, "c:b", 8, b"2"), ends_waiting=True)])
    assert sorted((kept.nonce, kept.waits) for kept in loaded(store).answers) == [("c:a", False), ("c:b", False)]


def test_what_cannot_be_stored_whole_is_not_stored_at_all(store: Store) -> None:
    begun(store)
    store.add([Addition("one", 1, b"[1]", STATUS, Kept(0, "c:a", 7, b"1"))])
    with pytest.raises(sa.exc.IntegrityError):
        store.add([Addition("one", 2, b"[2]", Status(9, (), "{}"), Kept(0, "c:a", 8, b"2"))])
    with pytest.raises(sa.exc.IntegrityError):
        store.add([Addition("one", 1, b"[x]", STATUS, Kept(0, "c:b", 8, b"2"))])
    assert loaded(store).leaves == [b"[]", b"[1]"]
    assert len(loaded(store).answers) == 1
    assert store.listed()[0].status == STATUS


def test_answers_of_several_battles_are_stored_together(store: Store) -> None:
    for id_ in ("one", "two"):
        begun(store, id_)
    after = [Status(2, (1,), None), Status(3, (), '{"winners":[0]}')]
    store.add(
        [Addition(id_, 1, b"[1]", s, Kept(0, "c:a", 7, b"1")) for id_, s in zip(("one", "two"), after, strict=True)]
    )
    assert {battle.id: battle.status for battle in store.listed()} == dict(zip(("one", "two"), after, strict=True))
    assert loaded(store).leaves == [b"[]", b"[1]"]


def loaded(store: Store) -> Saved:
    found = store.load("one")
    assert found is not None
    return found


def test_an_invitation_is_claimed_once(store: Store) -> None:
    begun(store)
    for taken in ("one-watch", "one-invitation", "one-token"):
        with pytest.raises(UserError, match="in use already"):
            store.claim("one-invitation", taken)
    assert store.claim("one-invitation", "new") == ("one", 1)
    assert store.claim("one-invitation", "newer") is None
    assert store.claim("one-invitation", "new") == ("one", 1)
    assert store.claim("never made", "x") is None
    assert store.seat_of("new") == ("one", 1)
    assert store.seat_of("newer") is None


def test_tokens_lead_to_seats_and_battles(store: Store) -> None:
    begun(store)
    begun(store, "two", listed=False)
    assert store.seat_of("two-token") == ("two", 0)
    assert store.watched_by("two-watch") == "two"
    assert store.watched_by("two-token") is None
    assert [battle.id for battle in store.listed()] == ["one"]
    assert [(battle.id, battle.seat) for battle in store.held_by(["two-token", "nothing"])] == [("two", 0)]


def test_battles_that_wait_for_no_person_are_found(store: Store) -> None:
    begun(store)
    begun(store, "two")
    assert store.unattended(9) == []
    store.add([Addition("two", 1, b"", Status(1, (2,), None))])
    assert store.unattended(9) == ["two"]
    store.give_orders("one", 0, "default")
    assert sorted(store.unattended(9)) == ["one", "two"]
    store.add([Addition("two", 2, b"", Status(1, (), "{}"))])
    assert store.unattended(9) == ["one"]


def test_those_that_were_touched_last_go_on_first_and_orders_only_where_something_was_under_way(store: Store) -> None:
    for number, id_ in enumerate(("old", "late", "latest")):
        begun(store, id_)
        store.give_orders(id_, 0, "default")
        touch(store, id_, 10_000.0 * number)
    begun(store, "computer")
    store.add([Addition("computer", 1, b"", Status(1, (2,), None))])
    touch(store, "computer", 0.0)
    assert store.unattended(9) == ["latest", "computer"]
    touch(store, "late", 20_000.0 - UNDER_WAY)
    assert store.unattended(9) == ["latest", "late", "computer"]
    assert store.unattended(2) == ["latest", "late"]


def touch(store: Store, id_: str, when: float) -> None:
    with store.engine.begin() as db:
        db.execute(battles.update().where(battles.c.id == id_).values(touched=when))


def test_battles_that_no_person_ever_played_are_forgotten_after_a_while(store: Store) -> None:
    for id_ in ("played", "left", "seen", "fresh"):
        begun(store, id_)
        # What was planned or ordered was a person's doing as well.
        store.add([Addition(id_, 1, b"[1]", STATUS, Kept(0 if id_ == "played" else 2, "a:1", 7, b"1"))])
        store.keep_place(id_, 0, seen=3)
        touch(store, id_, 1000.0 if id_ == "fresh" else 0.0)
    assert store.forget(500.0, ["seen"]) == 1
    assert sorted(battle.id for battle in store.listed()) == ["fresh", "played", "seen"]
    assert (store.load("left"), store.seat_of("left-token")) == (None, None)
    assert store.forget(500.0) == 1


def test_battles_that_are_in_memory_keep_none_of_the_others_from_being_forgotten(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "MOST_FORGOTTEN", 1)
    for when, id_ in enumerate(("held", "left", "late")):
        begun(store, id_)
        touch(store, id_, when)
    gone = []
    while store.forget(500.0, ["held"]):
        gone.append(sorted(battle.id for battle in store.listed()))
    assert gone == [["held", "late"], ["held"]]


def test_lists_leave_datasheets_where_they_are(store: Store) -> None:
    begun(store)
    asked: list[str] = []

    def note(_db: Any, _cursor: Any, statement: str, *_: Any) -> None:
        asked.append(statement)

    sa.event.listen(store.engine, "before_cursor_execute", note)
    assert [battle.id for battle in store.listed()] == [battle.id for battle in store.held_by(["one-token"])] == ["one"]
    assert not [statement for statement in asked if "head" in statement]


def test_a_plan_that_was_given_up_is_kept_until_somebody_has_heard_of_it(store: Store) -> None:
    begun(store)
    store.keep_place("one", 0, queue=b"[1]", seen=9)
    store.add([Addition("one", 1, b"[1]", STATUS, seen=((0, 4),), dropped=(Dropped(0, b"it is gone"),))])
    seat = loaded(store).seats[0]
    assert (seat.notice, seat.place.queue, seat.place.seen) == (b"it is gone", b"", 4)
    store.keep_place("one", 0, queue=b"[2]")
    store.give_up("one", Dropped(0, b"so is that"))
    assert (loaded(store).seats[0].notice, loaded(store).seats[0].place.queue) == (b"so is that", b"")
    store.heard("one", 0)
    assert loaded(store).seats[0].notice == b""


def test_a_call_that_is_due_is_kept_with_the_answer_until_it_was_made(store: Store) -> None:
    def calls() -> Calls:
        saved = store.load("one")
        assert saved is not None
        return saved.seats[0].calls

    for id_ in ("one", "two"):
        begun(store, id_)
    touch(store, "two", 0.0)
    store.add([Addition(id_, 1, b"", STATUS, due=((0, 7),)) for id_ in ("one", "two")])
    touch(store, "one", 1.0)
    touch(store, "two", 0.0)
    # Whoever is touched last goes on first, and no more than so many.
    assert (store.unattended(9), store.unattended(1)) == (["one", "two"], ["one"])
    assert calls() == Calls(7)
    store.keep_due("one", 0, 8)
    # That one is of before.
    store.keep_called("one", 0, 7)
    assert calls()[:2] == (8, 7)
    store.keep_called("one", 0, 8)
    assert (calls()[:2], calls().when > 0) == ((None, 8), True)
    store.add([Addition("one", 2, b"", STATUS, due=((0, OVER),))])
    store.add([Addition("one", 3, b"", STATUS, not_due=(0,))])
    store.keep_due("two", 0, None)
    assert (calls()[:2], store.unattended(9)) == ((None, 8), [])
    store.keep_due("two", 0, 3)
    for id_ in ("one", "two"):
        touch(store, id_, 0.0)
    assert store.forget(500.0) == 2


def test_a_database_of_before_learns_to_keep_calls(database: str) -> None:
    store = Store(database)
    begun(store)
    with store.engine.begin() as db:
        for table in (due, called):
            table.drop(db)
    store.close()
    store = Store(database)
    store.add([Addition("one", 1, b"", STATUS, due=((0, 7),))])
    assert store.unattended(9) == ["one"]
    store.close()


def test_an_error_of_the_database_tells_nothing_of_what_is_stored(store: Store) -> None:
    begun(store)
    add = [Addition("one", 1, b"[1]", STATUS, Kept(0, "c:a", 7, b"a secret plan"))]
    store.add(add)
    with pytest.raises(sa.exc.IntegrityError) as refused:
        store.add([add[0]._replace(number=2)])
    assert "a secret plan" not in str(refused.value)


def test_orders_are_kept_with_what_they_have_come_to(store: Store) -> None:
    begun(store)
    store.give_orders("one", 0, "orders: []", b"[]")
    store.add([Addition("one", 1, b"", STATUS, Kept(0, "a:1", 1, b"1"), b"[1]")])
    assert (loaded(store).seats[0].orders, loaded(store).seats[0].so_far) == ("orders: []", b"[1]")
    store.give_orders("one", 0, "")
    assert loaded(store).seats[0].so_far == b""


def test_a_database_of_another_layout_is_refused(store: Store, database: str) -> None:
    with store.engine.begin() as db:
        db.execute(about.update().values(layout="0"))
    with pytest.raises(UserError, match="layout 0"):
        Store(database)


@pytest.mark.parametrize(
    "url",
    [
        *("", "nonsense", "sqlite:////no/such/folder/x.db", "oracle://x/y", "postgresql:///x?host=/no"),
        # Every thread would have one of its own.
        *("sqlite:///:memory:", "sqlite://", "sqlite:///file:x?mode=memory&uri=true"),
    ],
)
def test_a_database_that_cannot_be_opened_is_refused_in_a_sentence(url: str) -> None:
    with pytest.raises(UserError):
        Store(url)


def test_a_server_on_postgresql_loses_nothing_either(postgresql: str, tmp_path: Path) -> None:
    server = Server(tmp_path, postgresql)
    play_and_kill(server, kills=1, seed=5)
