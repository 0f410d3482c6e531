"""A simulated full disk for SQLite."""

from __future__ import annotations

from typing import Any

from sqlalchemy import event

from tatian.workbench.storage.database import Database


def fill_up(database: Database) -> None:
    """Limit the database to its pages: SQLite then reports a full disk."""
    with database.reading() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()

    def limit(connection: Any, _: Any) -> None:
        connection.execute(f"PRAGMA max_page_count={pages}")

    event.listen(database.engine, "connect", limit)
    database.engine.dispose()
