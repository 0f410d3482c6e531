"""A wording read again: parsed anew, each of its words with the source word behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

from tatian.text import Document, Span, WovenToken
from tatian.text.content import concept, is_content
from tatian.text.layers import render
from tatian.union.models import Passage
from tatian.union.models.sentences import Parsed, parsed

Behind = tuple[int, int]
"""Which sentence, and which of its words."""


class WordingReading:
    """The tokens of a wording with their sources and, when asked for, a parse."""

    def __init__(self, tokens: Sequence[WovenToken], sentences: Sequence[Parsed]) -> None:
        self.tokens = tokens
        self.sentences = sentences
        self.behind = [self._source(token) for token in tokens]
        self.concepts = [
            concept(token.text) if is_content(token.text) else None for token in tokens
        ]
        self.text = render(tokens)

    def _source(self, token: WovenToken) -> Behind | None:
        for source in token.sources:
            for number, sentence in enumerate(self.sentences):
                if sentence.passage.document.id == source.document:
                    place = sentence.place_of.get(source.start)
                    if place is not None:
                        return number, place
        return None

    @cached_property
    def said(self) -> set[Behind]:
        """The source words that it has."""
        return {found for found in self.behind if found is not None}

    @cached_property
    def tree(self) -> Parsed | None:
        """Its own parse; None where the analysis has none."""
        document = _analyser()(Document("wording", self.text))
        return parsed(Passage(document, Span(0, len(self.text))))

    @cached_property
    def index(self) -> list[int | None]:
        """For each word of the parse, the token of the wording that it is."""
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
