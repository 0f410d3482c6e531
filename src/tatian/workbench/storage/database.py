"""Transactions on SQLite or PostgreSQL that behave the same, and their failures in words."""

from __future__ import annotations

import errno
import math
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from tatian.errors import InputError, MissingExtra
from tatian.limits import LEAST_ROOM

try:
    from sqlalchemy import (
        URL,
        Column,
        ColumnElement,
        Connection,
        Engine,
        Table,
        create_engine,
        event,
        make_url,
        select,
        text,
        update,
    )
    from sqlalchemy.exc import (
        ArgumentError,
        DatabaseError,
        InvalidatePoolError,
        NoSuchModuleError,
        SQLAlchemyError,
    )
except ImportError as error:
    raise MissingExtra("the workbench", "workbench") from error

DEFAULT = "sqlite:///tatian-workbench.db"
_POSTGRES = ("postgres", "postgresql")
_WAIT = 30_000
"""Milliseconds that a SQLite transaction waits for one of another process."""

_TRIES, _TRY = 5, 200
"""Number of tries of `Database.scrub`, and milliseconds that each waits for readers."""

_CONNECTED: dict[str, Any] = {
    "connect_timeout": 10,
    "options": "-c plan_cache_mode=force_generic_plan -c jit=off",
}
"""Defaults of PostgreSQL connections. Statements are short: they are planned once, never compiled.
"""


_STALE, _IDLE = 2.0, "idle since"
"""Seconds after which an idle connection is checked before use, and the key of its idle time."""


def now() -> int:
    """Return the present moment as every table stores it: milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def pull_back(
    connection: Connection, column: Column[int], latest: int, *where: ColumnElement[bool]
) -> None:
    """Reset moments that a fast clock has written to the latest one possible now.

    Otherwise whatever waits for such a moment would wait as long as the clock was ahead.
    """
    (key,) = column.table.primary_key
    late = select(key).where(column > latest, *where).with_for_update(skip_locked=True)
    connection.execute(update(column.table).where(key.in_(late)).values({column: latest}))


class Database:
    """A store of campaigns; safe to share between threads.

    Reading transactions see a consistent state. On SQLite, writing ones run one after the other
    (the file allows one at a time). On PostgreSQL they lock the rows that they name.
    """

    def __init__(self, url: str = DEFAULT, *, make: bool = True) -> None:
        self.url = url
        self.engine = _engine(url, make)
        self.sqlite = self.engine.dialect.name == "sqlite"
        self.file = _file(self.engine) if self.sqlite else None
        """File of SQLite; None for PostgreSQL, and for a database in memory."""
        self._turn = threading.Lock() if self.sqlite else nullcontext()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a transaction that reads one consistent moment, and locks nothing."""
        with self.engine.connect() as connection:
            if not self.sqlite:
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    @contextmanager
    def glance(self) -> Iterator[Connection]:
        """Open a connection for single queries that need not see the same moment, without BEGIN."""
        with self.engine.connect() as connection:
            if self.sqlite:
                yield connection
                return
            driver: Any = connection.connection.driver_connection
            with driver.single():
                yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction that is committed when the block ends, and undone when it raises."""
        with self._turn, self.engine.connect() as connection:
            if self.sqlite:
                connection = connection.execution_options(writing=True)
            with connection.begin():
                yield connection

    def scrub(self) -> bool:
        """Remove deleted data from SQLite's files: write the log back, and empty it.

        Call it after deleting personal data, outside a transaction. False if readers hold on to an
        earlier moment; a later call then empties the log. PostgreSQL needs nothing.
        """
        return not self.sqlite or any(self._emptied() for _ in range(_TRIES))

    def _emptied(self) -> bool:
        try:
            with self._turn, closing(self.engine.raw_connection()) as connection:
                cursor = connection.cursor()
                cursor.execute(f"PRAGMA busy_timeout={_TRY}")
                result = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                cursor.execute(f"PRAGMA busy_timeout={_WAIT}")
        except (sqlite3.Error, SQLAlchemyError):
            return False
        return not result[0]

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def check_all_read(
    connection: Connection, table: Table, read: int, campaign: str | None = None
) -> None:
    """Raise `InputError` if fewer rows were read than the table, or a campaign in it, has.

    SQLite counts the rows without the table's indexes, since a damaged index hides rows.
    """
    alone = " NOT INDEXED" if connection.dialect.name == "sqlite" else ""
    chosen = "" if campaign is None else " WHERE campaign = :campaign"
    query = text(f"SELECT count(*) FROM {table.name}{alone}{chosen}")
    result = connection.execute(query, {"campaign": campaign} if chosen else {})
    count = result.scalar_one()
    if read < count:
        raise InputError(
            f"the database is damaged: of {count:,} rows of '{table.name}' {read:,} can be read: "
            "restore a backup"
        )


def _understood(url: str) -> URL:
    """Return SQLAlchemy's URL: a plain path is a SQLite file, ``postgres://`` uses psycopg."""
    if "://" not in url:
        return URL.create("sqlite", database=url)
    scheme, _, rest = url.partition("://")
    return make_url(f"postgresql+psycopg://{rest}" if scheme in _POSTGRES else url)


def _engine(url: str, make: bool) -> Engine:
    try:
        parts = _understood(url)
        name = parts.get_backend_name()
        if name not in ("sqlite", "postgresql"):
            raise InputError(f"'{name}' is not a supported database: use sqlite or postgresql")
        file = parts.database if name == "sqlite" else None
        if not make and file and file != ":memory:" and not Path(file).exists():
            raise InputError(
                "no workbench there: 'tatian campaign create' or 'tatian annotate serve' makes "
                "one, --database names another",
                path=file,
            )
        options: dict[str, Any] = {}
        if name == "postgresql":
            # The last used connection is used next: few are busy, and these have prepared
            # statements.
            defaults = {key: value for key, value in _CONNECTED.items() if key not in parts.query}
            options = {"pool_use_lifo": True, "connect_args": defaults}
        engine = create_engine(parts, pool_size=50, max_overflow=0, pool_timeout=60, **options)
    except (ArgumentError, NoSuchModuleError) as error:
        raise InputError(f"not a database's URL ({error})") from error
    except ImportError as error:
        raise MissingExtra("PostgreSQL", "postgres") from error
    if name == "sqlite":
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
        _make_private(parts.database)
    else:
        event.listen(engine, "do_connect", _connect)
        event.listen(engine, "checkin", _on_checkin)
        event.listen(engine, "checkout", _on_checkout)
    try:
        with engine.connect():
            pass
    except DatabaseError as error:
        engine.dispose()
        path = parts.database if name == "sqlite" else None
        raise InputError(f"cannot open the database: {error.orig}", path=path) from error
    return engine


def _file(engine: Engine) -> Path | None:
    with engine.connect() as connection:
        _, _, file = connection.exec_driver_sql("PRAGMA database_list").one()
    return Path(file) if file else None


def open_private(path: str, flags: int) -> int:
    """Open a file; if it is new, only its owner may read it."""
    return os.open(path, flags, 0o600)


def _make_private(path: str | None) -> None:
    """Create a private SQLite file if it does not exist; its log gets the same mode.

    An existing file is never opened: closing it would undo the locks that SQLite has on it.
    """
    if path and path != ":memory:" and not path.startswith("file:"):
        with suppress(OSError), open(path, "xb", opener=open_private):
            pass


def _connect(_: Any, __: Any, args: Any, options: Any) -> Any:
    from tatian.workbench.storage.postgres import connect

    return connect(*args, **options)


def _on_checkin(_: Any, record: Any) -> None:
    record.info[_IDLE] = time.monotonic()


def _on_checkout(connection: Any, record: Any, _: Any) -> None:
    """Check an idle connection of PostgreSQL before it is used again.

    A connection that was used just now is not checked: that would be every tenth message to the
    server.
    """
    if time.monotonic() - record.info.get(_IDLE, math.inf) > _STALE:
        try:
            connection.execute("")
            connection.rollback()
        except connection.OperationalError as error:
            raise InvalidatePoolError("the connection is gone") from error


def _prepare(connection: Any, _: Any) -> None:
    """Set up a SQLite connection: explicit BEGIN, foreign keys, a durable log, secure deletes."""
    connection.isolation_level = None
    try:
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "secure_delete=ON",
            f"busy_timeout={_WAIT}",
        ):
            connection.execute(f"PRAGMA {pragma}")
    except UnicodeDecodeError as error:  # SQLite quotes the damaged bytes in its message.
        raise sqlite3.DatabaseError("malformed database schema") from error


def _begin(connection: Connection) -> None:
    writing = connection.get_execution_options().get("writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


FULL = "the disk is full, and nothing was saved"
_FULL_IN_POSTGRES = "53100"
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_KIND = 0xFF
"""Bits of a SQLite error number that give its kind."""


def is_disk_full(error: BaseException, database: Database | None = None) -> bool:
    """Return True if the system or a database had no room left to write.

    SQLite reports some of these cases as input or output errors; for those, the free space on the
    disk of `database` decides.
    """
    cause = getattr(error, "orig", None) or error
    if isinstance(cause, OSError):
        return cause.errno in _NO_ROOM
    if isinstance(cause, sqlite3.Error):
        kind = getattr(cause, "sqlite_errorcode", 0) & _KIND
        return kind == sqlite3.SQLITE_FULL or (kind == sqlite3.SQLITE_IOERR and _no_room(database))
    return getattr(cause, "sqlstate", None) == _FULL_IN_POSTGRES


def describe_problem(error: BaseException, database: Database | None = None) -> str:
    """Return what went wrong for a log or a terminal, without values of any row."""
    cause = getattr(error, "orig", None) or error
    message = (str(cause).strip().splitlines() or [type(cause).__name__])[0]
    return f"{FULL} ({message})" if is_disk_full(error, database) else message


def _no_room(database: Database | None) -> bool:
    if database is None or database.file is None:
        return False
    with suppress(OSError):
        return shutil.disk_usage(database.file.parent).free < LEAST_ROOM
    return False
