"""Creation of the tables, and stored values such as the server's secret and last address."""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, delete, insert, inspect, select, text

from tatian.errors import InputError
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.tables import metadata, settings

VERSION = 1
"""Version of the tables."""
ADDRESS_KEY = "address"
"""Key of the server's last address, for links created on the command line."""
_VERSION = "version"
_SECRET = "secret"
_LOCK = 7_083_841
"""Lock for servers that start at the same time on PostgreSQL."""


def prepare(database: Database) -> None:
    """Create the tables in an empty database; raise InputError if their version is newer."""
    with database.writing() as connection:
        if not database.sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        version = stored_version(connection)
        if version > VERSION:
            raise InputError(
                f"the database has a newer version ({version}; this program knows up to "
                f"{VERSION}): upgrade tatian, or restore a backup into another database"
            )
        if not version:
            metadata.create_all(connection)
            remember(connection, _VERSION, str(VERSION))
            remember(connection, _SECRET, secrets.token_hex(32))


def stored_version(connection: Connection) -> int:
    """Return the version of a database's tables, 0 for an empty database.

    Raise InputError if tables of the same names belong to another program.
    """
    names = set(inspect(connection).get_table_names())
    if settings.name in names:
        value = recall(connection, _VERSION)
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
    key = recall(connection, _SECRET)
    if key is None:
        raise InputError("the database has no signing key: restore it from a backup")
    return bytes.fromhex(key)


def remember(connection: Connection, key: str, value: str) -> None:
    """Store a value, replacing an earlier one."""
    connection.execute(delete(settings).where(settings.c.key == key))
    connection.execute(insert(settings).values(key=key, value=value))


def recall(connection: Connection, key: str) -> str | None:
    """Return a stored value, if there is one."""
    query = select(settings.c.value).where(settings.c.key == key)
    return connection.execute(query).scalar()
