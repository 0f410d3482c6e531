"""Prepared statements of connections to PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection, bindparam, func, insert, literal, select, text, update
from sqlalchemy.exc import DataError, IntegrityError, OperationalError

from tatian.workbench.storage import postgres
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.schema import prepare
from tatian.workbench.storage.tables import attempts, settings

_BY_NAME = select(attempts).where(attempts.c.what == bindparam("name"))
_COUNT = select(func.count()).select_from(attempts)
_CLAIMED = select(func.count()).select_from(text("pg_prepared_statements"))


@pytest.fixture
def database(new_database: Callable[[str], Database]) -> Database:
    database = new_database("postgresql")
    prepare(database)
    return database


def run_three_times(
    connection: Connection, query: Any, values: dict[str, Any] | None = None
) -> list[Any]:
    """Return a statement's rows at the first, second and third execution."""
    return [connection.execute(query, values or {}).all() for _ in range(3)]


def test_a_statement_gives_the_same_rows_every_time(database: Database) -> None:
    query = select(
        bindparam("whole", 7),
        bindparam("large", 1 << 40),
        bindparam("part", 0.1),
        bindparam("yes", True),
        bindparam("nothing", None),
        bindparam("words", "a % é '\" \\ $1"),
        literal("100%"),
    )
    with database.reading() as connection:
        first, second, third = run_three_times(connection, query)
    assert first == second == third
    assert tuple(first[0]) == (7, 1 << 40, 0.1, True, None, "a % é '\" \\ $1", "100%")


def test_a_value_may_be_of_another_type_than_the_time_before(database: Database) -> None:
    query = select(attempts.c.id).where(attempts.c.at == bindparam("when"))
    with database.writing() as connection:
        connection.execute(insert(attempts), [{"what": "x", "at": at} for at in (1, 1 << 40)])
        found = [connection.execute(query, {"when": at}).all() for at in (1, 1 << 40) * 3]
    assert [len(rows) for rows in found] == [1] * 6


def test_parameter_can_be_used_twice_in_a_statement(database: Database) -> None:
    query = select(_COUNT.scalar_subquery()).where(bindparam("same", "a") == bindparam("same", "a"))
    with database.reading() as connection:
        assert run_three_times(connection, query) == [[(0,)]] * 3


def test_a_change_says_how_many_rows_it_changed(database: Database) -> None:
    change = update(attempts).values(at=bindparam("when"))
    with database.writing() as connection:
        connection.execute(insert(attempts), [{"what": name, "at": 1} for name in "ab"])
        assert [connection.execute(change, {"when": at}).rowcount for at in range(3)] == [2, 2, 2]


def test_rolled_back_changes_are_gone(database: Database) -> None:
    def fail() -> None:
        with database.writing() as connection:
            connection.execute(insert(attempts), {"what": "gone", "at": 1})
            raise KeyError

    for _ in range(3):
        with pytest.raises(KeyError):
            fail()
    with database.reading() as connection:
        assert connection.execute(_COUNT).scalar_one() == 0


def test_committed_changes_are_visible_to_others(database: Database) -> None:
    for number in range(1, 4):
        with database.writing() as connection:
            connection.execute(insert(attempts), {"what": "kept", "at": 1})
        with database.autocommit() as connection:
            assert connection.execute(_COUNT).scalar_one() == number


def test_every_reading_transaction_has_a_snapshot(database: Database) -> None:
    for number in range(3):
        with database.reading() as connection:
            assert connection.execute(_COUNT).scalar_one() == number
            with database.writing() as other:
                other.execute(insert(attempts), {"what": "late", "at": 1})
            assert connection.execute(_COUNT).scalar_one() == number


def test_repeated_statements_raise_the_same_errors(database: Database) -> None:
    twice = insert(settings).values(key="a", value="b")
    large = insert(attempts)
    with database.writing() as connection:
        connection.execute(twice)
    for _ in range(3):
        with pytest.raises(IntegrityError), database.writing() as connection:
            connection.execute(twice)
        with pytest.raises(DataError), database.writing() as connection:
            connection.execute(large, {"what": "x", "at": 1 << 80})


def test_a_connection_that_is_ended_at_work_is_replaced(database: Database) -> None:
    end = text("SELECT pg_terminate_backend(:which)")
    own = text("SELECT pg_backend_pid()")
    with pytest.raises(OperationalError), database.writing() as connection:  # noqa: PT012
        (*_, [process]) = run_three_times(connection, own)
        with database.writing() as other:
            other.execute(end, {"which": process[0]})
        connection.execute(own)
    with database.autocommit() as connection:
        assert connection.execute(own).scalar_one() != process[0]


def test_a_connection_caches_a_limited_number_of_statements(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_MAX_PREPARED", 5)
    queries = [select(_COUNT.scalar_subquery(), literal(7).label(f"c{one}")) for one in range(9)]
    with database.reading() as connection:
        for query in queries * 2:
            assert run_three_times(connection, query) == [[(0, 7)]] * 3
        assert connection.execute(_CLAIMED).scalar_one() <= 5


def test_a_query_whose_values_differ_in_type_counts_once_for_each(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_MAX_PREPARED", 5)
    values = (1, 1 << 20, 1 << 40, 1 << 80, 1.5, True, b"x")
    with database.reading() as connection:
        driver: Any = connection.connection.driver_connection
        for value in values * 3:
            found = driver.cursor().execute("SELECT %(value)s IS NULL", {"value": value})
            assert found.fetchone() == (False,)
        assert connection.execute(_CLAIMED).scalar_one() == 5


def test_single_questions_hold_no_transaction_open(database: Database) -> None:
    with database.autocommit() as connection:
        run_three_times(connection, _BY_NAME, {"name": "x"})
    with database.autocommit() as connection:
        connection.execute(_BY_NAME, {"name": "x"})
        driver: Any = connection.connection.driver_connection
        assert driver.info.transaction_status.name == "IDLE"
