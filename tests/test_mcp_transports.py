"""The MCP server as programs start it: real processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from mcp import Client, StdioServerParameters

from tatian.cli import main

from .test_mcp import GERMAN, loop

COMMAND = [sys.executable, "-m", "tatian", "mcp"]


def stdio(directory: Path) -> StdioServerParameters:
    return StdioServerParameters(
        command=COMMAND[0], args=COMMAND[1:], env=dict(os.environ), cwd=directory
    )


@pytest.mark.parametrize("mode", ["auto", "legacy"])
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


def test_what_is_no_message_is_passed_over() -> None:
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


def test_an_interrupt_ends_quietly() -> None:
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(json.dumps(HELLO).encode() + b"\n")
        process.stdin.flush()
        assert b"result" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == -signal.SIGINT
        assert process.stderr.read().strip() == b""


def test_without_the_package_the_command_to_install_it_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "tatian.mcp")
    monkeypatch.setitem(sys.modules, "mcp", None)
    done = CliRunner().invoke(main, ["mcp"])
    assert done.exit_code == 2
    assert done.stderr.endswith("the MCP server needs an extra: pip install 'tatian[mcp]'\n")
