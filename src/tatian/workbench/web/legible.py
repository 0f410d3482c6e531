"""Stored data as the person it is about reads it: moments as dates.

The file that they download keeps the numbers, for programs.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec

_MOMENTS = frozenset({"at", "created", "seen", "expires", "given", "finished", "submitted"})
_LAST = datetime(9999, 12, 31, 23, 59, tzinfo=UTC).timestamp()
_LEAST = 10**11
"""Milliseconds since 1970, in 1973: smaller numbers are no moments of a campaign."""


def legible(data: bytes) -> str:
    """JSON, indented, with its moments in UTC."""
    shown = msgspec.json.encode(_dated(msgspec.json.decode(data)))
    return msgspec.json.format(shown, indent=2).decode()


def _dated(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: _dated(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [_dated(inner) for inner in value]
    if isinstance(value, int) and name in _MOMENTS and value >= _LEAST:
        return f"{moment(value)} UTC"
    return value


def moment(milliseconds: int) -> str:
    """A date and time as every page writes it, in UTC."""
    return dated(milliseconds, "%Y-%m-%d %H:%M")


def dated(milliseconds: int, form: str) -> str:
    """A moment in the given form; the last that there is for one beyond the calendar."""
    seconds = min(max(milliseconds, 0) / 1000, _LAST)
    return datetime.fromtimestamp(seconds, UTC).strftime(form)
