"""Small facts about the server that commands on the same database want to know."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from tatian.workbench.storage.tables import settings

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
