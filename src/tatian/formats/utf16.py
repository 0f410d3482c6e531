"""Conversion between offsets in UTF-16 units, as in Java and JavaScript, and in characters."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

from tatian.text.spans import Span

_LARGEST = 0xFFFF
"""Last character that is one unit."""


class Utf16:
    """Maps between the characters of a text and its UTF-16 units."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._units: list[int] | None = None
        if not text.isascii() and max(text) > chr(_LARGEST):
            sizes = (2 if character > chr(_LARGEST) else 1 for character in text)
            self._units = list(accumulate(sizes, initial=0))

    def units(self, characters: int) -> int:
        """Return the number of units before so many characters."""
        return characters if self._units is None else self._units[characters]

    def span(self, start: int, end: int) -> Span | None:
        """Return the characters between two units; None if they do not lie in the text."""
        if self._units is not None:
            start, end = bisect_left(self._units, start), bisect_left(self._units, end)
        return Span(start, end) if 0 <= start < end <= len(self._text) else None
