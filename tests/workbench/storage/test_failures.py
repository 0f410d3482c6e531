"""Recognition of full disks."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import insert, select
from sqlalchemy.exc import DBAPIError, OperationalError

from tatian.workbench.storage import database
from tatian.workbench.storage.database import Database, describe_problem, is_disk_full
from tatian.workbench.storage.schema import prepare
from tatian.workbench.storage.tables import users

from ..full import fill_up

New = Callable[[str], Database]


def write(database: Database) -> DBAPIError:
    """Fill the disk and return the error."""
    row = {"name": "a" * 2**20, "role": "admin", "created": 1}
    with pytest.raises(DBAPIError) as raised, database.writing() as connection:
        connection.execute(insert(users).values(row))
    return raised.value


def test_a_full_sqlite_file_is_reported_and_nothing_saved(new_database: New) -> None:
    database = new_database("sqlite")
    fill_up(database)
    error = write(database)
    assert is_disk_full(error)
    said = "the disk is full, and nothing was saved (database or disk is full)"
    assert describe_problem(error) == said
    with database.reading() as connection:
        assert connection.execute(select(users)).all() == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MiB."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(place)]
    try:
        is_mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        is_mounted = False
    if not is_mounted:
        pytest.skip("file systems cannot be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_really_full_disk_is_reported(small_disk: Path) -> None:
    with closing(Database(str(small_disk / "a.db"))) as database:
        prepare(database)
        error = write(database)
        assert describe_problem(error, database).startswith(
            "the disk is full, and nothing was saved ("
        )


class _Postgres(Exception):
    sqlstate = "53100"


@pytest.mark.parametrize(
    ("error", "full"),
    [
        (OperationalError("", {}, _Postgres("could not extend file")), True),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), True),
        (OSError(errno.EDQUOT, os.strerror(errno.EDQUOT)), True),
        (OSError(errno.EACCES, os.strerror(errno.EACCES)), False),
        (OperationalError("", {}, sqlite3.OperationalError("database is locked")), False),
        (OperationalError("", {}, Exception("the connection is lost")), False),
    ],
)
def test_a_full_disk_is_distinguished_from_other_failures(error: Exception, full: bool) -> None:
    assert is_disk_full(error) == full
    assert ("the disk is full" in describe_problem(error)) == full


@pytest.mark.parametrize(("free", "full"), [(0, True), (2**30, False)])
def test_an_error_of_input_or_output_is_a_full_disk_where_the_disk_is_full(
    free: int, full: bool, new_database: New, monkeypatch: pytest.MonkeyPatch
) -> None:
    cause = sqlite3.OperationalError("disk I/O error")
    cause.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    monkeypatch.setattr(database.shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    error: Any = OperationalError("", {}, cause)
    assert is_disk_full(error, new_database("sqlite")) == full


def test_messages_have_one_line_and_no_values_of_rows() -> None:
    cause = Exception("could not connect\nfor ann@example.org")
    error = OperationalError("INSERT", {"name": "ann"}, cause)
    assert describe_problem(error) == "could not connect"
