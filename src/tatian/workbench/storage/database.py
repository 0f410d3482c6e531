"""Connections and transactions on SQLite or PostgreSQL, and descriptions of their errors."""

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
        FromClause,
        Table,
        create_engine,
        event,
        func,
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

DEFAULT_URL = "sqlite:///tatian-workbench.db"
_POSTGRES = ("postgres", "postgresql")
_WAIT = 30_000
"""Milliseconds that a SQLite transaction waits for a lock of another process."""
_SCRUB_TRIES, _SCRUB_WAIT = 5, 200
"""Number of tries of `Database.scrub`, and the milliseconds that each waits for readers."""
_POSTGRES_OPTIONS: dict[str, Any] = {
    "connect_timeout": 10,
    "options": "-c plan_cache_mode=force_generic_plan -c jit=off",
}
"""Defaults of PostgreSQL connections; short statements are best planned once, without JIT."""
_IDLE_SECONDS, _IDLE_SINCE = 2.0, "idle since"
"""Seconds after which an idle connection is checked before use, and the key of that time."""


def now() -> int:
    """Return the current time in milliseconds since 1970, as all tables store it."""
    return time.time_ns() // 1_000_000


def clamp_times(
    connection: Connection, column: Column[int], latest: int, *where: ColumnElement[bool]
) -> None:
    """Set times later than `latest`, which a fast clock has written, to `latest`."""
    (key,) = column.table.primary_key
    too_late = select(key).where(column > latest, *where).with_for_update(skip_locked=True)
    connection.execute(update(column.table).where(key.in_(too_late)).values({column: latest}))


class Database:
    """A database of the workbench; thread-safe.

    Reading transactions see a consistent state. Writing ones run one after the other on SQLite; on
    PostgreSQL they lock rows.
    """

    def __init__(self, url: str = DEFAULT_URL, *, make: bool = True) -> None:
        self.url = url
        self.engine = _engine(url, make)
        self.sqlite = self.engine.dialect.name == "sqlite"
        self.file = _file(self.engine) if self.sqlite else None
        """File of SQLite; None for PostgreSQL, and for a database in memory."""
        self._write_lock = threading.Lock() if self.sqlite else nullcontext()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a read-only transaction with a consistent snapshot and no locks."""
        with self.engine.connect() as connection:
            if not self.sqlite:
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    @contextmanager
    def autocommit(self) -> Iterator[Connection]:
        """Open a connection for single queries without a transaction."""
        with self.engine.connect() as connection:
            driver: Any = connection.connection.driver_connection
            with nullcontext() if self.sqlite else driver.single():
                yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a writing transaction, rolled back on an exception."""
        with self._write_lock, self.engine.connect() as connection:
            if self.sqlite:
                connection = connection.execution_options(writing=True)
            with connection.begin():
                yield connection

    def scrub(self) -> bool:
        """Remove deleted data from SQLite's write-ahead log, outside a transaction.

        Return False if this must be repeated later because of readers.
        """
        return not self.sqlite or any(self._truncate_log() for _ in range(_SCRUB_TRIES))

    def _truncate_log(self) -> bool:
        try:
            with self._write_lock, closing(self.engine.raw_connection()) as connection:
                cursor = connection.cursor()
                cursor.execute(f"PRAGMA busy_timeout={_SCRUB_WAIT}")
                result = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                cursor.execute(f"PRAGMA busy_timeout={_WAIT}")
        except (sqlite3.Error, SQLAlchemyError):
            return False
        return not result[0]

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def count_rows(connection: Connection, table: FromClause, *where: ColumnElement[bool]) -> int:
    """Return the number of rows of a table that meet all conditions."""
    query = select(func.count()).select_from(table).where(*where)
    return connection.execute(query).scalar_one()


def check_all_read(
    connection: Connection, table: Table, read: int, campaign: str | None = None
) -> None:
    """Raise InputError if fewer rows were read than a table has, in all or of a campaign.

    SQLite must not count by an index, as a damaged index hides rows.
    """
    hint = " NOT INDEXED" if connection.dialect.name == "sqlite" else ""
    condition = "" if campaign is None else " WHERE campaign = :campaign"
    query = text(f"SELECT count(*) FROM {table.name}{hint}{condition}")
    result = connection.execute(query, {"campaign": campaign} if condition else {})
    count = result.scalar_one()
    if read < count:
        raise InputError(
            f"the database is damaged: of {count:,} rows of '{table.name}' {read:,} can be read: "
            "restore a backup"
        )


def _parse_url(url: str) -> URL:
    """Return SQLAlchemy's URL; a path is a SQLite file, and ``postgres://`` uses psycopg."""
    scheme, separator, location = url.partition("://")
    if not separator:
        return URL.create("sqlite", database=url)
    return make_url(f"postgresql+psycopg://{location}" if scheme in _POSTGRES else url)


def _engine(url: str, make: bool) -> Engine:
    try:
        parts = _parse_url(url)
        name = parts.get_backend_name()
        if name not in ("sqlite", "postgresql"):
            raise InputError(f"'{name}' is not a supported database: use sqlite or postgresql")
        file = parts.database if name == "sqlite" else None
        if not make and file and file != ":memory:" and not Path(file).exists():
            raise InputError(
                "there is no workbench database: create one with 'tatian campaign create' or "
                "'tatian annotate serve', or name another with --database",
                path=file,
            )
        options: dict[str, Any] = {}
        if name == "postgresql":
            # Reuse the last used connection, which has prepared statements.
            defaults = {
                key: value for key, value in _POSTGRES_OPTIONS.items() if key not in parts.query
            }
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
    """Open a file; a new one can be read only by its owner."""
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
    record.info[_IDLE_SINCE] = time.monotonic()


def _on_checkout(connection: Any, record: Any, _: Any) -> None:
    """Check a connection to PostgreSQL that was idle for some time."""
    if time.monotonic() - record.info.get(_IDLE_SINCE, math.inf) > _IDLE_SECONDS:
        try:
            connection.execute("")
            connection.rollback()
        except connection.OperationalError as error:
            raise InvalidatePoolError("the connection was lost") from error


def _prepare(connection: Any, _: Any) -> None:
    """Set up a SQLite connection."""
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


DISK_FULL = "the disk is full, and nothing was saved"
_POSTGRES_DISK_FULL = "53100"
_DISK_FULL_ERRNOS = (errno.ENOSPC, errno.EDQUOT)
_ERROR_KIND_MASK = 0xFF
"""Bit mask of the primary result code in a SQLite error code."""


def is_disk_full(error: BaseException, database: Database | None = None) -> bool:
    """Return True if an error means that the disk is full.

    SQLite reports some of these cases as I/O errors; for those, the free space decides.
    """
    cause = getattr(error, "orig", None) or error
    if isinstance(cause, OSError):
        return cause.errno in _DISK_FULL_ERRNOS
    if isinstance(cause, sqlite3.Error):
        error_kind = getattr(cause, "sqlite_errorcode", 0) & _ERROR_KIND_MASK
        if error_kind == sqlite3.SQLITE_IOERR and database is not None and database.file:
            with suppress(OSError):
                return shutil.disk_usage(database.file.parent).free < LEAST_ROOM
        return error_kind == sqlite3.SQLITE_FULL
    return getattr(cause, "sqlstate", None) == _POSTGRES_DISK_FULL


def describe_problem(error: BaseException, database: Database | None = None) -> str:
    """Return an error message without values of rows."""
    cause = getattr(error, "orig", None) or error
    message = (str(cause).strip().splitlines() or [type(cause).__name__])[0]
    return f"{DISK_FULL} ({message})" if is_disk_full(error, database) else message
