"""A draft as a passage, so that any merger of pairs can go on with it, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from msgspec.structs import replace

from tatian.text import MENTIONS, NAMES, WORDS, Document, Mention, Metadata, Span, WovenToken
from tatian.text.provenance import render
from tatian.union.models import Passage

Analyse = Callable[[Document], Document]


class Woven:
    """A draft written down as a document of its own, which remembers where its words came from."""

    def __init__(self, draft: tuple[WovenToken, ...], beside: Passage, number: int) -> None:
        self.id = f"draft {number} beside {beside.document.id}"
        text = render(draft)
        self._at: dict[int, WovenToken] = {}
        position = 0
        for index, token in enumerate(draft):
            position += bool(index and token.space)
            self._at[position] = token
            position += len(token.text)
        date = beside.document.metadata.date
        document = Document(self.id, text, Metadata(date=date))
        filled = _like(beside.document)(document)
        self.passage = Passage(_with_mentions(filled), Span(0, len(text)))

    def traced(self, tokens: Iterable[WovenToken]) -> tuple[WovenToken, ...]:
        """The same words, with the places they had before they were written into the draft."""
        result = []
        for token in tokens:
            ours = [source for source in token.sources if source.document == self.id]
            kept = [source for source in token.sources if source.document != self.id]
            quoted = token.quoted
            for source in ours:
                origin = self._origin(source.start)
                quoted = quoted or origin.quoted
                changed = [replace(s, kind=source.kind) for s in origin.sources]
                kept = [*(origin.sources if source.kind == "copied" else changed), *kept]
            result.append(replace(token, sources=tuple(dict.fromkeys(kept)), quoted=quoted))
        return tuple(result)

    def _origin(self, start: int) -> WovenToken:
        """The word of the draft that stands at, or reaches over, an offset of its text."""
        place = start
        while place not in self._at:
            place -= 1
        return self._at[place]


def _with_mentions(document: Document) -> Document:
    if document.has(MENTIONS):
        return document
    names = document.get(NAMES) if document.has(NAMES) else ()
    mentions = [Mention(name.start, name.end, name.type) for name in names]
    return document.with_layer(MENTIONS, mentions, "names")


def _like(document: Document) -> Analyse:
    """The analyser that fills what this document has: with a parse, or by rules alone."""
    return _analyser("encoder" if document.has(WORDS) else "rules")


@lru_cache(maxsize=2)
def _analyser(name: str) -> Analyse:
    from tatian.analysis import analysers
    from tatian.analysis.installed import best_model

    return analysers.create(best_model() if name == "encoder" else name).analyze
