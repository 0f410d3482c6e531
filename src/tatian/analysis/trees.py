"""A sentence's dependency tree with the questions that rules over syntax ask of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tatian.analysis.segments import token_ranges
from tatian.text import WORDS, Document, Token, Word


class Tree:
    """The words of one sentence by place (from 0), each with its dependents in order."""

    def __init__(self, tokens: Sequence[Token], words: Sequence[Word]) -> None:
        self.tokens = tokens
        self.words = words
        first = words[0].token if words else 0
        self.heads = [word.head - first if word.head >= 0 else -1 for word in words]
        self.children: list[list[int]] = [[] for _ in words]
        for place, head in enumerate(self.heads):
            if head >= 0:
                self.children[head].append(place)

    def text(self, place: int) -> str:
        """The word as it is written."""
        return self.tokens[place].text

    def tag(self, place: int) -> str:
        """The word's universal part of speech."""
        return self.words[place].tag

    def relation(self, place: int) -> str:
        """The word's relation to its head, without its subtype."""
        return self.words[place].relation.partition(":")[0]

    def under(self, place: int, *relations: str) -> list[int]:
        """The word's dependents of these relations."""
        return [child for child in self.children[place] if self.relation(child) in relations]

    def subtree(self, place: int) -> set[int]:
        """The word and everything below it."""
        found: set[int] = set()
        waiting = [place]
        while waiting:
            node = waiting.pop()
            found.add(node)
            waiting.extend(self.children[node])
        return found


def trees(document: Document) -> Iterator[Tree]:
    """The tree of each sentence; a sentence that is not wholly analysed has none."""
    by_token = {word.token: word for word in document.get(WORDS)}
    for places in token_ranges(document):
        words = [by_token[place] for place in places if place in by_token]
        if words and len(words) == len(places):
            yield Tree(document.tokens[places.start : places.stop], words)
