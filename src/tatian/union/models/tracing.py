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
    sources = [passage.document.tokens_in(passage.span) for passage in passages]
    places = [_map_words(words, source) for source in sources]
    quoted = quoted_tokens(text, words)
    tokens = tuple(
        SourcedToken(
            word.text,
            _find_sources(index, word, places, passages),
            index == 0 or words[index - 1].end != word.start,
            quoted[index],
        )
        for index, word in enumerate(words)
    )
    concept_counts = Counter(concepts(word.text for word in words))
    return Traced(
        tokens,
        tuple(t.text for t in tokens if t.glue and is_content(t.text)),
        not all(any(is_verbatim(words[a:b], s) for s in sources) for a, b in runs(quoted)),
        tuple(_covered_share(source, concept_counts) for source in sources),
    )


def keep_longest(passages: Sequence[Passage], why: str) -> Merged:
    """Return the longest passage unchanged: the fallback if no written text can be used."""
    longest = max(passages, key=lambda passage: len(passage.text))
    return Merged((copy_tokens(longest),), record=MergeRecord(f"the longest sentence: {why}"))


class _SourceWord(Struct, frozen=True):
    """Word of a passage that an output word repeats."""

    token: Token
    run: int
    """Length of the common run in words."""


def _map_words(words: Sequence[Token], source: Sequence[Token]) -> dict[int, _SourceWord]:
    """Map output words to words of a source, from the longest common runs down."""
    mapped: dict[int, _SourceWord] = {}
    texts = [word.text.lower() for word in words]
    for start, source_start, size in _find_runs(texts, [token.text.lower() for token in source]):
        for step in range(size):
            mapped[start + step] = _SourceWord(source[source_start + step], size)
    by_concept = {concept(token.text): token for token in source if is_content(token.text)}
    for index, word in enumerate(words):
        match = by_concept.get(concept(word.text)) if is_content(word.text) else None
        if index not in mapped and match:
            mapped[index] = _SourceWord(match, 1)
    return mapped


def _find_runs(words: Sequence[str], source: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield common runs, longest first within each gap; words may have been moved."""
    free = [(0, len(words))]
    matcher = SequenceMatcher(None, words, source, autojunk=False)
    while free:
        low, high = free.pop()
        match = matcher.find_longest_match(low, high, 0, len(source))
        if not match.size:
            continue
        yield match.a, match.b, match.size
        free += [(low, match.a), (match.a + match.size, high)]


def _find_sources(
    index: int,
    word: Token,
    words_by_passage: Sequence[dict[int, _SourceWord]],
    passages: Sequence[Passage],
) -> tuple[Source, ...]:
    """Return the sources of an output word: all passages that have it, for a content word.

    A function word has only its longest common runs, and no source if it stands alone.
    The same form comes before other forms, and a longer run before a shorter one.
    """
    matches = [
        (words[index], passage.document.id)
        for words, passage in zip(words_by_passage, passages, strict=True)
        if index in words
    ]
    if matches and not is_content(word.text):
        longest = max(match.run for match, _ in matches)
        matches = [(match, id) for match, id in matches if match.run == longest > 1]
    ranked = [(_classify(word.text, match.token.text), match, id) for match, id in matches]
    ranked.sort(key=lambda candidate: (candidate[0] != "copied", -candidate[1].run))
    return tuple(Source(id, match.token.start, match.token.end, kind) for kind, match, id in ranked)


def _classify(written: str, source: str) -> SourceKind:
    if written.lower() == source.lower():
        return "copied"
    return "inflected" if written.lower()[:3] == source.lower()[:3] else "substituted"


def is_verbatim(
    quotation: Sequence[Token | SourcedToken], source: Sequence[Token | SourcedToken]
) -> bool:
    """Check whether a source has a quotation verbatim, apart from punctuation."""
    words, source_words = (
        [token.text for token in tokens if any(c.isalnum() for c in token.text)]
        for tokens in (quotation, source)
    )
    starts = range(len(source_words) + 1)
    return any(source_words[start : start + len(words)] == words for start in starts)


def _covered_share(source: Sequence[Token], concept_counts: Counter[str]) -> float:
    wanted = set(concepts(token.text for token in source))
    return len(wanted & concept_counts.keys()) / len(wanted) if wanted else 1.0
