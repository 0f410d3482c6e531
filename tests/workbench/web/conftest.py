"""A server for each test, on SQLite unless a test asks for both databases."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tatian.workbench.storage.database import Database

from .world import World


@pytest.fixture
def database(new_database: Callable[[str], Database]) -> Database:
    return new_database("sqlite")


@pytest.fixture
def world(database: Database) -> World:
    return World(database)


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, new_database: Callable[[str], Database]) -> World:
    """A server on each kind of database."""
    return World(new_database(request.param))
