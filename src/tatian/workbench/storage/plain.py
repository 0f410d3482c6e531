"""Checks on the way into the database, so that both kinds store, and give back, the same."""

from __future__ import annotations

import math
import re
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Row

from tatian import limits
from tatian.workbench.errors import BadRequest

UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Control characters, line ends and turns of direction, which no name has."""
_WIDEST_INTEGER = 1 << 53
"""Beyond it, a browser's numbers are no longer exact."""

S = TypeVar("S", bound=msgspec.Struct)


def encode(value: Any, what: str, largest: int = limits.JSON_BYTES) -> str:
    """JSON text of a value; BadRequest where it is too deep, too large or not to be stored.

    `what` is what the error calls it.
    """
    check(value, what)
    try:
        data = msgspec.json.encode(value)
        text = data.decode()
    except (TypeError, UnicodeError) as error:
        raise BadRequest(f"{what} cannot be stored as JSON: {error}") from error
    if len(data) > largest:
        raise BadRequest(f"{what} is too large: {len(data):,} bytes, at most {largest:,}")
    return text


def decode(text: str | None) -> Any:
    """The value of a JSON column; None where it is empty."""
    return None if text is None else msgspec.json.decode(text)


def struct(kind: type[S], one: Row[Any] | msgspec.Struct, /, *decoded: str, **more: Any) -> S:
    """A struct out of what a row or another struct has under the names of its fields.

    `decoded` ones hold JSON. `more`: fields that it does not have, or not so.
    """
    found = {
        name: decode(getattr(one, name)) if name in decoded else getattr(one, name)
        for name in kind.__struct_fields__
        if name not in more
    }
    return kind(**found, **more)


def words(value: str, what: str, most: int = 1000, *, least: int = 0) -> str:
    """A string that can be stored: no NUL (PostgreSQL has none), no half characters, no novel."""
    _check_string(value, what)
    if not least <= len(value) <= most:
        wanted = f"{least} to {most:,}" if least else f"at most {most:,}"
        raise BadRequest(f"{what} has {len(value):,} characters: it takes {wanted}")
    return value


def check(value: Any, what: str) -> None:
    """Refuse what a database or a browser could not hold: depth, NUL, numbers too large."""
    waiting = [(value, 0)]
    while waiting:
        part, depth = waiting.pop()
        if depth > limits.JSON_DEPTH:
            raise BadRequest(f"{what} is nested too deeply: at most {limits.JSON_DEPTH} levels")
        if isinstance(part, str):
            _check_string(part, what)
        elif isinstance(part, dict):
            for name, inner in part.items():
                if not isinstance(name, str):
                    raise BadRequest(f"{what} has a key that is no string: {name!r}")
                _check_string(name, what)
                waiting.append((inner, depth + 1))
        elif isinstance(part, list | tuple):
            waiting.extend((inner, depth + 1) for inner in part)
        elif isinstance(part, float) and not math.isfinite(part):
            raise BadRequest(f"{what} has a number that JSON cannot say: {part}")
        elif isinstance(part, int) and abs(part) > _WIDEST_INTEGER:
            raise BadRequest(f"{what} has an integer beyond 2^53")


def _check_string(value: str, what: str) -> None:
    if "\0" in value:
        raise BadRequest(f"{what} has a NUL character in it, which cannot be stored")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise BadRequest(f"{what} has half a character in it (a lone surrogate)") from error
