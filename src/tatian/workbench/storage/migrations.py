"""Schema migrations, and stored values such as the server's secret and last address.

A new database gets the current tables. Each change of `tables` after a release needs a migration,
which is never edited once released. An upgrade is one transaction.
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
"""Lock for servers that start at the same time on PostgreSQL."""
FIRST = 1
"""Version of the first release's tables."""


class Migration(Struct, frozen=True):
    """A schema migration, with its purpose and its statements, separated by semicolons."""

    version: int
    purpose: str
    sqlite: str
    postgresql: str

    def statements(self, dialect: str) -> list[str]:
        """Return the statements for one kind of database."""
        sql = self.sqlite if dialect == "sqlite" else self.postgresql
        return [statement.strip() for statement in sql.split(";") if statement.strip()]


MIGRATIONS: tuple[Migration, ...] = ()
"""Migrations in order, one for each version after the first."""
VERSION = FIRST + len(MIGRATIONS)
"""Version of the current schema."""


def prepare(database: Database) -> None:
    """Create or upgrade the tables if necessary; raise InputError if their version is newer."""
    with database.writing() as connection:
        if not database.sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        version = stored_version(connection)
        if not version:
            _create(connection)
        elif version > VERSION:
            raise InputError(
                f"the database has a newer version ({version}; this program knows up to "
                f"{VERSION}): upgrade tatian, or restore a backup into another database"
            )
        for migration in MIGRATIONS if version else ():
            if version < migration.version:
                for statement in migration.statements(connection.dialect.name):
                    connection.exec_driver_sql(statement)
                note_version(connection, migration.version)


def stored_version(connection: Connection) -> int:
    """Return the version of a database's schema, 0 for an empty database.

    Raise InputError if tables of the same names belong to another program.
    """
    names = set(inspect(connection).get_table_names())
    if settings.name in names:
        rows = connection.execute(select(settings.c.value).where(settings.c.key == _VERSION))
        value = rows.scalar()
        if value is not None and value.isdecimal():
            return int(value)
    elif not names & set(metadata.tables):
        return 0
    raise InputError(
        "another program's tables in this database have the workbench's table names: use a "
        "different database"
    )


def secret(connection: Connection) -> bytes:
    """Return the key that signs this server's links."""
    key = connection.execute(select(settings.c.value).where(settings.c.key == _SECRET)).scalar()
    if key is None:
        raise InputError("the database has no signing key: restore it from a backup")
    return bytes.fromhex(key)


def note_version(connection: Connection, version: int) -> None:
    """Store the version of the tables."""
    query = update(settings).where(settings.c.key == _VERSION)
    connection.execute(query.values(value=str(version)))


def _create(connection: Connection) -> None:
    metadata.create_all(connection)
    initial = {_VERSION: str(VERSION), _SECRET: secrets.token_hex(32)}
    rows = [{"key": key, "value": value} for key, value in initial.items()]
    connection.execute(insert(settings), rows)


ADDRESS = "address"
"""Key of the server's last address, for links created on the command line."""


def remember(connection: Connection, key: str, value: str) -> None:
    """Store a value, replacing an earlier one."""
    connection.execute(delete(settings).where(settings.c.key == key))
    connection.execute(insert(settings).values(key=key, value=value))


def recall(connection: Connection, key: str) -> str | None:
    """Return a stored value, if there is one."""
    query = select(settings.c.value).where(settings.c.key == key)
    return connection.execute(query).scalar()
