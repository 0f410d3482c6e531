"""The whole workbench as one file, a SQLite database itself: of either kind, and into either."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from glob import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection, Table, insert, select, text, update
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from tatian.atomic import in_use, replaced, same_file
from tatian.errors import InputError
from tatian.workbench.storage import migrations
from tatian.workbench.storage.database import Database, check_all_read
from tatian.workbench.storage.failures import problem
from tatian.workbench.storage.tables import answers, metadata, settings

_AT_ONCE = 500
_NO_BACKUP = "damaged, or not a backup of the workbench"


def back_up(database: Database, path: str | Path) -> int:
    """Write everything to a file, as of one moment, while others work on; gives the rows.

    An existing file is replaced only by a complete one, of the same mode; a new one is for its
    owner alone, since it holds personal data and the secret that signs links.
    """
    if database.file is not None and same_file(database.file, path):
        raise InputError("is the database itself: write to another file", path=str(path))
    with replaced(path, private=True) as partial:
        if not partial.is_file():
            raise InputError("is no file: name one for the backup", path=str(path))
        try:
            with closing(Database(str(partial))) as copy:
                return _copied(database, copy)
        except (OSError, SQLAlchemyError) as error:
            reason = getattr(error, "strerror", None) or problem(error)
            raise InputError(f"cannot write the backup ({reason})", path=str(path)) from error
        finally:
            for left in partial.parent.glob(f"{escape(partial.name)}-*"):
                left.unlink()


@contextmanager
def opened_backup(path: str | Path) -> Iterator[Database]:
    """A backup of this version or an earlier one, in a copy that is sound; the file stays as it is.

    InputError where it is none: known before a database is made for what it holds.
    """
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
                sound = connection.execute(text("PRAGMA integrity_check(1)")).scalar() == "ok"
                known = sound and migrations.stored_version(connection)
        except OSError as error:
            reason = f"cannot read the backup ({error.strerror})"
            raise InputError(reason, path=str(path)) from error
        except (InputError, SQLAlchemyError) as error:
            raise InputError(_NO_BACKUP, path=str(path)) from error
        if not known:
            raise InputError(_NO_BACKUP, path=str(path))
        try:
            migrations.prepare(backup)
            with backup.reading() as connection:
                for table in metadata.sorted_tables:
                    for _ in _rows(connection, table):
                        pass
                loose = connection.execute(text("PRAGMA foreign_key_check")).first()
        except (SQLAlchemyError, ValueError) as error:
            raise InputError(_NO_BACKUP, path=str(path)) from error
        if loose:
            raise InputError(_NO_BACKUP, path=str(path))
        yield backup


def restore(database: Database, backup: Database) -> int:
    """Fill an empty database from a backup: all of it or nothing; gives the rows.

    InputError where there is anything in the database already, or it cannot be written to.
    """
    try:
        return _copied(backup, database)
    except (IntegrityError, DataError) as error:
        raise InputError(f"the backup is damaged ({error.orig})") from error
    except DBAPIError as error:
        raise InputError(f"cannot write to the database ({error.orig})") from error


def _copied(source: Database, target: Database) -> int:
    """Everything of one database into an empty one; what corrects what comes last."""
    migrations.prepare(source)
    migrations.prepare(target)
    count = 0
    with source.reading() as old, target.writing() as new:
        _check_empty(new)
        new.execute(settings.delete())
        for table in metadata.sorted_tables:
            read = 0
            for rows in _rows(old, table):
                blank = {"replaces": None} if table is answers else {}
                new.execute(insert(table), [row | blank for row in rows])
                read += len(rows)
            check_all_read(old, table, read)
            count += read
        corrections = select(answers.c.id, answers.c.replaces).where(
            answers.c.replaces.is_not(None)
        )
        for id, replaces in old.execute(corrections):
            new.execute(update(answers).where(answers.c.id == id).values(replaces=replaces))
        _count_on(new)
    return count


def _rows(connection: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    ordered = select(table).order_by(*table.primary_key.columns)
    found = connection.execution_options(yield_per=_AT_ONCE).execute(ordered)
    for part in found.partitions():
        yield [dict(row._mapping) for row in part]


def _check_empty(connection: Connection) -> None:
    for table in metadata.sorted_tables:
        if (
            table is not settings
            and connection.execute(select(*table.primary_key).limit(1)).first()
        ):
            raise InputError(
                "the database is not empty: name another one with --database, which restoring makes"
            )


def _count_on(connection: Connection) -> None:
    """Let PostgreSQL count on from the highest number; SQLite does so by itself."""
    if connection.dialect.name == "sqlite":
        return
    for table in metadata.sorted_tables:
        if table.autoincrement_column is not None:
            id = table.autoincrement_column.name
            connection.execute(
                text(
                    f"SELECT setval(pg_get_serial_sequence('{table.name}', '{id}'), "
                    f"max({id})) FROM {table.name} HAVING max({id}) IS NOT NULL"
                )
            )
