"""Backups of a workbench as one SQLite file, from and to SQLite or PostgreSQL."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from glob import escape
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection, Row, Table, Text, insert, select, text, update
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from tatian.atomic import in_use, replaced, same_file
from tatian.errors import InputError
from tatian.workbench.storage import schema
from tatian.workbench.storage.database import Database, check_all_read, describe_problem
from tatian.workbench.storage.tables import answers, metadata, settings

_BATCH = 2000
"""Number of rows that are read at a time."""
_NO_BACKUP = "damaged, or not a backup of the workbench"


def back_up(database: Database, path: str | Path) -> int:
    """Write a consistent backup to a file, and return the number of rows.

    An existing file is replaced atomically and keeps its mode. A new one can be read only by its
    owner, as it has personal data and the secret that signs links.
    """
    if database.file is not None and same_file(database.file, path):
        raise InputError("is the database itself: write to another file", path=str(path))
    with replaced(path, private=True) as partial:
        if not partial.is_file():
            raise InputError("is not a file: name a file for the backup", path=str(path))
        try:
            with closing(Database(str(partial))) as copy:
                return _copy(database, copy)
        except (OSError, SQLAlchemyError) as error:
            reason = getattr(error, "strerror", None) or describe_problem(error)
            raise InputError(f"cannot write the backup ({reason})", path=str(path)) from error
        finally:
            for leftover in partial.parent.glob(f"{escape(partial.name)}-*"):
                leftover.unlink()


@contextmanager
def open_backup(path: str | Path) -> Iterator[Database]:
    """Open a temporary copy of a backup; InputError if the file is damaged or is not a backup."""
    if not Path(path).is_file():
        raise InputError("no such backup", path=str(path))
    if in_use(path):
        message = "is a database in use: restore from what 'backup' writes"
        raise InputError(message, path=str(path))
    with TemporaryDirectory() as folder, ExitStack() as stack:
        try:
            copy = shutil.copyfile(path, Path(folder) / "backup.db")
            backup = stack.enter_context(closing(Database(str(copy))))
            with backup.reading() as connection:
                is_intact = connection.execute(text("PRAGMA integrity_check(1)")).scalar() == "ok"
                version = is_intact and schema.stored_version(connection)
        except OSError as error:
            reason = f"cannot read the backup ({error.strerror})"
            raise InputError(reason, path=str(path)) from error
        except (InputError, SQLAlchemyError) as error:
            raise InputError(_NO_BACKUP, path=str(path)) from error
        if not version:
            raise InputError(_NO_BACKUP, path=str(path))
        try:
            schema.prepare(backup)
            with backup.reading() as connection:
                for table in metadata.sorted_tables:
                    for _ in _rows(connection, table):
                        pass
                has_broken_keys = connection.execute(text("PRAGMA foreign_key_check")).first()
        except (SQLAlchemyError, ValueError) as error:
            raise InputError(_NO_BACKUP, path=str(path)) from error
        if has_broken_keys:
            raise InputError(_NO_BACKUP, path=str(path))
        yield backup


def restore(database: Database, backup: Database) -> int:
    """Fill an empty database from a backup in one transaction; return the number of rows."""
    with _describing_errors("the backup"):
        return _copy(backup, database)


def move(source: Database, target: Database) -> int:
    """Copy a database into an empty one in one transaction; return the number of rows.

    All rows are compared. A SQLite source is locked for writers meanwhile.
    """
    with _describing_errors("the database"):
        return _copy(source, target, compare=True)


@contextmanager
def _describing_errors(source: str) -> Iterator[None]:
    """Raise InputError instead of errors of the database that is written."""
    try:
        yield
    except (IntegrityError, DataError) as error:
        raise InputError(f"{source} is damaged ({error.orig})") from error
    except DBAPIError as error:
        raise InputError(f"cannot write to the database ({error.orig})") from error


def _copy(source: Database, target: Database, *, compare: bool = False) -> int:
    """Copy a database into an empty one, in one transaction."""
    schema.prepare(source)
    schema.prepare(target)
    count = 0
    blocks_writers = compare and source.sqlite
    with source.writing() if blocks_writers else source.reading() as old, target.writing() as new:
        for table in metadata.sorted_tables:
            query = select(*table.primary_key).limit(1)
            if table is not settings and new.execute(query).first():
                raise InputError(
                    "the database is not empty: name a new one with --database; it is created"
                )
        new.execute(settings.delete())
        with _defer_foreign_keys(new):
            for table in metadata.sorted_tables:
                read = _copy_table(old, new, table)
                check_all_read(old, table, read)
                count += read
        _reset_sequences(new)
        for table in metadata.sorted_tables if compare else ():
            pairs = zip_longest(_single_rows(old, table), _single_rows(new, table))
            for number, (before, after) in enumerate(pairs, 1):
                if before != after:
                    raise InputError(f"row {number:,} of '{table.name}' differs: nothing is moved")
    return count


@contextmanager
def _defer_foreign_keys(connection: Connection) -> Iterator[None]:
    """Drop PostgreSQL's foreign keys in the block, so that it checks them only at the end."""
    if connection.dialect.name == "sqlite":
        yield
        return
    query = text(
        "SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) "
        "FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace"
    )
    keys = connection.execute(query).all()
    for table, name, _ in keys:
        connection.execute(text(f"ALTER TABLE {table} DROP CONSTRAINT {name}"))
    yield
    for table, name, definition in keys:
        connection.execute(text(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}"))


def _copy_table(old: Connection, new: Connection, table: Table) -> int:
    """Copy the rows of a table; return their number."""
    if new.dialect.name == "sqlite":
        return _insert_rows(old, new, table)
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    driver = new.connection.driver_connection
    assert driver is not None
    read = 0
    # One statement per table: references within the table are checked at its end.
    with driver.cursor().copy(f'COPY "{table.name}" ({names}) FROM STDIN') as copy:
        for rows in _rows(old, table):
            for row in rows:
                copy.write_row(row)
            read += len(rows)
    return read


def _insert_rows(old: Connection, new: Connection, table: Table) -> int:
    """Insert the rows of a table; references between answers are set last."""
    names = [column.name for column in table.columns]
    without_references = {"replaces": None} if table is answers else {}
    read = 0
    for rows in _rows(old, table):
        new.execute(
            insert(table), [dict(zip(names, row, strict=True)) | without_references for row in rows]
        )
        read += len(rows)
    if table is answers:
        query = select(answers.c.id, answers.c.replaces).where(answers.c.replaces.is_not(None))
        for id, replaces in old.execute(query):
            new.execute(update(answers).where(answers.c.id == id).values(replaces=replaces))
    return read


def _rows(connection: Connection, table: Table) -> Iterator[Sequence[Row[Any]]]:
    """Return the rows of a table in batches, ordered by primary key, equally in both databases."""
    binary = connection.dialect.name != "sqlite"
    keys = [
        key.collate("C") if binary and isinstance(key.type, Text) else key
        for key in table.primary_key.columns
    ]
    result = connection.execution_options(yield_per=_BATCH).execute(select(table).order_by(*keys))
    return result.partitions()


def _single_rows(connection: Connection, table: Table) -> Iterator[tuple[Any, ...]]:
    for rows in _rows(connection, table):
        yield from map(tuple, rows)


def _reset_sequences(connection: Connection) -> None:
    """Set PostgreSQL's sequences to the highest ids, and update its statistics."""
    if connection.dialect.name == "sqlite":
        return
    for table in metadata.sorted_tables:
        connection.execute(text(f"ANALYZE {table.name}"))
        if table.autoincrement_column is not None:
            id = table.autoincrement_column.name
            connection.execute(
                text(
                    f"SELECT setval(pg_get_serial_sequence('{table.name}', '{id}'), "
                    f"max({id})) FROM {table.name} HAVING max({id}) IS NOT NULL"
                )
            )
