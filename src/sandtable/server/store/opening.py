"""Opening a database, and refusing what is none or belongs to another version."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import Engine, ExceptionContext, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from sandtable.errors import UserError
from sandtable.server.store.tables import LAYOUT, about, metadata

IN_SQLITE: Final = "sqlite"
IN_POSTGRESQL: Final = "postgresql"
LONGEST_WAIT: Final = 10_000
"""Milliseconds that are waited for somebody else who holds the database."""
LOCKED: Final = (5, 6)
"""How SQLite says that somebody else holds a database, or a table..."""
NO_LOCK: Final = "55P03"
"""...and how PostgreSQL does."""
BUSY: Final = "The database is busy; try again."


class Busy(Exception):
    """Somebody else holds the database for longer than is waited for: nothing was stored, and nothing is broken."""

    def __init__(self) -> None:
        super().__init__(BUSY)


def opened(url: str) -> Engine:
    """A database whose tables this version knows."""
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == IN_SQLITE and _is_memory(url):
            raise UserError("A database in memory is another one for each thread; write sqlite:///FILE.")
        # An error is written to the log, and what is stored is nobody's business there.
        engine = sa.create_engine(parsed, pool_pre_ping=True, hide_parameters=True)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        raise UserError(
            f"That is no database that can be used ({error}); write sqlite:///FILE or postgresql://HOST/NAME."
        ) from None
    if parsed.get_backend_name() == IN_SQLITE:
        event.listen(engine, "connect", _prepare_sqlite)
        if parsed.database and not parsed.database.startswith("file:"):
            _keep_private(parsed.database)
    elif parsed.get_backend_name() == IN_POSTGRESQL:
        event.listen(engine, "connect", _prepare_postgresql)
    try:
        _check_tables(engine, parsed.render_as_string(hide_password=True))
    except BaseException:
        engine.dispose()
        raise
    event.listen(engine, "handle_error", _tell_busy)
    return engine


def _check_tables(engine: Engine, shown: str) -> None:
    try:
        with engine.begin() as db:
            metadata.create_all(db)
            known = db.execute(sa.select(about.c.layout)).scalar()
            if known is None:
                db.execute(about.insert().values(layout=LAYOUT))
    except SQLAlchemyError as error:
        why = str(getattr(error, "orig", error)).strip().splitlines()[0]
        raise UserError(f"The database {shown} cannot be opened: {why}.") from None
    if known not in (None, LAYOUT):
        raise UserError(f"The database {shown} has the layout {known}; this version of Sandtable knows {LAYOUT}.")


def _tell_busy(context: ExceptionContext) -> None:
    error = context.original_exception
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in LOCKED or getattr(error, "sqlstate", None) == NO_LOCK:
        raise Busy from error


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    """Readers do not wait for writers, and what is committed is on the disk, not only on its way there."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={LONGEST_WAIT}"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _prepare_postgresql(connection: Any, _record: Any) -> None:
    """Nobody waits without end for what somebody else holds."""
    cursor = connection.cursor()
    cursor.execute(f"SET lock_timeout = {LONGEST_WAIT}")
    cursor.close()
    connection.commit()


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
