"""Databases: snapshots, file modes, connections."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select

from tatian.workbench.storage import database as module
from tatian.workbench.storage.backup import back_up
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.schema import prepare
from tatian.workbench.storage.tables import attempts


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def usual_mask() -> Iterator[None]:
    """Set the usual umask."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_a_reading_transaction_has_a_snapshot(database: Database) -> None:
    number = select(func.count()).select_from(attempts)
    with database.reading() as connection:
        before = connection.execute(number).scalar_one()
        with database.writing() as other:
            other.execute(insert(attempts).values(what="late", at=1))
        assert connection.execute(number).scalar_one() == before
    with database.reading() as connection:
        assert connection.execute(number).scalar_one() == before + 1


def test_only_the_owner_can_read_a_new_database(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/new.db")
    prepare(database)
    with database.writing() as connection:
        connection.execute(insert(attempts).values(what="here", at=1))
        files = sorted(tmp_path.iterdir())
        assert [one.name for one in files] == ["new.db", "new.db-shm", "new.db-wal"]
        assert {mode(one) for one in files} == {0o600}
    database.close()


def test_an_existing_database_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "shared.db"
    path.touch()
    path.chmod(0o640)
    database = Database(str(path))
    prepare(database)
    database.close()
    assert mode(path) == 0o640


def test_only_the_owner_can_read_a_new_backup(
    tmp_path: Path,
) -> None:
    database = Database(f"sqlite:///{tmp_path}/new.db")
    prepare(database)
    target = tmp_path / "all.backup"
    back_up(database, target)
    assert mode(target) == 0o600
    target.chmod(0o664)
    back_up(database, target)
    assert mode(target) == 0o664
    database.close()


@pytest.fixture
def postgresql(new_database: Callable[[str], Database]) -> Database:
    return new_database("postgresql")


def test_a_connection_that_postgresql_ended_while_it_lay_idle_is_replaced(
    postgresql: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_IDLE_SECONDS", 0.0)
    with postgresql.writing() as connection:
        number = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
    other = Database(postgresql.url)
    with other.writing() as connection:
        ended = connection.exec_driver_sql(f"SELECT pg_terminate_backend({number}, 5000)")
        assert ended.scalar_one()
    other.close()
    with ExitStack() as held:
        for _ in range(3):
            connection = held.enter_context(postgresql.reading())
            assert connection.exec_driver_sql("SELECT 1").scalar_one() == 1


def test_connections_are_kept_however_many_were_in_use_at_once(postgresql: Database) -> None:
    with ExitStack() as held:
        for _ in range(30):
            held.enter_context(postgresql.autocommit())
    assert postgresql.engine.pool.checkedin() >= 30  # type: ignore[attr-defined]


def test_a_glance_is_no_transaction_on_postgresql(postgresql: Database) -> None:
    with postgresql.autocommit() as connection:
        begun = [connection.exec_driver_sql("SELECT now()").scalar() for _ in range(2)]
    assert begun[0] < begun[1]
