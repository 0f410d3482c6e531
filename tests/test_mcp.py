"""The MCP server, asked by the package's own client: its tools, its limits, both its transports."""

from __future__ import annotations

import json
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import anyio
import msgspec
import pytest
from jsonschema import Draft202012Validator
from mcp import Client, MCPError

import tatian
from tatian.limits import MCP_CHARACTERS, MCP_SOURCES, MCP_TEXT_CHARACTERS, MCP_WAITING
from tatian.mcp import (
    TOOLS,
    FindContradictions,
    server,
)

from . import waiting
from .cli.conftest import FIRST, SECOND

T = TypeVar("T")
ACCOUNTS = [{"text": FIRST, "id": "wire"}, {"text": SECOND, "source": "The Courier"}]
GERMAN = "Die Fähre ist im Nebel auf eine Sandbank gelaufen und der Kapitän wird nun befragt. " * 3


def ask(job: Callable[[Client], Awaitable[T]], target: Any = None) -> T:
    """What a client gets from the server: in this process unless another is named."""

    async def run() -> T:
        async with Client(target or server()) as client:
            return await job(client)

    return loop(run)


def loop(job: Callable[[], Awaitable[T]]) -> T:
    """Run in a thread of its own: a browser that other tests drive may have a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(anyio.run, job).result()


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


def test_texts_are_verified() -> None:
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


def test_missing_contradictions_are_reported() -> None:
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
        (
            [{"text": "x" * (MCP_TEXT_CHARACTERS + 1)}],
            "of length <= 100000 - at 'accounts[0].text'",
        ),
        ([{"text": "x"}] * (MCP_SOURCES + 1), "Expected 'array' of length <= 50"),
        ([{"text": "x" * MCP_TEXT_CHARACTERS}] * 3, "characters altogether: the limit is 200,000"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_invalid_input_fails_with_one_line(accounts: list[Any], said: str) -> None:
    for tool in ("consolidate", "contradictions"):
        assert said in problem(tool, {"accounts": accounts})
    assert said in problem("trace", {"text": "A text.", "accounts": accounts})


def test_invalid_arguments_fail_with_one_line() -> None:
    assert problem("consolidate", {}) == "Object missing required field 'accounts'"
    assert "unknown field 'account'" in problem("consolidate", {"account": []})
    assert "at 'length'" in problem("consolidate", {"accounts": ACCOUNTS, "length": 0})
    assert "German" in problem("analyze", {"text": GERMAN})
    assert "'text' seems to be in German" in problem(
        "trace", {"text": GERMAN, "accounts": ACCOUNTS}
    )
    assert problem("analyze", {"text": "Half \ud800 a character."}).startswith(
        "text: has half a char"
    )


def test_a_tool_that_does_not_exist_is_an_error_of_the_protocol() -> None:
    async def job(client: Client) -> None:
        with pytest.raises(MCPError, match="no tool named 'weave': there are consolidate, trace"):
            await client.call_tool("weave", {})

    ask(job)


def test_the_limit_of_all_texts_fits_a_request() -> None:
    assert len(json.dumps("\U0001f600" * MCP_CHARACTERS)) < 8 * 2**20


WORKING: list[str] = []
MOST: list[int] = []
LET_GO = threading.Event()


class Slow(FindContradictions, frozen=True):
    """A tool that works until it is let go, or its caller goes."""

    def answer(self, progress: Any, judge: Any) -> tuple[str, dict[str, Any]]:
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
    await anyio.to_thread.run_sync(waiting.until, reached)


def test_the_server_answers_while_it_works(slow: threading.Event) -> None:
    async def job(client: Client) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(begin, client, "a")
            await until(lambda: WORKING == ["a"])
            assert (await client.list_tools()).tools
            assert WORKING == ["a"]
            slow.set()

    ask(job)


def test_calls_run_one_at_a_time_and_a_few_may_wait(slow: threading.Event) -> None:
    answers: list[Any] = []

    async def job(client: Client) -> None:
        async def call(text: str) -> None:
            answers.append(await begin(client, text))

        async with anyio.create_task_group() as group:
            group.start_soon(call, "first")
            await until(lambda: WORKING == ["first"])
            for number in range(MCP_WAITING + 1):
                group.start_soon(call, str(number))
            await until(lambda: bool(answers))
            slow.set()

    ask(job)
    refused, *done = answers
    assert refused.is_error
    assert refused.content[0].text == "16 calls are waiting already: try again later"
    assert len(done) == MCP_WAITING + 1
    assert not any(one.is_error for one in done)
    assert set(MOST) == {1}


def test_cancelled_call_stops(slow: threading.Event) -> None:
    async def job(client: Client) -> Any:
        async with anyio.create_task_group() as group:
            group.start_soon(begin, client, "a")
            await until(lambda: WORKING == ["a"])
            group.cancel_scope.cancel()
        await until(lambda: not WORKING)
        slow.set()
        return await begin(client, "b")

    assert ask(job).content[0].text == "b"


def test_progress_is_reported_to_the_caller() -> None:
    heard: list[tuple[float, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, message))

    async def job(client: Client) -> None:
        arguments = {"accounts": ACCOUNTS}
        await client.call_tool("contradictions", arguments, progress_callback=hear)

    ask(job)
    assert [progress for progress, _ in heard] == [1 + number for number in range(len(heard))]
    assert heard[1][1] == "reading sources: 1 of 2"
