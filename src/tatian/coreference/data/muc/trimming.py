"""Where phrases begin and end without the white space at their edges, for many of them at once."""

from __future__ import annotations

import re
from collections.abc import Iterable

_VISIBLE = re.compile(r"\S")
_CHUNK = 256
"""So much is copied at a time in looking back."""


def visible_starts(text: str, offsets: Iterable[int]) -> dict[int, int]:
    """For each offset, that of the first visible character at it or after it.

    No stretch of white space is read twice, however many phrases begin in it.
    """
    found: dict[int, int] = {}
    limit = visible = len(text)
    for offset in sorted(set(offsets), reverse=True):
        match = _VISIBLE.search(text, offset, limit)
        visible = match.start() if match else visible
        found[offset] = visible
        limit = offset
    return found


def visible_ends(text: str, offsets: Iterable[int]) -> dict[int, int]:
    """For each offset, the end of the last visible character before it."""
    found: dict[int, int] = {}
    limit = visible = 0
    for offset in sorted(set(offsets)):
        end = offset
        while end > limit:
            begin = max(limit, end - _CHUNK)
            kept = len(text[begin:end].rstrip())
            if kept:
                visible = begin + kept
                break
            end = begin
        found[offset] = visible
        limit = offset
    return found
