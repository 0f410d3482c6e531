"""Checks of values before they are stored, so that both databases return them unchanged."""

from __future__ import annotations

import math
import re
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Row

from tatian import limits
from tatian.workbench.errors import BadRequest

UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Control characters, line ends and changes of direction, which no name has."""
_MAX_INTEGER = 1 << 53
"""Largest integer that a browser's numbers represent exactly."""

S = TypeVar("S", bound=msgspec.Struct)


def encode(value: Any, what: str, largest: int = limits.JSON_BYTES) -> str:
    """Return a value as JSON text; BadRequest if it is too deep, too large or invalid.

    `what` is its name in errors.
    """
    check_value(value, what)
    try:
        data = msgspec.json.encode(value)
        text = data.decode()
    except (TypeError, UnicodeError) as error:
        raise BadRequest(f"{what} cannot be stored as JSON: {error}") from error
    if len(data) > largest:
        raise BadRequest(f"{what} is too large: {len(data):,} bytes, at most {largest:,}")
    return text


def decode(text: str | None) -> Any:
    """Return the value of a JSON column; None if it is empty."""
    return None if text is None else msgspec.json.decode(text)


def to_struct(kind: type[S], row: Row[Any] | msgspec.Struct, /, *decoded: str, **more: Any) -> S:
    """Return a struct with the values of a row or another struct under the same names.

    Columns named in `decoded` contain JSON. `more` are fields that the row lacks or that differ.
    """
    values = {
        name: decode(getattr(row, name)) if name in decoded else getattr(row, name)
        for name in kind.__struct_fields__
        if name not in more
    }
    return kind(**values, **more)


def check_text(value: str, what: str, most: int = 1000, *, least: int = 0) -> str:
    """Return a string that can be stored: of allowed length, without NUL or lone surrogates."""
    _check_string(value, what)
    if not least <= len(value) <= most:
        wanted = f"{least} to {most:,}" if least else f"at most {most:,}"
        raise BadRequest(f"{what} has {len(value):,} characters: it takes {wanted}")
    return value


def check_value(value: Any, what: str) -> None:
    """Reject values that a database or a browser cannot store: too deep, NUL, large numbers."""
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
                    raise BadRequest(f"{what} has a key that is not a string: {name!r}")
                _check_string(name, what)
                waiting.append((inner, depth + 1))
        elif isinstance(part, list | tuple):
            waiting.extend((inner, depth + 1) for inner in part)
        elif isinstance(part, float) and not math.isfinite(part):
            raise BadRequest(f"{what} has a number that JSON cannot represent: {part}")
        elif isinstance(part, int) and abs(part) > _MAX_INTEGER:
            raise BadRequest(f"{what} has an integer beyond 2^53")


def _check_string(value: str, what: str) -> None:
    if "\0" in value:
        raise BadRequest(f"{what} contains a NUL character, which cannot be stored")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise BadRequest(f"{what} contains an invalid character (a lone surrogate)") from error
