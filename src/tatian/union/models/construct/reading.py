"""A wording with the source of each of its words, and a parse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

from tatian.text import Document, SourcedToken, Span
from tatian.text.content import concept, is_content
from tatian.text.documents import Passage
from tatian.text.layers import render
from tatian.union.models.sentences import Parsed, parsed

WordOrigin = tuple[int, int]
"""Sentence number, and index of a word in that sentence."""


class WordingReading:
    """Tokens of a wording with their sources and, on demand, a parse."""

    def __init__(self, tokens: Sequence[SourcedToken], sentences: Sequence[Parsed]) -> None:
        self.tokens = tokens
        self.sentences = sentences
        self.origins = [self._find_origin(token) for token in tokens]
        """Source word of each token, or None."""
        self.concepts = [
            concept(token.text) if is_content(token.text) else None for token in tokens
        ]
        self.text = render(tokens)

    def _find_origin(self, token: SourcedToken) -> WordOrigin | None:
        for source in token.sources:
            for number, sentence in enumerate(self.sentences):
                if sentence.passage.document.id == source.document:
                    place = sentence.place_of.get(source.start)
                    if place is not None:
                        return number, place
        return None

    @cached_property
    def sources(self) -> set[WordOrigin]:
        """Source words that the wording has."""
        return {source for source in self.origins if source is not None}

    @cached_property
    def tree(self) -> Parsed | None:
        """Parse of the wording; None if the parser returns none."""
        document = _analyser()(Document("wording", self.text))
        return parsed(Passage(document, Span(0, len(self.text))))

    def origin_at(self, place: int) -> WordOrigin | None:
        """Return the source word of a word of the parse."""
        number = self.index[place]
        return None if number is None else self.origins[number]

    @cached_property
    def index(self) -> list[int | None]:
        """Index of the wording's token for each word of the parse."""
        starts: dict[int, int] = {}
        position = 0
        for number, token in enumerate(self.tokens):
            position += bool(number and token.space)
            starts[position] = number
            position += len(token.text)
        if self.tree is None:
            return []
        return [starts.get(token.sources[0].start) for token in self.tree.tokens]


@lru_cache(maxsize=1)
def _analyser() -> Callable[[Document], Document]:
    from tatian.analysis import analysers
    from tatian.analysis.installed import best_model

    return analysers.create(best_model()).analyze
