"""Tracing of freely written text to the words of its sources.

Models that write freely return a text, not places in the sources. Each of its words is traced to
the words that it repeats, by the longest runs that the text and a source have in common. Content
words that no source has are listed, so that the text can be rejected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from msgspec import Struct

from tatian.text import Source, SourcedToken, Token, tokenize
from tatian.text.content import concept, concepts, is_content
from tatian.text.documents import Passage, copy_tokens, quoted_tokens
from tatian.text.layers import SourceKind
from tatian.text.spans import runs
from tatian.union.models import Merged, MergeRecord


class Traced(Struct, frozen=True):
    """A written sentence with the sources of its words, and its faults."""

    tokens: tuple[SourcedToken, ...]
    novel: tuple[str, ...]
    """Content words that are in no source."""
    misquoted: bool
    """True if a quotation is in no source verbatim."""
    covered: tuple[float, ...]
    """Share of each passage's content that the sentence has."""

    @property
    def faithful(self) -> bool:
        """True if all content words and quotations are in the sources."""
        return not self.novel and not self.misquoted

    def merged(self) -> Merged:
        """Return the sentence as a merger's result."""
        return Merged((self.tokens,))


def trace_words(text: str, passages: Sequence[Passage]) -> Traced:
    """Convert `text` to output words, each with the places in `passages` that it repeats."""
    words = tokenize(text)
    places = [_places(words, passage) for passage in passages]
    quoted = quoted_tokens(text, words)
    tokens = tuple(
        SourcedToken(
            word.text,
            _sources(index, word, places, passages),
            index == 0 or words[index - 1].end != word.start,
            quoted[index],
        )
        for index, word in enumerate(words)
    )
    concept_counts = Counter(concepts(word.text for word in words))
    return Traced(
        tokens,
        tuple(t.text for t in tokens if t.glue and is_content(t.text)),
        not all(_stands(words[a:b], passages) for a, b in runs(quoted)),
        tuple(_share(passage, concept_counts) for passage in passages),
    )


def keep_longest(passages: Sequence[Passage], why: str) -> Merged:
    """Return the longest passage unchanged: the fallback if no written text can be used."""
    longest = max(passages, key=lambda passage: len(passage.text))
    return Merged((copy_tokens(longest),), record=MergeRecord(f"the longest sentence: {why}"))


class _Place(Struct, frozen=True):
    """Word of a passage that an output word repeats."""

    token: Token
    run: int
    """Length of the common run in words."""


def _places(words: Sequence[Token], passage: Passage) -> dict[int, _Place]:
    """Map output words to words of the passage, from the longest common runs down."""
    theirs = passage.document.tokens_in(passage.span)
    places: dict[int, _Place] = {}
    ours = [word.text.lower() for word in words]
    for a, b, size in _runs(ours, [token.text.lower() for token in theirs]):
        for step in range(size):
            places[a + step] = _Place(theirs[b + step], size)
    kept = {concept(token.text): token for token in theirs if is_content(token.text)}
    for index, word in enumerate(words):
        if index not in places and is_content(word.text) and (same := kept.get(concept(word.text))):
            places[index] = _Place(same, 1)
    return places


def _runs(ours: Sequence[str], theirs: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield common runs, longest first within each gap; words may have been moved."""
    free = [(0, len(ours))]
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    while free:
        low, high = free.pop()
        match = matcher.find_longest_match(low, high, 0, len(theirs))
        if not match.size:
            continue
        yield match.a, match.b, match.size
        free += [(low, match.a), (match.a + match.size, high)]


def _sources(
    index: int, word: Token, places_of: Sequence[dict[int, _Place]], passages: Sequence[Passage]
) -> tuple[Source, ...]:
    """Return the sources of an output word: all passages that have it, for a content word.

    A function word has only its longest common runs, and no source if it stands alone.
    The same form comes before other forms, and a longer run before a shorter one.
    """
    places = [
        (places[index], p) for places, p in zip(places_of, passages, strict=True) if index in places
    ]
    if places and not is_content(word.text):
        longest = max(place.run for place, _ in places)
        places = [(place, p) for place, p in places if place.run == longest > 1]
    kinds = [_kind(word.text, place.token.text) for place, _ in places]
    ranked = sorted(
        zip(kinds, places, strict=True),
        key=lambda pair: (pair[0] != "copied", -pair[1][0].run),
    )
    return tuple(
        Source(p.document.id, place.token.start, place.token.end, kind)
        for kind, (place, p) in ranked
    )


def _kind(written: str, source: str) -> SourceKind:
    if written.lower() == source.lower():
        return "copied"
    return "inflected" if written.lower()[:3] == source.lower()[:3] else "substituted"


def _stands(words: Sequence[Token], passages: Sequence[Passage]) -> bool:
    """Check whether a source has the quotation verbatim, apart from punctuation."""
    wanted = [word.text for word in words if any(c.isalnum() for c in word.text)]
    for passage in passages:
        texts = [token.text for token in passage.document.tokens_in(passage.span)]
        theirs = [text for text in texts if any(c.isalnum() for c in text)]
        if any(theirs[at : at + len(wanted)] == wanted for at in range(len(theirs) + 1)):
            return True
    return False


def _share(passage: Passage, concept_counts: Counter[str]) -> float:
    tokens = passage.document.tokens_in(passage.span)
    wanted = set(concepts(token.text for token in tokens))
    return len(wanted & concept_counts.keys()) / len(wanted) if wanted else 1.0
