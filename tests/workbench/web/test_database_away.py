"""PostgreSQL stops and restarts while the server runs."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

import pytest
from click.testing import CliRunner

from tatian.cli import main
from tatian.workbench.accounts import sessions, users
from tatian.workbench.campaigns import campaigns
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.schema import prepare

from ...waiting import until
from .test_serving import PATIENCE, Server


@pytest.fixture
def url(new_url: Callable[[str], str]) -> str:
    return new_url("postgresql")


@pytest.fixture
def admin(url: str) -> tuple[str, str]:
    """Return cookie and token of a session."""
    database = Database(url)
    prepare(database)
    with database.writing() as connection:
        user = users.create(connection, "ada", "admin").id
        campaigns.create(connection, "birds", "union", "Birds", CampaignSettings(), "Go.", "test")
        cookie, session = sessions.begin(connection, user=user)
    database.close()
    return cookie, session.csrf


@pytest.fixture
def server(url: str, admin: tuple[str, str]) -> Iterator[Server]:
    running = Server(url)
    yield running
    running.stop()
    assert running.process.stdout is not None
    running.process.stdout.close()


class _Stay(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def ask(server: Server, admin: tuple[str, str], path: str, **fields: str) -> tuple[int, Any, str]:
    """Send a request; return status, headers and body."""
    cookie, csrf = admin
    data = urlencode({"csrf": csrf, **fields}).encode() if fields else None
    sent = {"Cookie": f"tatian_session-{server.port}={cookie}"}
    request = Request(server.url + path, data, sent)
    try:
        with build_opener(_Stay).open(request, timeout=PATIENCE) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except HTTPError as error:
        with error:
            return error.code, error.headers, error.read().decode()


def kill(postgres: Any) -> None:
    """Kill the postmaster and wait for its child processes."""
    process = postgres.get_postmaster_info().process
    children = process.children(recursive=True)
    process.kill()
    for one in (process, *children):
        one.wait(PATIENCE)


def start(postgres: Any) -> None:
    """Start PostgreSQL again."""

    def runs() -> bool:
        with suppress(subprocess.SubprocessError):
            postgres.ensure_postgres_running()
            return True
        return False

    until(runs, "PostgreSQL to start again", patience=PATIENCE, pause=0.1)


@pytest.mark.long
def test_requests_are_refused_until_the_database_answers(
    server: Server, admin: tuple[str, str], postgres_server: Any
) -> None:
    listed, invitations = "/campaigns", "/campaigns/birds/invitations"
    assert ask(server, admin, invitations, kind="open", label="before")[0] == 303
    over = threading.Event()
    statuses: list[int] = []

    def go_on() -> None:
        while not over.is_set():
            statuses.append(ask(server, admin, listed)[0])

    people = [threading.Thread(target=go_on) for _ in range(3)]
    for person in people:
        person.start()
    kill(postgres_server)
    try:
        status, headers, _ = ask(server, admin, invitations, kind="open", label="meanwhile")
        assert (status, headers["retry-after"]) == (503, "2")
        assert ask(server, admin, "/health")[0] == 503
    finally:
        start(postgres_server)
    until(lambda: ask(server, admin, listed)[0] == 200, "the database", patience=PATIENCE)
    over.set()
    for person in people:
        person.join()
    assert set(statuses) <= {200, 503}
    assert ask(server, admin, invitations, kind="open", label="after")[0] == 303
    page = ask(server, admin, invitations)[2]
    there = [name for name in ("before", "meanwhile", "after") if f">{name}<" in page]
    assert there == ["before", "after"]


def test_a_missing_database_at_the_start_is_reported_in_one_line(tmp_path: Any) -> None:
    nowhere = f"postgresql:///workbench?host={tmp_path}"
    done = CliRunner().invoke(main, ["annotate", "serve", "--database", nowhere, "--no-open"])
    assert done.exit_code != 0
    assert "cannot open the database" in done.output
    assert "Traceback" not in done.output
