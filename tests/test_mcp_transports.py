"""The MCP server over both its transports: real processes, a real port."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from click.testing import CliRunner
from mcp import Client, StdioServerParameters
from starlette.testclient import TestClient

import tatian
from tatian import limits
from tatian.cli import main
from tatian.mcp import PATH, application, serve_http, server

from .test_mcp import ACCOUNTS, GERMAN, loop
from .waiting import until

LOCAL = "http://127.0.0.1:8765"
SESSION = "mcp-session-id"
COMMAND = [sys.executable, "-m", "tatian", "mcp"]


def stdio(directory: Path) -> StdioServerParameters:
    return StdioServerParameters(
        command=COMMAND[0], args=COMMAND[1:], env=dict(os.environ), cwd=directory
    )


@pytest.mark.parametrize("mode", ["auto", pytest.param("legacy", marks=pytest.mark.long)])
def test_standard_input_and_output(mode: str, tmp_path: Path) -> None:
    async def run() -> None:
        async with Client(stdio(tmp_path), mode=mode) as client:
            done = await client.call_tool("analyze", {"text": "Ann Lee moved to Oslo."})
            assert done.structured_content["text"] == "Ann Lee moved to Oslo."
            done = await client.call_tool("analyze", {"text": GERMAN})
            assert done.is_error

    loop(run)


HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def test_invalid_messages_are_skipped() -> None:
    given = [
        b"nonsense",
        b'{"jsonrpc": "2.0", "id": "\\ud800"}',
        b"\xff",
        json.dumps(HELLO).encode(),
    ]
    done = subprocess.run(
        COMMAND, input=b"\n".join(given) + b"\n", capture_output=True, timeout=60, check=True
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert any(one.get("id") == 1 and "result" in one for one in answers)
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("args", [[], ["--http", "--port", "0"]], ids=["stdio", "http"])
def test_an_interrupt_ends_quietly(args: list[str]) -> None:
    with subprocess.Popen(
        [*COMMAND, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        if args:
            assert b"listening on http://127.0.0.1:" in process.stderr.readline()
        else:
            process.stdin.write(json.dumps(HELLO).encode() + b"\n")
            process.stdin.flush()
            assert b"result" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == (130 if args else -signal.SIGINT)
        assert process.stderr.read().strip() == b""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server over HTTP, in a process of its own."""
    folder = tmp_path_factory.mktemp("http")
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [*COMMAND, "--http", "--port", "0"], cwd=folder, stderr=subprocess.PIPE, stdout=log
        )
        assert process.stderr
        said = process.stderr.readline().decode()
        yield said.removeprefix("tatian: note: listening on ").partition(": end")[0]
        process.terminate()
        process.wait(30)
        assert b"Traceback" not in process.stderr.read()
        process.stderr.close()


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_streamable_http(mode: str, address: str) -> None:
    heard = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message)

    async def run() -> Any:
        async with Client(address, mode=mode) as client:
            assert (await client.call_tool("analyze", {"text": GERMAN})).is_error
            arguments = {"accounts": ACCOUNTS}
            return await client.call_tool("consolidate", arguments, progress_callback=hear)

    assert loop(run).structured_content["text"]
    assert "reading sources: 1 of 2" in heard


def posted(address: str, body: bytes, **headers: str) -> httpx2.Response:
    accepted = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    return httpx2.post(address, content=body, headers={**accepted, **headers}, timeout=30)


def test_a_web_page_cannot_lead_a_browser_here(address: str) -> None:
    ping = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
    assert posted(address, ping, Host="evil.example").status_code == 421
    assert posted(address, ping, Origin="http://evil.example").status_code == 403
    port = address.partition("127.0.0.1:")[2].partition("/")[0]
    assert posted(address, ping, Host=f"localhost:{port}").status_code not in (403, 421)


def test_a_request_that_is_too_large_is_refused(address: str) -> None:
    assert posted(address, b" " * (9 * 2**20)).status_code == 413


def begun(client: TestClient) -> tuple[int, dict[str, str]]:
    """The answer to the opening of a session, and what later requests must bring."""
    accepted = {"Accept": "application/json, text/event-stream"}
    opened = client.post(PATH, json=HELLO, headers=accepted)
    return opened.status_code, {**accepted, "Mcp-Session-Id": opened.headers.get(SESSION, "")}


PING = {"jsonrpc": "2.0", "id": 2, "method": "ping"}


def test_a_session_is_answered_until_it_has_been_idle_for_too_long() -> None:
    with TestClient(application("127.0.0.1"), base_url=LOCAL) as client:
        status, session = begun(client)
        assert (status, client.post(PATH, json=PING, headers=session).status_code) == (200, 200)


def test_a_session_that_is_idle_ends() -> None:
    one = server()
    with TestClient(application("127.0.0.1", one, idle=0.2), base_url=LOCAL) as client:
        status, session = begun(client)
        assert status == 200
        until(lambda: not one.session_manager._server_instances, "the session to end")
        assert client.post(PATH, json=PING, headers=session).status_code == 404


def test_sessions_are_bounded_in_number_and_make_room_when_they_end() -> None:
    with TestClient(application("127.0.0.1", sessions=2), base_url=LOCAL) as client:
        found = [begun(client) for _ in range(3)]
        assert [status for status, _ in found] == [200, 200, 503]
        client.delete(PATH, headers=found[0][1])
        assert begun(client)[0] == 200


def test_the_server_ends_idle_sessions_and_bounds_their_number() -> None:
    one = server()
    application("127.0.0.1", one)
    kept = one.session_manager
    assert (kept.session_idle_timeout, kept.max_sessions) == (
        limits.MCP_IDLE_SECONDS,
        limits.MCP_SESSIONS,
    )


def test_a_port_that_is_taken_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(tatian.InputError, match=f"cannot listen on 127.0.0.1:{port} "):
            serve_http("127.0.0.1", port, print)


def test_without_the_package_the_command_to_install_it_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "tatian.mcp")
    monkeypatch.setitem(sys.modules, "mcp", None)
    done = CliRunner().invoke(main, ["mcp"])
    assert done.exit_code == 2
    assert done.stderr.endswith("the MCP server needs an extra: pip install 'tatian[mcp]'\n")
