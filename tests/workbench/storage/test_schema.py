"""Creation of the tables."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from tatian.errors import InputError
from tatian.workbench.storage import schema
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.schema import VERSION, prepare, secret
from tatian.workbench.storage.tables import settings

from .rows import KINDS

Url = Callable[[str], str]


@pytest.fixture
def opened(new_url: Url, request: pytest.FixtureRequest) -> Callable[[str], Database]:
    """Return a function that opens an empty database of a kind."""

    def create(kind: str) -> Database:
        database = Database(new_url(kind))
        request.addfinalizer(database.close)
        return database

    return create


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
        assert schema.stored_version(connection) == VERSION


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
        assert schema.stored_version(connection) == VERSION + 1


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
