"""PostgreSQL goes away and comes back while the server runs; nothing but that time is lost."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner

from tatian.cli import main
from tatian.workbench.accounts import tokens, users
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.migrations import prepare

from .test_serving import PATIENCE, Server


@pytest.fixture
def url(new_url: Callable[[str], str]) -> str:
    return new_url("postgresql")


@pytest.fixture
def token(url: str) -> str:
    """A program's token."""
    database = Database(url)
    prepare(database)
    with database.writing() as connection:
        made, _ = tokens.create(connection, users.create(connection, "ada", "admin").id, "test")
    database.close()
    return made


@pytest.fixture
def server(url: str, token: str) -> Iterator[Server]:
    running = Server(url)
    yield running
    running.stop()
    assert running.process.stdout is not None
    running.process.stdout.close()


def ask(server: Server, token: str, path: str, body: Any = None) -> tuple[int, Any, Any]:
    """A request of a program: status, headers and what it says."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(server.url + path, data, headers), timeout=PATIENCE) as answer:
            return answer.status, answer.headers, json.loads(answer.read())
    except HTTPError as error:
        with error:
            return error.code, error.headers, json.loads(error.read())


def kill(postgres: Any) -> None:
    """End the postmaster at once, and wait for its children, which notice and end."""
    process = postgres.get_postmaster_info().process
    children = process.children(recursive=True)
    process.kill()
    for one in (process, *children):
        one.wait(PATIENCE)


def start(postgres: Any) -> None:
    """Recover and listen, once what is left of the old one is gone."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            postgres.ensure_postgres_running()
            return
        except subprocess.SubprocessError:
            assert time.monotonic() < deadline, "PostgreSQL does not start again"
            time.sleep(0.1)


@pytest.mark.long
def test_requests_are_told_to_come_back_until_the_database_does(
    server: Server, token: str, postgres_server: Any
) -> None:
    campaigns = "/api/v1/campaigns"
    new = {"task": "union", "title": "Birds"}
    assert ask(server, token, campaigns, new | {"id": "before"})[0] == 201
    over = threading.Event()
    statuses: list[int] = []

    def go_on() -> None:
        while not over.is_set():
            statuses.append(ask(server, token, campaigns)[0])

    people = [threading.Thread(target=go_on) for _ in range(3)]
    for person in people:
        person.start()
    kill(postgres_server)
    try:
        status, headers, said = ask(server, token, campaigns, new | {"id": "meanwhile"})
        assert (status, headers["retry-after"]) == (503, "2")
        assert said["error"]["code"] == "busy"
        assert ask(server, token, "/health")[0] == 503
    finally:
        start(postgres_server)
    deadline = time.monotonic() + PATIENCE
    while ask(server, token, campaigns)[0] != 200:
        assert time.monotonic() < deadline, "the server does not find its database again"
    over.set()
    for person in people:
        person.join()
    assert set(statuses) <= {200, 503}
    assert ask(server, token, campaigns, new | {"id": "after"})[0] == 201
    found = {one["id"] for one in ask(server, token, campaigns)[2]}
    assert found == {"before", "after"}


def test_a_database_that_is_away_at_the_start_is_said_in_one_line(tmp_path: Any) -> None:
    nowhere = f"postgresql:///workbench?host={tmp_path}"
    done = CliRunner().invoke(main, ["annotate", "serve", "--database", nowhere, "--no-open"])
    assert done.exit_code != 0
    assert "cannot open the database" in done.output
    assert "Traceback" not in done.output
