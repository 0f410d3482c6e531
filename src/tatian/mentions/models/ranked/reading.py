"""A document as the ranker reads it: words with tags, names, sentences and their vectors."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tatian.text import NAMES, SENTENCES, TOKENS, WORDS, Document, Word

Vectors = npt.NDArray[np.float32]


class Reading:
    """What the analysis says of one document, by place in the text.

    A layer that is not there (no tags without the encoder) is simply not known.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.text = document.text
        self._tokens = document.get(TOKENS) if document.has(TOKENS) else ()
        self._starts = [token.start for token in self._tokens]
        tags = document.get(WORDS) if document.has(WORDS) else ()
        self.tags: Sequence[Word] = tags if len(tags) == len(self._tokens) else ()
        self.sentences = document.get(SENTENCES) if document.has(SENTENCES) else ()
        self._sentence_starts = [sentence.start for sentence in self.sentences]
        named = document.get(NAMES) if document.has(NAMES) else ()
        self.name_types = {(name.start, name.end): name.type for name in named}
        self._name_starts = sorted(self.name_types)

    @property
    def names(self) -> list[tuple[int, int]]:
        """Where names stand, in order."""
        return self._name_starts

    def words(self) -> Iterator[tuple[int, int, str]]:
        """Every token with its tag; the tag is empty where there is none."""
        for index, token in enumerate(self._tokens):
            yield token.start, token.end, self.tags[index].tag if self.tags else ""

    def tokens_of(self, start: int, end: int) -> tuple[int, int]:
        """The first and last token of a span; (-1, -1) where there are none."""
        if not self._tokens:
            return -1, -1
        first = max(0, bisect_right(self._starts, start) - 1)
        last = bisect_left(self._starts, end) - 1
        return first, max(first, last)

    def head_of(self, first: int, last: int) -> int:
        """The token of the span that hangs on one outside it: the last such."""
        for index in range(last, first - 1, -1):
            if not first <= self.tags[index].head <= last:
                return index
        return last

    def name_over(self, start: int, end: int) -> tuple[int, int] | None:
        """A name that shares a character with the span."""
        place = bisect_left(self._name_starts, (end, end))
        for found in reversed(self._name_starts[max(0, place - 2) : place]):
            if found[1] > start:
                return found
        return None

    def sentence_of(self, start: int) -> int:
        """The number of the sentence that a place is in; -1 without sentences."""
        return max(0, bisect_right(self._sentence_starts, start) - 1) if self.sentences else -1

    @cached_property
    def capitals(self) -> float:
        """The share of letters that are upper case."""
        letters = [character for character in self.text if character.isalpha()]
        return sum(map(str.isupper, letters)) / max(1, len(letters))
