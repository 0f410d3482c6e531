"""Where a mention stands in a file that has a line for each word, or one for each document."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from tatian.text import SENTENCES, TOKENS, Document, Span

_WORD_LINE = {
    "conll": re.compile(r"^[^#\s]"),
    "corefud": re.compile(r"^\d+\t"),
    "ontogum": re.compile(r"^\d+\t"),
    "ecbplus": re.compile(r"<token\b[^>]*>\s*[^<\s]"),
}
_DOCUMENT_LINE = {"jsonl": 0, "gap": 1}
"""Formats with a line for each document, and how many lines come before the first."""


class Places:
    """Finds lines by counting words, or documents, as the file goes by.

    Where that cannot be done the line is 1, and the place is said in words.
    """

    def __init__(self, format: str, text: str) -> None:
        self._words: list[int] = []
        self._documents: list[int] = []
        self._before = 0
        self._number = 0
        if pattern := _WORD_LINE.get(format):
            self._words = list(_matching(text, pattern))
        elif format in _DOCUMENT_LINE:
            skipped = _DOCUMENT_LINE[format]
            self._documents = list(_matching(text, re.compile(r"\s*\S")))[skipped:]

    def find(self, document: Document, mark: Span) -> tuple[int, str]:
        """The line of a mention's first word, and what a message says of its place before all."""
        if self._number < len(self._documents):
            return self._documents[self._number], self._described(document, mark)
        if self._words and document.has(TOKENS):
            index = bisect_right(document.tokens, mark.start, key=lambda token: token.end)
            if self._before + index < len(self._words):
                return self._words[self._before + index], ""
        return 1, f"document '{document.id}', {self._described(document, mark)}"

    def leave(self, document: Document) -> None:
        """Go on to the next document."""
        self._number += 1
        if document.has(TOKENS):
            self._before += len(document.tokens)

    @staticmethod
    def _described(document: Document, mark: Span) -> str:
        if not document.has(SENTENCES):
            return ""
        before = bisect_left(document.sentences, mark.start + 1, key=lambda one: one.start)
        return f"sentence {max(before, 1)}: "


def _matching(text: str, pattern: re.Pattern[str]) -> Iterator[int]:
    for number, line in enumerate(text.splitlines(), start=1):
        if pattern.match(line) or (pattern.pattern.startswith("<") and pattern.search(line)):
            yield number
