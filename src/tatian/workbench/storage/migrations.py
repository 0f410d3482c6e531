"""From any released version's database to this one's: numbered steps, each taken once, in order.

A new database gets the tables as they are. A change of `tables` after a release is a step as well,
SQL that is never edited once released: one text for both databases, or one per database. All of an
upgrade happens or none of it. What the server itself keeps there: its secret, its last address.
"""

from __future__ import annotations

import secrets

from msgspec import Struct
from sqlalchemy import Connection, delete, insert, inspect, select, text, update

from tatian.errors import InputError
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.tables import metadata, settings

_VERSION = "version"
_SECRET = "secret"
_LOCK = 7_083_841
"""What two servers that start at the same time on PostgreSQL wait on."""
FIRST = 8
"""The schema of the first release; those before it were never released."""


class Migration(Struct, frozen=True):
    """One step: what it is for, and its statements, separated by semicolons."""

    version: int
    why: str
    sqlite: str
    postgresql: str

    def statements(self, dialect: str) -> list[str]:
        """What one kind of database is told."""
        sql = self.sqlite if dialect == "sqlite" else self.postgresql
        return [statement.strip() for statement in sql.split(";") if statement.strip()]


MIGRATIONS: tuple[Migration, ...] = ()
"""In order, one for each version after the first."""
VERSION = FIRST + len(MIGRATIONS)
"""Of the schema that this program works with."""


def prepare(database: Database) -> None:
    """Create the tables, or upgrade them; nothing to do where they are as they should be.

    InputError where a newer program made them: an old one would spoil what it does not know.
    """
    with database.writing() as connection:
        if not database.sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        found = stored_version(connection)
        if not found:
            _create(connection)
        elif found < FIRST:
            raise InputError(f"the database is of before the first release ({found}): use another")
        elif found > VERSION:
            raise InputError(
                f"the database is of a newer version ({found}; this program knows up to "
                f"{VERSION}): upgrade tatian, or restore a backup into another database"
            )
        for migration in MIGRATIONS if found else ():
            if found < migration.version:
                _take(connection, migration)


def stored_version(connection: Connection) -> int:
    """The version of a database's schema; 0 where there is nothing yet.

    InputError where there are tables that are not the workbench's.
    """
    names = set(inspect(connection).get_table_names())
    if settings.name in names:
        found = connection.execute(select(settings.c.value).where(settings.c.key == _VERSION))
        value = found.scalar()
        if value is not None and value.isdecimal():
            return int(value)
    elif not names & set(metadata.tables):
        return 0
    raise InputError(
        "the database holds tables of the same names that are not the workbench's: use another"
    )


def secret(connection: Connection) -> bytes:
    """The key that signs this server's links; made with the database, and backed up with it."""
    found = connection.execute(select(settings.c.value).where(settings.c.key == _SECRET)).scalar()
    if found is None:
        raise InputError("the database has lost its secret: restore it from a backup")
    return bytes.fromhex(found)


def note_version(connection: Connection, version: int) -> None:
    """Keep which version the tables are of."""
    kept = update(settings).where(settings.c.key == _VERSION)
    connection.execute(kept.values(value=str(version)))


def _create(connection: Connection) -> None:
    metadata.create_all(connection)
    first = {_VERSION: str(VERSION), _SECRET: secrets.token_hex(32)}
    rows = [{"key": key, "value": value} for key, value in first.items()]
    connection.execute(insert(settings), rows)


def _take(connection: Connection, migration: Migration) -> None:
    for statement in migration.statements(connection.dialect.name):
        connection.exec_driver_sql(statement)
    note_version(connection, migration.version)


ADDRESS = "address"
"""Where the server last listened, for links that are made beside it."""


def remember(connection: Connection, key: str, value: str) -> None:
    """Keep a fact in place of what was known before."""
    connection.execute(delete(settings).where(settings.c.key == key))
    connection.execute(insert(settings).values(key=key, value=value))


def remembered(connection: Connection, key: str) -> str | None:
    """A fact, if it is known."""
    found = select(settings.c.value).where(settings.c.key == key)
    return connection.execute(found).scalar()
