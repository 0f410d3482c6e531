"""Offsets as Java and JavaScript count them, in UTF-16 units, and as Python does."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

from tatian.text.spans import Span

_LARGEST = 0xFFFF
"""The last character that is one unit."""


class Utf16:
    """Between the characters of a text and its UTF-16 units."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._units: list[int] | None = None
        if not text.isascii() and max(text) > chr(_LARGEST):
            sizes = (2 if one > chr(_LARGEST) else 1 for one in text)
            self._units = list(accumulate(sizes, initial=0))

    def units(self, characters: int) -> int:
        """The number of units before so many characters."""
        return characters if self._units is None else self._units[characters]

    def span(self, start: int, end: int) -> Span | None:
        """The characters between two units; None where they do not lie in the text."""
        if self._units is not None:
            start, end = bisect_left(self._units, start), bisect_left(self._units, end)
        return Span(start, end) if 0 <= start < end <= len(self._text) else None
