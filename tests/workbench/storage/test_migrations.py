"""Migrations of databases."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine, inspect, select, text
from sqlalchemy.exc import DatabaseError

from tatian.errors import InputError
from tatian.workbench.storage import migrations
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.migrations import FIRST, MIGRATIONS, VERSION, prepare, secret
from tatian.workbench.storage.tables import metadata, settings

from .rows import KINDS, ROWS, fill

Url = Callable[[str], str]


@pytest.fixture
def opened(new_url: Url, request: pytest.FixtureRequest) -> Callable[[str], Database]:
    """Return a function that opens an empty database of a kind."""

    def create(kind: str) -> Database:
        database = Database(new_url(kind))
        request.addfinalizer(database.close)
        return database

    return create


def shape(engine: Engine) -> dict[str, set[str]]:
    """Return the columns by table."""
    told = inspect(engine)
    return {
        table: {column["name"] for column in told.get_columns(table)}
        for table in told.get_table_names()
    }


def later(monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    """Add a migration of a later version."""
    step = migrations.Migration(VERSION + 1, "a test", sql, sql)
    monkeypatch.setattr(migrations, "MIGRATIONS", (*MIGRATIONS, step))
    monkeypatch.setattr(migrations, "VERSION", VERSION + 1)


def test_versions_are_numbered_without_a_gap() -> None:
    assert [one.version for one in MIGRATIONS] == list(range(FIRST + 1, VERSION + 1))


@pytest.mark.parametrize("kind", KINDS)
def test_a_database_of_an_earlier_version_is_upgraded_with_all_its_rows(
    opened: Callable[[str], Database], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = opened(kind)
    prepare(database)
    fill(database)
    later(monkeypatch, "ALTER TABLE users ADD COLUMN later TEXT; CREATE TABLE more (id INTEGER)")
    prepare(database)
    tables = shape(database.engine)
    assert "later" in tables["users"]
    assert "more" in tables
    with database.reading() as connection:
        assert migrations.stored_version(connection) == VERSION + 1
        for name, rows in ROWS.items():
            found = [row._mapping for row in connection.execute(select(metadata.tables[name]))]
            assert [{key: row[key] for key in rows[0]} for row in found] == rows


@pytest.mark.parametrize("kind", KINDS)
def test_preparing_again_changes_nothing(opened: Callable[[str], Database], kind: str) -> None:
    database = opened(kind)
    prepare(database)
    with database.reading() as connection:
        first = secret(connection)
    prepare(database)
    with database.reading() as connection:
        assert secret(connection) == first
    assert len(first) == 32


@pytest.mark.parametrize("kind", KINDS)
def test_servers_that_start_together_prepare_once(
    opened: Callable[[str], Database], kind: str
) -> None:
    database = opened(kind)
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(prepare, database) for _ in range(4)]:
            done.result()
    with database.reading() as connection:
        assert migrations.stored_version(connection) == VERSION


@pytest.mark.parametrize("kind", KINDS)
def test_a_newer_database_is_refused_unchanged(
    opened: Callable[[str], Database], kind: str
) -> None:
    database = opened(kind)
    prepare(database)
    newer = str(VERSION + 1)
    with database.writing() as connection:
        changed = settings.update().where(settings.c.key == "version")
        connection.execute(changed.values(value=newer))
    with pytest.raises(InputError, match=f"newer version \\({newer}; .* upgrade tatian"):
        prepare(database)
    with database.reading() as connection:
        assert migrations.stored_version(connection) == VERSION + 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("foreign", ["users (id INTEGER)", "settings (key TEXT, value TEXT)"])
def test_a_database_with_other_tables_of_our_names_is_refused(
    opened: Callable[[str], Database], kind: str, foreign: str
) -> None:
    database = opened(kind)
    with database.writing() as connection:
        connection.execute(text(f"CREATE TABLE {foreign}"))
    with pytest.raises(InputError, match="another program's tables"):
        prepare(database)


@pytest.mark.parametrize("kind", KINDS)
def test_an_upgrade_that_fails_leaves_everything_as_it_was(
    opened: Callable[[str], Database], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = opened(kind)
    prepare(database)
    before = shape(database.engine)
    later(monkeypatch, "CREATE TABLE half (id INTEGER); CREATE NONSENSE")
    with pytest.raises(DatabaseError, match="NONSENSE"):
        prepare(database)
    assert shape(database.engine) == before
    with database.reading() as connection:
        assert migrations.stored_version(connection) == VERSION
