"""The MCP server, asked by the package's own client: its tools, its limits, both its transports."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import anyio
import httpx2
import msgspec
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from mcp import Client, MCPError, StdioServerParameters

import tatian
from tatian.cli import main
from tatian.mcp import (
    LONGEST,
    MOST_ACCOUNTS,
    MOST_ALTOGETHER,
    MOST_WAITING,
    TOOLS,
    Contradictions,
    serve_http,
    server,
)

from .cli.conftest import FIRST, SECOND

T = TypeVar("T")
COMMAND = [sys.executable, "-m", "tatian", "mcp"]
ACCOUNTS = [{"text": FIRST, "id": "wire"}, {"text": SECOND, "source": "The Courier"}]
GERMAN = "Die Fähre ist im Nebel auf eine Sandbank gelaufen und der Kapitän wird nun befragt. " * 3


def ask(job: Callable[[Client], Awaitable[T]], target: Any = None) -> T:
    """What a client gets from the server: in this process unless another is named."""

    async def run() -> T:
        async with Client(target or server()) as client:
            return await job(client)

    return anyio.run(run)


def called(tool: str, arguments: dict[str, Any], target: Any = None) -> Any:
    return ask(lambda client: client.call_tool(tool, arguments), target)


def problem(tool: str, arguments: dict[str, Any], target: Any = None) -> str:
    """The one line that a mistake is answered with."""
    done = called(tool, arguments, target)
    assert done.is_error
    (content,) = done.content
    assert "\n" not in content.text
    return str(content.text)


def test_every_tool_says_what_it_takes_and_gives() -> None:
    tools = ask(lambda client: client.list_tools()).tools
    assert [tool.name for tool in tools] == ["consolidate", "trace", "contradictions", "analyze"]
    for tool in tools:
        assert tool.description
        for schema in (tool.input_schema, tool.output_schema):
            assert schema
            assert schema["type"] == "object"
            Draft202012Validator.check_schema(schema)


def test_a_consolidation_is_that_of_the_library() -> None:
    done = called("consolidate", {"accounts": ACCOUNTS, "words": True})
    woven = tatian.Consolidation.from_json(done.structured_content)
    assert done.content[0].text.startswith(woven.text)
    assert [account.id for account in woven.documents] == ["wire", "account-2"]
    assert woven.documents[1].source == "The Courier"
    documents = [
        tatian.Document("wire", FIRST, tatian.Metadata("Ferry runs aground in fog")),
        tatian.Document(
            "account-2", SECOND, tatian.Metadata("Captain questioned", None, "The Courier")
        ),
    ]
    assert woven == tatian.consolidate(documents)


def test_the_sources_of_words_are_given_only_if_asked_for() -> None:
    done = called("consolidate", {"accounts": ACCOUNTS})
    assert done.structured_content["sentences"]
    assert all(one["tokens"] == [] for one in done.structured_content["sentences"])


def test_a_length_is_kept() -> None:
    done = called("consolidate", {"accounts": ACCOUNTS, "length": 10})
    assert len(done.structured_content["text"].split()) < 25


def test_a_text_is_proved() -> None:
    text = "Jonas Verrick has worked on the route for nine years. The mayor resigned."
    done = called("trace", {"text": text, "accounts": ACCOUNTS})
    proof = msgspec.convert(done.structured_content, tatian.Trace)
    assert [one.verdict for one in proof.sentences] == ["supported", "unsupported"]
    assert [account.id for account in proof.documents] == ["wire", "account-2"]
    assert "The mayor resigned." in done.content[0].text


def test_contradictions_have_the_words_of_each_account() -> None:
    done = called("contradictions", {"accounts": ACCOUNTS})
    (found,) = done.structured_content["contradictions"]
    texts = {"wire": FIRST, "account-2": SECOND}
    assert {claim["document"] for claim in found["claims"]} == set(texts)
    for claim in found["claims"]:
        assert texts[claim["document"]][claim["start"] : claim["end"]]
    assert "wire says" in done.content[0].text


def test_where_there_is_no_contradiction_it_is_said() -> None:
    done = called("contradictions", {"accounts": ACCOUNTS[:1]})
    assert done.structured_content["contradictions"] == []
    assert done.content[0].text == "No contradiction was found."


def test_a_text_is_analysed() -> None:
    done = called("analyze", {"text": "Ann Lee moved to Oslo."})
    document = tatian.Document.from_json(done.structured_content)
    assert [token.of(document.text) for token in document.tokens][:2] == ["Ann", "Lee"]
    assert "NER=B-PER" in done.content[0].text


@pytest.mark.parametrize(
    ("accounts", "said"),
    [
        ([], "Expected 'array' of length >= 1 - at 'accounts'"),
        (["text"], "Expected 'object', got 'str' - at 'accounts[0]'"),
        ([{}], "Object missing required field 'text' - at 'accounts[0]'"),
        ([{"text": 1}], "Expected 'str', got 'int' - at 'accounts[0].text'"),
        ([{"text": ""}], "Expected 'str' of length >= 1 - at 'accounts[0].text'"),
        ([{"text": " \n"}], "account-1: empty: there is no text in it"),
        ([{"text": "a", "path": "a"}], "Object contains unknown field 'path' - at 'accounts[0]'"),
        ([{"text": "\x00\x01\x02" * 9}], "account-1: binary data, not text"),
        ([{"text": "%PDF-1.7", "id": "b"}], "b: not text but a PDF document"),
        ([{"text": GERMAN}], "'account-1' seems to be in German: Tatian reads English only"),
        ([{"text": "x" * (LONGEST + 1)}], "of length <= 100000 - at 'accounts[0].text'"),
        ([{"text": "x"}] * (MOST_ACCOUNTS + 1), "Expected 'array' of length <= 50"),
        ([{"text": "x" * LONGEST}] * 3, "characters altogether: the limit is 200,000"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_mistake_is_one_line(accounts: list[Any], said: str) -> None:
    for tool in ("consolidate", "contradictions"):
        assert said in problem(tool, {"accounts": accounts})
    assert said in problem("trace", {"text": "A text.", "accounts": accounts})


def test_other_mistakes_are_one_line_too() -> None:
    assert problem("consolidate", {}) == "Object missing required field 'accounts'"
    assert "unknown field 'account'" in problem("consolidate", {"account": []})
    assert "at 'length'" in problem("consolidate", {"accounts": ACCOUNTS, "length": 0})
    assert "German" in problem("analyze", {"text": GERMAN})
    assert "'text' seems to be in German" in problem(
        "trace", {"text": GERMAN, "accounts": ACCOUNTS}
    )
    assert problem("analyze", {"text": "Half \ud800 a character."}).startswith("text: half a char")


def test_a_tool_that_does_not_exist_is_an_error_of_the_protocol() -> None:
    async def job(client: Client) -> None:
        with pytest.raises(MCPError, match="no tool named 'weave': there are consolidate, trace"):
            await client.call_tool("weave", {})

    ask(job)


def test_the_limit_of_all_texts_fits_a_request() -> None:
    assert len(json.dumps("\U0001f600" * MOST_ALTOGETHER)) < 8 * 2**20


WORKING: list[str] = []
MOST: list[int] = []
LET_GO = threading.Event()


class Slow(Contradictions, frozen=True):
    """A tool that works until it is let go, or its caller goes."""

    def answer(self, progress: Any) -> tuple[str, dict[str, Any]]:
        (account,) = self.accounts
        WORKING.append(account.text)
        MOST.append(len(WORKING))
        try:
            while not LET_GO.wait(0.01):
                progress("waiting", 0, 1)
        finally:
            WORKING.remove(account.text)
        return account.text, {"schema": 1, "contradictions": []}


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """`contradictions` takes until the event is set."""
    monkeypatch.setitem(TOOLS, "contradictions", Slow)
    LET_GO.clear()
    MOST.clear()
    yield LET_GO
    LET_GO.set()


async def begin(client: Client, text: str) -> Any:
    return await client.call_tool("contradictions", {"accounts": [{"text": text}]})


async def until(reached: Callable[[], bool]) -> None:
    with anyio.fail_after(20):
        while not reached():
            await anyio.sleep(0.01)


def test_the_server_answers_while_it_works(slow: threading.Event) -> None:
    async def job(client: Client) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(begin, client, "a")
            await until(lambda: WORKING == ["a"])
            assert (await client.list_tools()).tools
            assert WORKING == ["a"]
            slow.set()

    ask(job)


def test_one_call_is_worked_on_and_a_few_may_wait(slow: threading.Event) -> None:
    answers: list[Any] = []

    async def job(client: Client) -> None:
        async def call(text: str) -> None:
            answers.append(await begin(client, text))

        async with anyio.create_task_group() as group:
            group.start_soon(call, "first")
            await until(lambda: WORKING == ["first"])
            for number in range(MOST_WAITING + 1):
                group.start_soon(call, str(number))
            await until(lambda: bool(answers))
            slow.set()

    ask(job)
    refused, *done = answers
    assert refused.is_error
    assert refused.content[0].text == "16 calls are waiting already: try again later"
    assert len(done) == MOST_WAITING + 1
    assert not any(one.is_error for one in done)
    assert set(MOST) == {1}


def test_a_call_that_is_called_off_stops_working(slow: threading.Event) -> None:
    async def job(client: Client) -> Any:
        async with anyio.create_task_group() as group:
            group.start_soon(begin, client, "a")
            await until(lambda: WORKING == ["a"])
            group.cancel_scope.cancel()
        await until(lambda: not WORKING)
        slow.set()
        return await begin(client, "b")

    assert ask(job).content[0].text == "b"


def test_the_caller_hears_how_far_the_work_is() -> None:
    heard: list[tuple[float, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, message))

    async def job(client: Client) -> None:
        arguments = {"accounts": ACCOUNTS}
        await client.call_tool("contradictions", arguments, progress_callback=hear)

    ask(job)
    assert [progress for progress, _ in heard] == [1 + number for number in range(len(heard))]
    assert heard[1][1] == "reading accounts: 1 of 2"


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

    anyio.run(run)


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

    assert anyio.run(run).structured_content["text"]
    assert "reading accounts: 1 of 2" in heard


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
