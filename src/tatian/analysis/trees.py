"""Dependency tree of a sentence, with the queries that rules over syntax need."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from tatian.analysis.pieces import token_ranges
from tatian.text import WORDS, Document, Span, Token, Word


class Dependencies:
    """Words of one sentence by position (from 0), each with its dependents in order."""

    def __init__(self, words: Sequence[Word], heads: list[int]) -> None:
        self.words = words
        self.heads = heads
        self.children: list[list[int]] = [[] for _ in words]
        for place, head in enumerate(heads):
            if head >= 0:
                self.children[head].append(place)

    def tag(self, place: int) -> str:
        """Return the word's universal part of speech."""
        return self.words[place].tag

    def relation(self, place: int) -> str:
        """Return the word's relation to its head, without its subtype."""
        return self.words[place].relation.partition(":")[0]

    def under(self, place: int, *relations: str) -> list[int]:
        """Return the word's dependents of these relations."""
        return [child for child in self.children[place] if self.relation(child) in relations]

    def subtree(self, place: int) -> set[int]:
        """Return the word and everything below it."""
        below: set[int] = set()
        waiting = [place]
        while waiting:
            node = waiting.pop()
            below.add(node)
            waiting.extend(self.children[node])
        return below


class Tree(Dependencies):
    """Tree of a sentence in a document."""

    def __init__(self, tokens: Sequence[Token], words: Sequence[Word]) -> None:
        first = words[0].token if words else 0
        super().__init__(words, [word.head - first if word.head >= 0 else -1 for word in words])
        self.tokens = tokens

    def text(self, place: int) -> str:
        """Return the word as it is written."""
        return self.tokens[place].text

    def place(self, offset: int) -> int:
        """Return the position of the first word at or after an offset of the text."""
        return bisect_left(self.tokens, offset, key=lambda token: token.start)

    def places(self, span: Span) -> range:
        """Return the positions of the words that a stretch of the text touches."""
        first = bisect_right(self.tokens, span.start, key=lambda token: token.end)
        return range(first, self.place(span.end))

    def tops(self, places: range) -> list[int]:
        """Return those of the words that depend on none of the others."""
        return [place for place in places if self.heads[place] not in places]


class Forest:
    """Trees of a document in order, found by offset."""

    def __init__(self, document: Document) -> None:
        self.trees = tuple(trees(document))
        self._begins = [tree.tokens[0].start for tree in self.trees]

    def at(self, offset: int) -> Tree | None:
        """Return the last tree that begins at an offset or before it."""
        index = bisect_right(self._begins, offset) - 1
        return self.trees[index] if index >= 0 else None


def trees(document: Document) -> Iterator[Tree]:
    """Yield the tree of each sentence that is wholly analysed."""
    by_token = {word.token: word for word in document.get(WORDS)}
    for places in token_ranges(document):
        words = [by_token[place] for place in places if place in by_token]
        if words and len(words) == len(places):
            yield Tree(document.tokens[places.start : places.stop], words)
