"""Responses to errors: JSON for programs, a small page for people."""

from __future__ import annotations

import logging
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy.exc import DataError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response

from tatian.errors import TatianError
from tatian.workbench.errors import WorkbenchError
from tatian.workbench.storage.database import describe_problem, is_disk_full
from tatian.workbench.web.presentation import as_sentence
from tatian.workbench.web.site import templates

_log = logging.getLogger(__name__)
_CODES = {400: "bad_request", 403: "refused", 404: "not_found", 405: "method_not_allowed"}
_RETRY_HEADERS = {429: {"retry-after": "60"}}
_PROGRAMS = ("/api/", "/health")
"""Prefixes of addresses for programs, which read JSON."""
_TITLES = {
    401: "Please sign in",
    403: "Not allowed",
    404: "Not found",
    410: "No longer valid",
    429: "Too many tries",
}


class ApiError(Struct, frozen=True, omit_defaults=True):
    """Description of an error: a code for programs, and a message for people."""

    code: str
    message: str


def answer(
    request: Request,
    status: int,
    code: str,
    message: str,
    headers: dict[str, str] | None = None,
    *,
    detail: dict[str, Any] | None = None,
) -> Response:
    """Return an error as the client can read it."""
    if request.url.path.startswith(_PROGRAMS):
        body = msgspec.json.encode({"error": ApiError(code, message), **(detail or {})})
        return Response(body, status, headers, media_type="application/json")
    title = _TITLES.get(status, "That did not work")
    values = {"title": title, "text": as_sentence(message), "start": "/"}
    return HTMLResponse(templates().get_template("message.html").render(values), status, headers)


def on_http(request: Request, error: Exception) -> Response:
    """Answer a missing page or a wrong method."""
    assert isinstance(error, HTTPException)
    code = _CODES.get(error.status_code, "error")
    messages = {404: "there is nothing at this address", 405: "this address is not for that"}
    message = messages.get(error.status_code, str(error.detail))
    return answer(request, error.status_code, code, message, dict(error.headers or {}))


def on_tatian(request: Request, error: Exception) -> Response:
    """Answer an error of Tatian; input that users can correct is 422."""
    if isinstance(error, WorkbenchError):
        headers = _RETRY_HEADERS.get(error.status)
        return answer(request, error.status, error.code, str(error), headers, detail=error.detail)
    return answer(request, 422, "bad_input", str(error))


def on_database(request: Request, error: Exception) -> Response:
    """Answer an error of the database."""
    if isinstance(error, DataError):
        return answer(request, 422, "bad_input", "a value does not fit the database")
    if isinstance(error, IntegrityError):
        return answer(request, 409, "conflict", "somebody has just changed this; try again")
    database = request.app.state.site.database
    if is_disk_full(error, database):
        return _disk_full(request, describe_problem(error, database))
    _log.warning("the database does not answer: %s", describe_problem(error, database))
    retry = {"retry-after": "2"}
    return answer(request, 503, "busy", "the database does not answer; try again soon", retry)


def on_system(request: Request, error: Exception) -> Response:
    """Answer a full disk; any other system error is a bug."""
    if not is_disk_full(error):
        raise error
    return _disk_full(request, describe_problem(error))


def _disk_full(request: Request, message: str) -> Response:
    _log.error("%s: %s %s", message, request.method, request.url.path)
    message = "the server's disk is full, and nothing was saved: tell whoever runs the server"
    return answer(request, 507, "disk_full", message, {"retry-after": "60"})


def on_disconnect(request: Request, error: Exception) -> Response:
    """Answer a request whose client disconnected before it was complete."""
    return answer(request, 400, "malformed", "the request ended too early")


def on_bug(request: Request, error: Exception) -> Response:
    """Answer a bug, which is logged and not shown."""
    return answer(request, 500, "internal", "something went wrong on the server")


HANDLERS: dict[Any, Any] = {
    HTTPException: on_http,
    TatianError: on_tatian,
    DataError: on_database,
    IntegrityError: on_database,
    InterfaceError: on_database,
    OperationalError: on_database,
    PoolTimeout: on_database,
    OSError: on_system,
    ClientDisconnect: on_disconnect,
    Exception: on_bug,
}
