"""Requests of clients that disconnect."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from tatian.corpora import isolation
from tatian.errors import InputError
from tatian.workbench.accounts import sessions
from tatian.workbench.desk import projects
from tatian.workbench.storage.database import Database
from tatian.workbench.web.routing import Call, _watch_client
from tatian.workbench.web.security import USER, cookie_name

from ...waiting import until
from .test_serving import PATIENCE, Server
from .world import World


def request(*messages: dict[str, Any]) -> Request:
    """Return a request whose body was read, followed by `messages`."""
    waiting = list(messages)

    async def receive() -> dict[str, Any]:
        if waiting:
            return waiting.pop(0)
        await asyncio.Event().wait()
        raise AssertionError

    return Request({"type": "http", "method": "POST", "headers": [], "state": {}}, receive)


def attended(asked: Request, work: Callable[[], Response]) -> Response:
    """Run work in a new event loop in another thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(_watch_client(asked, work))).result()


def test_a_disconnected_client_is_detected() -> None:
    asked = request({"type": "http.disconnect"})
    call = Call(None, asked, None, {})  # type: ignore[arg-type]

    def work() -> Response:
        assert asked.state.disconnected.wait(10)
        assert call.is_disconnected()
        return Response()

    assert attended(asked, work).status_code == 200


def test_a_waiting_client_is_connected() -> None:
    asked = request()
    call = Call(None, asked, None, {})  # type: ignore[arg-type]

    def work() -> Response:
        assert not call.is_disconnected()
        return Response()

    assert attended(asked, work).status_code == 200


def test_a_file_of_a_disconnected_client_is_not_read_completely(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hang = "i._run_task = lambda _: signal.pause()"
    command = f"import signal; from tatian.corpora import isolation as i; {hang}; i.serve()"
    monkeypatch.setattr(isolation, "_COMMAND", command)
    isolation._close_all()
    asked = iter([True, True])
    with pytest.raises(InputError, match="the sender has left"):
        isolation.read_isolated("page", b"<p>Fog.</p>", "a.html", print, lambda: next(asked, False))
    assert isolation._idle == []


STUCK = """
from tatian.corpora import isolation
isolation._COMMAND = "import signal; signal.pause()"
"""


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="processes are found in /proc")
def test_an_upload_over_the_network_ends_with_its_sender(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "workbench.db"))
    world = World(database)
    owner = world.user()
    with database.writing() as connection:
        cookie, session = sessions.begin(connection, user=owner.id)
        project = projects.create(connection, owner.id, "Ferry").id
    server = Server(str(tmp_path / "workbench.db"), STUCK)
    host = f"{server.host}:{server.port}"
    here = Request({"type": "http", "path": "/", "headers": [(b"host", host.encode())]})
    head = (
        f"POST /api/v1/desk/projects/{project}/accounts?name=a.html HTTP/1.1\r\n"
        f"Host: {host}\r\nContent-Type: application/octet-stream\r\nContent-Length: 15\r\n"
        f"X-CSRF-Token: {session.csrf}\r\n"
        f"Cookie: {cookie_name(world.site, here, USER)}={cookie}\r\n\r\n"
    )
    try:
        with socket.create_connection((server.host, server.port), PATIENCE) as sender:
            sender.sendall(head.encode() + b"<p>A ferry.</p>")
            wait_for_readers(server, 1)
        wait_for_readers(server, 0)
    finally:
        server.stop()
        assert server.process.stdout is not None
        server.process.stdout.close()
        database.close()


def reading(server: Server) -> list[str]:
    """Return the processes in which a server reads files."""
    threads = Path(f"/proc/{server.process.pid}/task").iterdir()
    return [
        child
        for thread in threads
        for child in (thread / "children").read_text().split()
        if b"signal.pause" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


def wait_for_readers(server: Server, count: int) -> None:
    """Wait until a number of processes read files."""

    def read() -> bool:
        with suppress(OSError):  # A process may end while it is looked at.
            return len(reading(server)) == count
        return False

    until(read, f"{count} readers", pause=0.05)
