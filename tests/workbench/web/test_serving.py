"""The server as a process: sockets, malformed requests, stopping."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import HTTPCookieProcessor, build_opener, urlopen

import pytest

from tatian.errors import InputError
from tatian.hosts import checked_url
from tatian.workbench.storage.database import Database
from tatian.workbench.web.routing import MEBIBYTE
from tatian.workbench.web.server import create_app, serve

PATIENCE = 60
"""Seconds that anything may take on a busy machine."""
PROGRAM = """
import sys
from tatian.workbench.storage.database import Database
from tatian.workbench.web.server import create_app, serve
serve(create_app(Database(sys.argv[1])), port=0, announce=lambda link: print(link, flush=True))
"""


class Server:
    """A server in a separate process."""

    def __init__(self, database: str, before: str = "") -> None:
        """Start the server after the Python lines `before`."""
        command = [sys.executable, "-c", before + PROGRAM, database]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.link = self.process.stdout.readline().strip()
        parts = urlsplit(self.link)
        self.url = f"{parts.scheme}://{parts.netloc}"
        self.host, self.port = str(parts.hostname), int(parts.port or 0)

    def raw(self, data: bytes) -> bytes:
        """Send bytes and return the response."""
        received = b""
        with (
            socket.create_connection((self.host, self.port), PATIENCE) as connection,
            suppress(ConnectionError),
        ):
            connection.sendall(data)
            while part := connection.recv(65536):
                received += part
        return received

    def stop(self) -> int:
        """Stop the server as a service manager does."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()


@pytest.fixture(scope="module")
def database_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("serving") / "workbench.db"


@pytest.fixture(scope="module")
def server(database_path: Path) -> Iterator[Server]:
    running = Server(str(database_path))
    yield running
    if running.process.poll() is None:
        running.stop()
    assert running.process.stdout is not None
    running.process.stdout.close()


def _request(head: str, body: bytes = b"") -> bytes:
    return f"{head}\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode() + body


def test_the_announced_link_signs_in(server: Server) -> None:
    browser = build_opener(HTTPCookieProcessor())
    with browser.open(f"{server.url}/account", timeout=PATIENCE) as door:
        assert door.url.endswith("/sign-in?to=/account")
    browser.open(server.link, timeout=PATIENCE).close()
    with browser.open(f"{server.url}/account", timeout=PATIENCE) as account:
        assert b"</strong>, admin" in account.read()


def test_the_health_page_answers(server: Server) -> None:
    with urlopen(f"{server.url}/health", timeout=PATIENCE) as answer:
        assert answer.read() == b'{"status":"ok"}'
        assert "server" not in answer.headers


def test_a_body_sent_in_pieces_is_cut_off_at_the_limit(server: Server) -> None:
    piece = b"10000\r\n" + b"x" * 65536 + b"\r\n"
    kind = "Content-Type: application/x-www-form-urlencoded"
    head = f"POST /sign-in HTTP/1.1\r\nTransfer-Encoding: chunked\r\n{kind}"
    with socket.create_connection((server.host, server.port), PATIENCE) as connection:
        connection.sendall(_request(head))
        sent = 0
        with suppress(ConnectionError):
            while sent < 64 * MEBIBYTE:
                connection.sendall(piece)
                sent += 65536
    assert sent < 64 * MEBIBYTE


@pytest.mark.parametrize(
    "data",
    [
        b"\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 3_000_000 + b"\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n"
        b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n",
    ],
)
def test_a_malformed_request_gets_an_error(server: Server, data: bytes) -> None:
    received = server.raw(data)
    assert received.split(b" ")[1:2] in ([b"400"], [b"403"], [b"415"], [b"431"]) or not received
    assert b"Traceback" not in received
    with urlopen(f"{server.url}/health", timeout=PATIENCE) as answer:
        assert answer.status == 200


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/app.py", "//static//../x"])
def test_a_path_with_parent_folders_is_not_followed(server: Server, path: str) -> None:
    received = server.raw(_request(f"GET {path} HTTP/1.1"))
    assert received.startswith(b"HTTP/1.1 404")


def test_a_broken_connection_does_no_harm(server: Server) -> None:
    kind = "Content-Type: application/x-www-form-urlencoded"
    head = f"POST /sign-in HTTP/1.1\r\nContent-Length: 1000\r\n{kind}"
    with socket.create_connection((server.host, server.port), PATIENCE) as connection:
        connection.sendall(_request(head, b"name=a"))
    with urlopen(f"{server.url}/health", timeout=PATIENCE) as answer:
        assert answer.status == 200


def test_the_server_stops_on_a_signal(tmp_path: Path) -> None:
    running = Server(str(tmp_path / "workbench.db"))
    assert running.stop() in (0, -signal.SIGTERM)
    assert running.process.stdout is not None
    running.process.stdout.close()
    with pytest.raises(OSError, match=r"."):
        socket.create_connection((running.host, running.port), 1)


def test_a_port_in_use_is_reported_in_one_line(server: Server, tmp_path: Path) -> None:
    database = Database(str(tmp_path / "other.db"))
    try:
        with pytest.raises(InputError, match=f"cannot listen on 127.0.0.1:{server.port}"):
            serve(create_app(database), port=server.port)
    finally:
        database.close()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "ftp://example.org",
        "https://",
        "https://user:pass@example.org",
        "https://example.org/path",
        "https://example.org?x",
        "https://example.org:port",
        "https://[::1",
        "https://example.org/#x",
    ],
)
def test_an_invalid_public_address_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="public address"):
        checked_url(url)


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://Example.org/", "https://example.org"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("https://[::1]:8443", "https://[::1]:8443"),
        ("https://example.org:443", "https://example.org"),
        ("http://example.org:80/", "http://example.org"),
    ],
)
def test_a_public_address_is_kept_as_browsers_name_it(url: str, kept: str) -> None:
    assert checked_url(url) == kept
