"""The names that the analysis found, with the titles that stand before them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from tatian.mentions.models.names import TITLE_WORDS, NameDetector
from tatian.text import LINKS, MENTIONS, NAMES, Document, Mention, Name, Span, Token


class AnalysedNames:
    """The names that the analysis found, with their titles; by capitals where it found none."""

    def __init__(self) -> None:
        self._capitals = NameDetector()

    def detect(self, document: Document) -> Document:
        """Add the `mentions` and `links` layers (and `names`, where the analysis did not)."""
        if not document.has(NAMES):
            return self._capitals.detect(document)
        kinds = _kinds(document)
        mentions = [
            _titled(document, name, kinds[name.of(document.text)]) for name in document.get(NAMES)
        ]
        made = "tatian/analysed"
        return document.with_layer(MENTIONS, mentions, made).with_layer(LINKS, (), made)


def _kinds(document: Document) -> dict[str, str]:
    """One type for all uses of a name in a document: the most frequent one."""
    votes: dict[str, Counter[str]] = {}
    for name in document.get(NAMES):
        votes.setdefault(name.of(document.text), Counter())[name.type] += 1
    return {text: max(sorted(counts), key=lambda k: counts[k]) for text, counts in votes.items()}


def _titled(document: Document, name: Name, kind: str) -> Mention:
    """The name with the titles before it ("Prime Minister"), which are not part of it."""
    tokens = document.tokens
    index = bisect_left(tokens, name.start, key=lambda token: token.start)
    first = index
    if kind == "PER":
        while first > 0 and _is_title(tokens, first - 1, first < index):
            first -= 1
    start = tokens[first].start if first < index else name.start
    head = Span(name.start, name.end) if start < name.start else None
    return Mention(start, name.end, kind, head=head)


def _is_title(tokens: Sequence[Token], index: int, begun: bool) -> bool:
    word = tokens[index].text
    near = tokens[index + 1].start - tokens[index].end <= 1
    return near and word[0].isupper() and (begun or word.lower() in TITLE_WORDS)
