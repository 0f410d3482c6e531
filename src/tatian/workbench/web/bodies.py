"""Reads request bodies within limits: bytes, JSON of a known type, or fields of a form."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import Request

from tatian import limits
from tatian.workbench.errors import BadRequest, WorkbenchError, explain_error
from tatian.workbench.storage.plain import check

MEBIBYTE = 1 << 20


class Malformed(WorkbenchError, code="malformed", status=400):
    """The body does not fit its Content-Type."""


class TooLarge(WorkbenchError, code="too_large", status=413):
    """The body is larger than this address allows."""


class WrongType(WorkbenchError, code="unsupported_type", status=415):
    """This address does not take the Content-Type."""


class TooSlow(WorkbenchError, code="timeout", status=408):
    """The body did not arrive in time."""


def check_kind(request: Request, *kinds: str) -> None:
    """Refuse a body that is of none of the `kinds`, if there are any."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kinds and kind not in kinds:
        raise WrongType(f"send this as {' or '.join(kinds)}")


def is_small(request: Request) -> bool:
    """Return True if the body declares a length that anyone may send."""
    declared = request.headers.get("content-length", "")
    return declared.isdecimal() and int(declared[:20]) <= limits.SMALL_BODY_BYTES


async def read(request: Request, limit: int = limits.SMALL_BODY_BYTES) -> bytes:
    """Return the body, never holding more than `limit` bytes in memory."""
    declared = request.headers.get("content-length", "")
    most = f"{limit // MEBIBYTE} MiB" if limit >= MEBIBYTE else f"{limit // 1024} KiB"
    large = TooLarge(f"more than {most}; send less at a time")
    if declared.isdecimal() and int(declared[:20]) > limit:
        raise large
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(limits.BODY_SECONDS + limit / limits.BODY_BYTES_PER_SECOND):
            async for part in request.stream():
                size += len(part)
                if size > limit:
                    raise large
                parts.append(part)
    except TimeoutError as error:
        raise TooSlow("the request did not arrive in time; send it again") from error
    return b"".join(parts)


def parse_json(data: bytes, type: Any) -> Any:
    """Return JSON as the given type; an error is one sentence."""
    try:
        plain = msgspec.json.decode(data)
    except RecursionError as error:
        raise Malformed(f"JSON nested more than {limits.JSON_DEPTH} deep") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed(f"not JSON: {error}") from error
    check(plain, "the body")
    return convert(plain, type)


def convert(plain: Any, type: Any, *, texts: bool = False) -> Any:
    """Convert plain values to the given type; with `texts`, numbers may be text as in URLs."""
    try:
        return msgspec.convert(plain, type, strict=not texts)
    except msgspec.ValidationError as error:
        raise BadRequest(explain_error(error, type)) from error


def parse_form(data: bytes) -> dict[str, str]:
    """Return the fields of a form that a browser sent; of two with one name the last."""
    try:
        pairs = parse_qsl(
            data.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=bool(data),
            errors="strict",
            max_num_fields=limits.FORM_FIELDS,
        )
    except ValueError as error:
        raise Malformed("not a form that this page sent") from error
    fields = dict(pairs)
    check(fields, "the form")
    return fields
