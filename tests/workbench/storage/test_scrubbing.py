"""Removal of deleted data from the files of a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import delete, insert, select

from tatian.workbench.storage.database import Database
from tatian.workbench.storage.schema import prepare
from tatian.workbench.storage.tables import attempts

SECRET = "Ottoline Featherstonehaugh"


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Database]:
    """A database with a name in its file and its log."""
    database = Database(str(tmp_path / "kept.db"))
    prepare(database)
    with database.writing() as connection:
        connection.execute(insert(attempts).values(what=SECRET, at=1))
    database.scrub()
    with database.writing() as connection:
        connection.execute(insert(attempts).values(what=f"{SECRET} again", at=2))
    yield database
    database.close()


def in_files(directory: Path) -> set[str]:
    """Return the names of files that contain the secret."""
    return {path.name for path in directory.iterdir() if SECRET.encode() in path.read_bytes()}


def forget(database: Database) -> None:
    with database.writing() as connection:
        connection.execute(delete(attempts))


def test_deleted_data_are_in_no_file_of_an_open_database(kept: Database, tmp_path: Path) -> None:
    assert in_files(tmp_path) == {"kept.db", "kept.db-wal"}
    forget(kept)
    assert kept.scrub()
    assert in_files(tmp_path) == set()


def test_a_reader_delays_scrubbing(kept: Database, tmp_path: Path) -> None:
    with kept.reading() as connection:
        assert len(connection.execute(select(attempts)).all()) == 2
        forget(kept)
        assert not kept.scrub()
        assert len(connection.execute(select(attempts)).all()) == 2
    assert kept.scrub()
    assert in_files(tmp_path) == set()


def test_a_connection_waits_for_others_as_long_as_before(kept: Database) -> None:
    kept.scrub()
    with kept.reading() as connection:
        wait = connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one()
    assert wait == 30_000


def test_postgresql_needs_no_scrubbing(new_database: Callable[[str], Database]) -> None:
    assert new_database("postgresql").scrub()
