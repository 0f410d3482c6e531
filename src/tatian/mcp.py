"""MCP server with tools for consolidation, verification, contradictions and analysis.

Calls contain texts, never paths, so that no caller can read files of this machine. One call runs at
a time, in a thread: the models use all cores themselves, and are loaded once.
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

import tatian
from tatian import hosts, limits
from tatian.analysis.encoder import analyze
from tatian.consolidation import Consolidation
from tatian.consolidation.result import SCHEMA
from tatian.consolidation.verification.judges import SMALL, Judge, open_judge
from tatian.corpora.decoding import decode
from tatian.corpora.reading import add_heading
from tatian.errors import InputError, MissingExtra, NotText, TatianError
from tatian.formats.conllu_writer import to_conllu
from tatian.pipeline import Pipeline
from tatian.progress import Progress
from tatian.text import Document, Metadata
from tatian.text.language import require_english
from tatian.text.schema import REFERENCE, read_schema
from tatian.union.models import Contradiction

try:
    import uvicorn
    from anyio import CapacityLimiter, from_thread, run, to_thread
    from mcp import MCPError, stdio_server
    from mcp import types as wire
    from mcp.server import Server
    from mcp.server.context import ServerRequestContext
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.applications import Starlette
except ImportError as error:
    raise MissingExtra("the MCP server", "mcp") from error

PATH = "/mcp"
"""Path of the HTTP server."""
_CONSOLIDATION, _VERIFICATION = Pipeline(), Pipeline(detector="names", aggregator="heads")

Answer = tuple[str, dict[str, Any]]
"""Text for people, and data for programs."""
Short = Annotated[str, Meta(max_length=500)] | None
Text = Annotated[
    str,
    Meta(min_length=1, max_length=limits.MCP_TEXT_CHARACTERS, description="The text, in English."),
]


class SourceInput(Struct, frozen=True, forbid_unknown_fields=True):
    """A source: its text and metadata."""

    text: Text
    id: Annotated[Short, Meta(description="Name of the source in the answer.")] = None
    title: Annotated[Short, Meta(description="Headline.")] = None
    date: Annotated[Short, Meta(description="ISO 8601 day of publication.")] = None
    source: Annotated[Short, Meta(description="Publisher.")] = None


_SOURCES = f"Sources on one event, together at most {limits.MCP_CHARACTERS:,} characters."
Sources = Annotated[
    tuple[SourceInput, ...], Meta(min_length=1, max_length=limits.MCP_SOURCES, description=_SOURCES)
]
_WORDS = "Also give the sources of every word; this makes the answer many times as long."
Words = Annotated[bool, Meta(description=_WORDS)]


class Consolidate(Struct, frozen=True, forbid_unknown_fields=True):
    """Consolidate several sources on one event into one text.

    Sentences of the sources are selected and ordered. Nothing is repeated, and nothing is invented.
    The answer has the outcome of every sentence, and the contradictions between sources. Give the
    date of every source.
    """

    accounts: Sources
    length: Annotated[int, Meta(ge=1, description="Approximate length in words.")] | None = None
    words: Words = False

    def answer(self, progress: Progress, judge: Judge) -> Answer:
        result = _consolidate(self.accounts, progress, self.length)
        return "\n\n".join((result.text, *_lines(result))), _plain(result, self.words)


class TraceText(Struct, frozen=True, forbid_unknown_fields=True):
    """Verify a text by any author against its sources.

    Every sentence is supported, partly supported, contradicted, unsupported or unknown, with a
    reason. The answer also lists omissions of the text, the most important first.
    """

    text: Text
    accounts: Sources
    words: Words = False

    def answer(self, progress: Progress, judge: Judge) -> Answer:
        text_document, *sources = _documents((SourceInput(self.text, "text"), *self.accounts), 0)
        result = tatian.trace(
            text_document, sources, pipeline=_VERIFICATION, judge=judge, progress=progress
        )
        return str(result), _plain(result, self.words)


class FindContradictions(Struct, frozen=True, forbid_unknown_fields=True):
    """Find where sources on one event contradict each other.

    The answer has each point with different figures, days or names, with the words of each source
    and their places.
    """

    accounts: Sources

    def answer(self, progress: Progress, judge: Judge) -> Answer:
        result = _consolidate(self.accounts, progress)
        contradictions = (
            Contradiction(point.kind, point.claims, point.why) for point in result.contradictions
        )
        lines = _lines(result) or ["No contradiction was found."]
        return "\n\n".join(lines), msgspec.to_builtins(
            ContradictionsResult(SCHEMA, tuple(contradictions))
        )


class ContradictionsResult(Struct, frozen=True):
    """Points on which sources contradict each other."""

    schema: int
    contradictions: tuple[Contradiction, ...]


class Analyze(Struct, frozen=True, forbid_unknown_fields=True):
    """Find the tokens, sentences, tags, lemmas, dependency trees and names of a text."""

    text: Text

    def answer(self, progress: Progress, judge: Judge) -> Answer:
        (document,) = _documents([SourceInput(self.text, "text")])
        require_english(document)
        analysed = analyze(document)
        return to_conllu(analysed), analysed.to_json()


Call = Consolidate | TraceText | FindContradictions | Analyze
TOOLS: dict[str, type[Call]] = {
    "consolidate": Consolidate,
    "trace": TraceText,
    "contradictions": FindContradictions,
    "analyze": Analyze,
}


def server(judge: str | Judge = SMALL) -> Server[Any]:
    """Return the tools, for any transport; `judge` verifies sentences (see `tatian.trace`)."""
    judge_model = open_judge(judge)
    one_at_a_time = CapacityLimiter(1)
    calls = 0
    tool_list = wire.ListToolsResult(tools=_tools())

    async def list_tools(
        context: ServerRequestContext[Any], params: wire.PaginatedRequestParams | None
    ) -> wire.ListToolsResult:
        return tool_list

    async def call_tool(
        context: ServerRequestContext[Any], params: wire.CallToolRequestParams
    ) -> wire.CallToolResult:
        if params.name not in TOOLS:
            problem = f"no tool named '{params.name}': there are {', '.join(TOOLS)}"
            raise MCPError(wire.INVALID_PARAMS, problem)
        nonlocal calls
        calls += 1
        try:
            if calls > 1 + limits.MCP_WAITING:
                raise InputError(f"{limits.MCP_WAITING} calls are waiting already: try again later")
            call = _parse_call(TOOLS[params.name], params.arguments or {})
            work = partial(call.answer, _progress_of(context), judge_model)
            text, data = await to_thread.run_sync(work, limiter=one_at_a_time)
        except TatianError as error:
            line = " ".join(str(error).split())
            return wire.CallToolResult(content=[wire.TextContent(text=line)], is_error=True)
        finally:
            calls -= 1
        return wire.CallToolResult(content=[wire.TextContent(text=text)], structured_content=data)

    description = "Consolidate sources on one event, or verify a text against them. English only."
    return Server(
        "tatian",
        version=tatian.__version__,
        instructions=description,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def serve_stdio(judge: str = SMALL) -> None:
    """Answer on standard input and output until the input ends."""

    async def serve() -> None:
        tools = server(judge)
        async with stdio_server() as (receiving, sending):
            await tools.run(receiving, sending, tools.create_initialization_options())

    # A thread that waits for input would delay a graceful shutdown.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    run(serve)


def application(
    host: str,
    tools: Server[Any] | None = None,
    *,
    idle: float = limits.MCP_IDLE_SECONDS,
    sessions: int = limits.MCP_SESSIONS,
) -> Starlette:
    """Return the tools over streamable HTTP, for requests to `host` or to a name of this machine.

    A session ends after `idle` seconds without a request; there are at most `sessions` at once.
    """
    allowed = [f"{name}:*" for name in sorted(hosts.names_of(None, host))]
    origins = [f"http://{name}" for name in allowed]
    return (tools or server()).streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=limits.MCP_REQUEST_BYTES,
        session_idle_timeout=idle,
        max_sessions=sessions,
        transport_security=TransportSecuritySettings(
            allowed_hosts=allowed, allowed_origins=origins
        ),
    )


def serve_http(host: str, port: int, announce: Callable[[str], None], judge: str = SMALL) -> None:
    """Answer over streamable HTTP until Ctrl-C; port 0 takes a free one.

    The Host header of a request must be `host` or a local name, and so must be its Origin, if any:
    otherwise any web page could make a browser send requests. `announce` receives the address.
    """
    app = application(host, server(judge))
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        problem = f"cannot listen on {host}:{port} ({reason}): name another with --host and --port"
        raise InputError(problem) from error
    address = f"http://{hosts.bracketed(host)}:{listening.getsockname()[1]}{PATH}"
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=limits.CONNECTIONS,
    )
    with listening:
        _AnnouncingServer(config, lambda: announce(address)).run(sockets=[listening])


class _AnnouncingServer(uvicorn.Server):
    """Announces the address only after the Ctrl-C handler is installed."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._announce()


def _tools() -> list[wire.Tool]:
    outputs = {
        "consolidate": read_schema("consolidation"),
        "trace": read_schema("trace"),
        "contradictions": _schema(ContradictionsResult),
        "analyze": read_schema("document"),
    }
    tools = []
    for name, kind in TOOLS.items():
        schema = _schema(kind)
        schema["title"] = name.capitalize()
        description = " ".join(schema.pop("description").split())
        hints = wire.ToolAnnotations(read_only_hint=True, open_world_hint=False)
        tool = wire.Tool(name=name, description=description, annotations=hints, input_schema=schema)
        tool.output_schema = outputs[name]
        tools.append(tool)
    return tools


def _schema(kind: type[Struct]) -> dict[str, Any]:
    _, definitions = msgspec.json.schema_components([kind], ref_template=REFERENCE)
    return {**definitions.pop(kind.__name__), "$defs": definitions}


def _parse_call(kind: type[Call], arguments: dict[str, Any]) -> Call:
    try:
        return msgspec.convert(arguments, kind)
    except msgspec.ValidationError as error:
        raise InputError(str(error).replace("`$.", "`").replace("`", "'")) from error


def _progress_of(context: ServerRequestContext[Any]) -> Progress:
    """Return a callback that reports progress to the caller, and ends cancelled work."""
    reports = 0

    def progress(stage: str, done: int, total: int) -> None:
        nonlocal reports
        from_thread.check_cancelled()
        reports += 1
        message = f"{stage}: {done} of {total}"
        from_thread.run(context.session.report_progress, float(reports), None, message)

    return progress


def _documents(sources: Sequence[SourceInput], first: int = 1) -> list[Document]:
    """Return the texts as documents; refuse binary data and too much text."""
    total = sum(len(source.text) for source in sources)
    if total > limits.MCP_CHARACTERS:
        raise InputError(f"{total:,} characters altogether: the limit is {limits.MCP_CHARACTERS:,}")
    documents = []
    for number, source in enumerate(sources, start=first):
        name = source.id or f"account-{number}"
        try:
            text = decode(source.text.encode(), name, lambda _: None)
        except UnicodeEncodeError as error:
            raise NotText("has half a character (a lone surrogate)", path=name) from error
        description = add_heading(Metadata(source.title, source.date, source.source), text)
        documents.append(Document(name, text, description))
    return documents


def _consolidate(
    sources: Sequence[SourceInput], progress: Progress, length: int | None = None
) -> Consolidation:
    documents = _documents(sources)
    return tatian.consolidate(documents, pipeline=_CONSOLIDATION, length=length, progress=progress)


def _lines(result: Consolidation) -> list[str]:
    """Return each contradiction as a line."""
    return [
        "; ".join(f"{claim.document} says “{claim.text}”" for claim in point.claims)
        + f" ({point.kind}: {point.why})"
        for point in result.contradictions
    ]


def _plain(result: Consolidation | tatian.Trace, words: bool) -> dict[str, Any]:
    """Return JSON data; the sources of every word are only included with `words`."""
    data = result.to_json()
    for sentence in () if words else data["sentences"]:
        sentence["tokens"] = []
    return data
