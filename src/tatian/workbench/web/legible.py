"""Stored data as the person it is about reads it: moments as dates.

The file that they download keeps the numbers, for programs.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tatian.workbench.web.admin.common import moment

_MOMENTS = frozenset({"at", "created", "seen", "expires", "given", "finished", "submitted"})
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
