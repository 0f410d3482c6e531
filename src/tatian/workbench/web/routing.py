"""Routes of the server: permissions, request and response types, size limits."""

from __future__ import annotations

import asyncio
import threading
from asyncio import sleep
from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeVar
from urllib.parse import parse_qsl, quote

import msgspec
from msgspec import Struct
from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route as Mounted

from tatian import limits
from tatian.workbench.accounts.users import User
from tatian.workbench.campaigns import campaigns
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.errors import BadRequest, WorkbenchError, explain_error
from tatian.workbench.storage.codec import check_value
from tatian.workbench.storage.database import Database
from tatian.workbench.web import security
from tatian.workbench.web.security import Caller, Who
from tatian.workbench.web.site import Site

PREFIX = "/api/v1"
NUMBERS = frozenset({"assignment", "item", "job"})
"""Path parameters that are whole numbers."""
PATHS = frozenset({"key"})
"""Path parameters that may contain slashes."""
FORM = "application/x-www-form-urlencoded"
Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
F = TypeVar("F", bound="Callable[[Call], Any]")


class _Number(IntegerConvertor):
    """A non-negative 64-bit integer; URLs with other values give 404."""

    regex = "[0-9]{1,18}"


register_url_convertor("number", _Number())


class Call(Struct):
    """A request with its caller and its parsed data."""

    site: Site
    request: Request
    caller: Caller
    path: dict[str, Any]
    body: Any = None
    query: Any = None

    def is_disconnected(self) -> bool:
        """Return True if the client has disconnected; only for routes that take a file."""
        return bool(self.request.state.disconnected.is_set())

    @property
    def database(self) -> Database:
        """Database of the server."""
        return self.site.database

    @property
    def user(self) -> User:
        """User who sent the request; only on routes for users."""
        assert self.caller.user is not None
        return self.caller.user

    @property
    def annotator(self) -> str:
        """Id of the annotator who sent the request; only on routes for annotators."""
        assert self.caller.annotator is not None
        return self.caller.annotator

    def campaign(self, connection: Connection) -> Campaign:
        """Return the campaign in the URL."""
        return campaigns.get(connection, self.path["campaign"])

    def link(self, path: str) -> str:
        """Return the public URL of a path."""
        return self.site.origin(self.request) + path


def attachment(data: str | bytes, name: str, media: str) -> Response:
    """Return data as a file to download."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(data, headers=headers, media_type=media)


class Nothing(Struct, frozen=True):
    """Empty request or response."""


class Route(Struct, frozen=True, kw_only=True):
    """A route of a page or of the JSON API."""

    method: Method
    path: str
    who: Who
    call: Callable[[Call], Any]
    page: bool = False
    """True for a page; a POST is then a form."""
    body: Any = None
    """Type of the JSON body, or `bytes` for a file."""
    query: type[Struct] | None = None
    status: int = 200
    limit: int = limits.BODY_BYTES


class Delayed(Struct, frozen=True):
    """An answer that is sent after a delay; the delay blocks no thread."""

    seconds: float
    answer: Callable[[], Response]


class Routes(list[Route]):
    """List of routes, to which decorators add."""

    def add(self, method: Method, path: str, who: Who, **more: Any) -> Callable[[F], F]:
        """Return a decorator that adds a route; `more` are further fields of `Route`."""

        def register(call: F) -> F:
            self.append(Route(method=method, path=path, who=who, call=call, **more))
            return call

        return register

    def page(self, method: Literal["GET", "POST"], path: str, who: Who) -> Callable[[F], F]:
        """Return a decorator that adds a page."""
        return self.add(method, path, who, page=True)


def mount(site: Site, routes: Iterable[Route]) -> list[Mounted]:
    """Return the routes for Starlette."""
    mounted = []
    for route in routes:
        path = route.path if route.page else PREFIX + route.path
        for name in NUMBERS:
            path = path.replace(f"{{{name}}}", f"{{{name}:number}}")
        for name in PATHS:
            path = path.replace(f"{{{name}}}", f"{{{name}:path}}")
        endpoint = _page(site, route) if route.page else _api(site, route)
        mounted.append(Mounted(path, endpoint, methods=[route.method]))
        mounted[-1].methods = {route.method}  # Without HEAD, as some GET requests have effects.
    return mounted


def _api(site: Site, route: Route) -> Callable[[Request], Any]:
    def admit_request(request: Request) -> Call:
        call = _admit(site, request, route.who)
        security.check_token(request, call.caller, request.headers.get("x-csrf-token"))
        if route.body not in (None, bytes):
            check_kind(request, "application/json")
        return call

    def answer_request(request: Request, data: bytes) -> Response:
        return _make_answer(route, admit_request(request), data)

    async def endpoint(request: Request) -> Response:
        if route.body is None:
            return await run_in_threadpool(answer_request, request, b"")
        if is_small(request):
            # Read it before admission, so that a single call in a thread does everything.
            data = await read(request)
            if route.body is bytes:
                return await _watch_client(request, answer_request, request, data)
            return await run_in_threadpool(answer_request, request, data)
        call = await run_in_threadpool(admit_request, request)
        data = await read(request, route.limit)
        if route.body is bytes:
            return await _watch_client(request, _make_answer, route, call, data)
        return await run_in_threadpool(_make_answer, route, call, data)

    return endpoint


async def _watch_client(request: Request, work: Callable[..., Response], *args: object) -> Response:
    """Run work in a thread, and record whether the client disconnects meanwhile."""
    disconnected = request.state.disconnected = threading.Event()

    async def watch() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        disconnected.set()

    watcher = asyncio.create_task(watch())
    try:
        return await run_in_threadpool(work, *args)
    finally:
        watcher.cancel()


def _page(site: Site, page: Route) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        try:
            call = await run_in_threadpool(_admit, site, request, page.who)
        except security.SignInNeeded:
            if page.who == "annotator" or request.method != "GET":
                raise
            return RedirectResponse(f"/sign-in?to={quote(request.url.path)}", 303)
        if request.method == "POST":
            check_kind(request, FORM)
            data = await read(request, limits.BODY_BYTES)
            call.body = parse_form(data)
            if call.caller.session is not None:
                security.check_token(request, call.caller, call.body.get("csrf"))
            else:
                security.check_visit(site, request, call.body)
        result = await run_in_threadpool(page.call, call)
        if isinstance(result, Delayed):
            await sleep(result.seconds)
            return await run_in_threadpool(result.answer)
        response: Response = result
        return response

    return endpoint


def _admit(site: Site, request: Request, who: Who) -> Call:
    path = dict(request.path_params)
    check_value(list(map(str, path.values())), "the address")
    security.check_origin(site, request)
    with site.database.autocommit() as connection:
        caller = security.admit(connection, site, request, who, path.get("campaign"))
    return Call(site, request, caller, path)


def _make_answer(route: Route, call: Call, data: bytes) -> Response:
    if route.query is not None:
        query = dict(call.request.query_params)
        check_value(query, "the query")
        call.query = convert(query, route.query, texts=True)
    if route.body is not None:
        call.body = data if route.body is bytes else parse_json(data, route.body)
    result = route.call(call)
    if isinstance(result, Response):
        return result
    return Response(msgspec.json.encode(result), route.status, media_type="application/json")


MEBIBYTE = 1 << 20


class Malformed(WorkbenchError, code="malformed", status=400):
    """The body does not fit its Content-Type."""


class TooLarge(WorkbenchError, code="too_large", status=413):
    """The body is larger than the URL allows."""


class WrongType(WorkbenchError, code="unsupported_type", status=415):
    """The URL does not accept this Content-Type."""


class TooSlow(WorkbenchError, code="timeout", status=408):
    """The body did not arrive in time."""


def check_kind(request: Request, *allowed: str) -> None:
    """Raise WrongType if the content type is not `allowed`."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if allowed and media_type not in allowed:
        raise WrongType(f"send this as {' or '.join(allowed)}")


def is_small(request: Request) -> bool:
    """Return True if the declared length of the body is small."""
    length = request.headers.get("content-length", "")
    return length.isdecimal() and int(length[:20]) <= limits.SMALL_BODY_BYTES


async def read(request: Request, limit: int = limits.SMALL_BODY_BYTES) -> bytes:
    """Return the body; raise TooLarge after `limit` bytes."""
    length = request.headers.get("content-length", "")
    limit_text = f"{limit // MEBIBYTE} MiB" if limit >= MEBIBYTE else f"{limit // 1024} KiB"
    too_large = TooLarge(f"more than {limit_text}; send less at a time")
    if length.isdecimal() and int(length[:20]) > limit:
        raise too_large
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(limits.BODY_SECONDS + limit / limits.BODY_BYTES_PER_SECOND):
            async for part in request.stream():
                size += len(part)
                if size > limit:
                    raise too_large
                parts.append(part)
    except TimeoutError as error:
        raise TooSlow("the request did not arrive in time; send it again") from error
    return b"".join(parts)


def parse_json(data: bytes, type: Any) -> Any:
    """Parse and convert JSON; errors are one sentence."""
    try:
        plain = msgspec.json.decode(data)
    except RecursionError as error:
        raise Malformed(f"JSON with more than {limits.JSON_DEPTH} levels of nesting") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed(f"not JSON: {error}") from error
    check_value(plain, "the body")
    return convert(plain, type)


def convert(plain: Any, type: Any, *, texts: bool = False) -> Any:
    """Convert JSON values to a type; with `texts`, numbers may be text, as in URLs."""
    try:
        return msgspec.convert(plain, type, strict=not texts)
    except msgspec.ValidationError as error:
        raise BadRequest(explain_error(error, type)) from error


def parse_form(data: bytes) -> dict[str, str]:
    """Return the fields of a form; of several with one name, the last."""
    try:
        pairs = parse_qsl(
            data.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=bool(data),
            errors="strict",
            max_num_fields=limits.FORM_FIELDS,
        )
    except ValueError as error:
        raise Malformed("the form was not sent by this page") from error
    fields = dict(pairs)
    check_value(fields, "the form")
    return fields
