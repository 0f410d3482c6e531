"""Servers of language models on this machine are found by the list of their models."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tatian.chat.endpoint import ModelServer, find_servers

LISTED = json.dumps({"object": "list", "data": [{"id": "small"}, {"id": "large"}]}).encode()


@pytest.fixture
def serve() -> Iterator[object]:
    """Return a function that serves one answer on a port of its own."""
    servers = []

    def serve(answer: bytes, status: int = 200) -> int:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(status if self.path == "/v1/models" else 404)
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        return int(server.server_address[1])

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def test_a_server_is_named_with_its_models(serve) -> None:
    port = serve(LISTED)
    found = ModelServer("Ollama", f"http://localhost:{port}/v1", ("small", "large"))
    assert list(find_servers({"Ollama": port})) == [found]


@pytest.mark.parametrize("answer", [b"", b"<html>", b"[]", b'{"data": [{"name": "x"}]}', b"\xff"])
def test_a_server_of_something_else_is_passed_over(serve, answer: bytes) -> None:
    assert list(find_servers({"vLLM": serve(answer)})) == []


def test_a_server_that_refuses_is_passed_over(serve) -> None:
    assert list(find_servers({"vLLM": serve(LISTED, status=401)})) == []


def test_a_closed_port_is_passed_over(serve) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    other = serve(LISTED)
    assert [server.name for server in find_servers({"a": port, "b": other})] == ["b"]


def test_the_search_for_servers_has_a_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tatian.chat.endpoint.MAX_SEARCH_SECONDS", 0.1)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        assert list(find_servers({"silent": silent.getsockname()[1]})) == []
