"""Housekeeping of the server."""

from __future__ import annotations

import pytest
from sqlalchemy import func, insert, select
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from tatian.workbench.accounts import attempts, sessions
from tatian.workbench.storage import tables
from tatian.workbench.storage.database import Database, now
from tatian.workbench.storage.tables import sessions as stored
from tatian.workbench.web import server
from tatian.workbench.web.server import delete_old_data, housekeeping

from ...waiting import until

_DAY = 24 * 3_600_000


def old_try(database: Database, age: int = _DAY + 1) -> None:
    with database.writing() as connection:
        connection.execute(
            insert(tables.attempts).values(what="sign-in from 192.0.2.7", at=now() - age)
        )


def tries(database: Database) -> int:
    with database.reading() as connection:
        return connection.execute(select(func.count()).select_from(tables.attempts)).scalar_one()


def wait_until_gone(database: Database) -> None:
    until(lambda: not tries(database), "old tries to be forgotten")


def test_addresses_are_forgotten_after_a_day_and_not_before(database: Database) -> None:
    old_try(database)
    old_try(database, _DAY - 60_000)
    delete_old_data(database)
    assert tries(database) == 1


def test_expired_sessions_are_deleted(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with database.writing() as connection:
        sessions.begin(connection)
        sessions.begin(connection)
    later = now() + sessions.ANNOTATOR_LIFETIME
    monkeypatch.setattr(sessions, "now", lambda: later)
    delete_old_data(database)
    with database.reading() as connection:
        assert connection.execute(select(stored)).all() == []


def test_housekeeping_runs_at_the_start_and_at_intervals(database: Database) -> None:
    old_try(database)
    with housekeeping(database, every=0.01):
        wait_until_gone(database)
        old_try(database)
        wait_until_gone(database)


@pytest.mark.parametrize(
    "failure",
    [OperationalError("select", {}, Exception("away")), PoolTimeout("no connection is free")],
    ids=["away", "busy"],
)
def test_an_unreachable_database_is_retried(
    database: Database, monkeypatch: pytest.MonkeyPatch, failure: SQLAlchemyError
) -> None:
    failures = [failure] * 2

    def away_at_first(database: Database) -> None:
        if failures:
            raise failures.pop()
        delete_old_data(database)

    monkeypatch.setattr(server, "delete_old_data", away_at_first)
    old_try(database)
    with housekeeping(database, every=0.01):
        wait_until_gone(database)
    assert failures == []


def test_a_new_attempt_is_not_counted_with_deleted_ones(database: Database) -> None:
    old_try(database)
    once = attempts.Limit("sign-in from", 1, 2 * 24 * 60)
    with database.writing() as connection:
        attempts.count_attempt(connection, once, "192.0.2.7")
    assert tries(database) == 1
