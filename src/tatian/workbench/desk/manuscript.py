"""Consolidated text as lines that a person can change.

The id of a line is its position in a source, ``account:start-end``, so that decisions still apply
after the text is consolidated again. Lines are never deleted, only hidden.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from msgspec import Struct, field
from msgspec.structs import replace

from tatian.consolidation.result import Account, Consolidation, SourceSentence, WrittenSentence
from tatian.text import Source, SourcedToken
from tatian.text.datelines import dateline
from tatian.text.layers import SourceKind, capitalized, glue, render
from tatian.text.tokenizer import tokenize

Words = tuple[SourcedToken, ...]
PART = "~"
"""Separator between a sentence's id and the number of its part."""
OWN = "own"
"""Prefix, in place of a source id, of the ids of lines whose words have no source."""
_MAX_LAYOUTS = 20_000
"""Maximum number of lines whose layout is cached."""
_NONE: frozenset[int] = frozenset()
_FIRST_SENTENCES = 4
"""Number of initial sentences of a source that may begin with a dateline."""


class Line(Struct, frozen=True):
    """A sentence of the text, visible or hidden."""

    id: str
    words: Words
    origins: tuple[str, ...]
    """Ids of the source sentences that its words come from."""
    covers: tuple[str, ...] = ()
    """Ids of the source sentences that it makes redundant."""
    opens: bool = False
    """True if it opens a paragraph."""
    heading: Words = ()
    """Heading before the sentence, such as "Reported on March 18:"."""
    hidden: bool = False
    model: bool = False
    """True if a language model wrote it."""
    typed: bool = False
    """True if a person edited it, so that it must be verified."""
    decisions: tuple[int, ...] = ()
    """Numbers of the decisions that changed it."""
    why: str = ""
    """Reason for its placement."""

    @property
    def text(self) -> str:
        """The sentence as a reader sees it."""
        return render(self.written)

    @property
    def written(self) -> Words:
        """Heading and words, each starting with a capital."""
        return capitalized((*self.heading, *capitalized(self.words)))


class SourcePlace(Struct, frozen=True):
    """A source sentence with its source and its outcome in the consolidation."""

    source: Account
    number: int
    sentence: SourceSentence

    @property
    def text(self) -> str:
        """The words of the sentence in the source."""
        return self.source.text[self.sentence.start : self.sentence.end]


class TokenLayout(Struct, frozen=True, omit_defaults=True, gc=False):
    """A word with its offsets in a sentence or text, and its sources."""

    start: int
    end: int
    sources: list[tuple[int, int, int, SourceKind]]
    """For each source: index of the document, start, end, kind."""
    glue: bool = False
    own: bool = False


class LineLayout(Struct, frozen=True):
    """A line as text with word offsets.

    `line` keeps the line's words alive: the cache key is their `id()`, which could be reused.
    """

    line: Line
    text: str
    words: Words
    tokens: list[TokenLayout]
    conflicts: frozenset[int]
    """Indices of the conflicts with a claim in the line."""
    source_ids: list[str]
    """Ids of the sources of its words, in the order of the sources."""
    count: int
    """Number of words."""


class Manuscript(Struct, frozen=True):
    """A consolidated text as lines, with indexes of its sources."""

    consolidation: Consolidation
    lines: tuple[Line, ...]
    sources: Mapping[str, SourcePlace]
    """Source sentences by id, in order."""
    mentions: Mapping[tuple[str, int], tuple[str, int, int]]
    """Maps (document, word start) to the (chain, start, end) of the innermost enclosing mention."""
    titles: Mapping[tuple[str, int], tuple[str, ...]]
    """Maps (document, mention start) to the mention's Wikipedia titles."""
    stamp: str
    """Hash of the sources."""
    conflicts_at: Mapping[tuple[str, int], frozenset[int]]
    """Maps (document, character offset) to the indices of the conflicts that have a claim there."""
    indices: Mapping[str, int]
    """Index of each source, by id."""
    ranks: Mapping[str, int]
    """Position of each source sentence among those of all sources, by id."""
    memo: dict[tuple[int, int], LineLayout] = field(default_factory=dict)
    variants: dict[tuple[str, ...], Manuscript] = field(default_factory=dict)
    """Cached copies with user-marked conflicts added, by the ids of these conflicts."""

    def layout(self, line: Line) -> LineLayout:
        """Return the layout of a line, cached."""
        key = (id(line.words), id(line.heading))
        cached = self.memo.get(key)
        if cached is not None:
            return cached
        if len(self.memo) > _MAX_LAYOUTS:
            self.memo.clear()
        layout = self.memo[key] = self._lay_out(line)
        return layout

    def _lay_out(self, line: Line) -> LineLayout:
        words = line.written
        tokens: list[TokenLayout] = []
        conflicts: set[int] = set()
        position = 0
        for number, word in enumerate(words):
            position += bool(number and word.space)
            end = position + len(word.text)
            sources = [
                (self.indices[source.document], source.start, source.end, source.kind)
                for source in word.sources
            ]
            for source in word.sources:
                conflicts |= self.conflicts_at.get((source.document, source.start), _NONE)
            tokens.append(TokenLayout(position, end, sources, word.glue and not word.own, word.own))
            position = end
        text = render(words)
        document_indices = sorted({place[0] for token in tokens for place in token.sources})
        accounts = [self.consolidation.documents[index].id for index in document_indices]
        count = len(text.split())
        return LineLayout(line, text, words, tokens, frozenset(conflicts), accounts, count)

    def words_of_source(self, source: str) -> Words:
        """Return the words of a source sentence, without the dateline that opens a report."""
        place = self.sources[source]
        text, start = place.source.text, place.sentence.start
        opening = dateline(text) if place.number < _FIRST_SENTENCES else None
        if opening and start <= opening.start("place") and opening.end() < place.sentence.end:
            start = opening.end()
        return words_of(place.source, start, place.sentence.end)


def sentence_id(document: str, sentence: SourceSentence) -> str:
    """Return the id of a source sentence."""
    return f"{document}:{sentence.start}-{sentence.end}"


def words_of(account: Account, start: int, end: int) -> Words:
    """Return a span of a source as words of the text."""
    position = -1
    words = []
    for token in tokenize(account.text, start, end):
        source = Source(account.id, token.start, token.end)
        words.append(SourcedToken(token.text, (source,), token.start != position))
        position = token.end
    return tuple(words)


def typed_words(text: str, before: Words) -> Words:
    """Return the words of a typed text; those aligned with words of `before` keep their sources."""
    position = -1
    typed = []
    for token in tokenize(" ".join(text.split())):
        typed.append(SourcedToken(token.text, (), token.start != position, own=True))
        position = token.end
    old_texts, new_texts = ([word.text.casefold() for word in words] for words in (before, typed))
    matcher = SequenceMatcher(None, old_texts, new_texts, autojunk=False)
    for old, new, size in matcher.get_matching_blocks():
        for step in range(size):
            old_word, word = before[old + step], typed[new + step]
            typed[new + step] = replace(old_word, text=word.text, space=word.space)
    return tuple(typed)


def without_sources(word: SourcedToken, document: str, start: int, end: int) -> SourcedToken:
    """Remove a word's sources within a span of a document, unless that leaves none."""
    remaining = tuple(
        source
        for source in word.sources
        if source.document != document or not start <= source.start < end
    )
    return replace(word, sources=remaining) if remaining and remaining != word.sources else word


def with_full_stop(words: Words) -> Words:
    """End a sentence with a full stop, in place of a comma, colon or dash."""
    if words and words[-1].text in (",", ";", ":", "–", "—", "-"):
        words = words[:-1]
    if words and words[-1].text[-1].isalnum():
        return (*words, glue(".", space=False))
    return words


def to_manuscript(consolidation: Consolidation) -> Manuscript:
    """Return the consolidated text as lines."""
    sources = {
        sentence_id(account.id, sentence): SourcePlace(account, number, sentence)
        for account in consolidation.documents
        for number, sentence in enumerate(account.sentences)
    }
    origins: dict[int, list[str]] = {}
    covered: dict[int, list[str]] = {}
    for id, place in sources.items():
        kept = place.sentence.fate in ("kept", "merged")
        for index in place.sentence.into:
            (origins if kept else covered).setdefault(index, []).append(id)
    worded = consolidation.writer.worded if consolidation.writer else frozenset()
    line_counts: dict[str, int] = {}
    lines = []
    position = 0
    for index, sentence in enumerate(consolidation.sentences):
        source_ids = origins.get(index) or [_first_source(sentence, consolidation.documents)]
        count = line_counts[source_ids[0]] = line_counts.get(source_ids[0], 0) + 1
        opens = index == 0 or "\n" in consolidation.text[position : sentence.start]
        heading, words = _split_heading(words_in(consolidation.text, sentence), opens)
        lines.append(
            Line(
                id=source_ids[0] if count == 1 else f"{source_ids[0]}{PART}{count}",
                words=words,
                origins=tuple(origins.get(index, ())),
                covers=tuple(covered.get(index, ())),
                opens=opens,
                heading=heading,
                model=index in worded,
                why=sentence.why,
            )
        )
        position = sentence.end
    texts = "".join(f"\0{source.id}\0{source.text}" for source in consolidation.documents)
    return Manuscript(
        consolidation,
        tuple(lines),
        sources,
        _innermost_mentions(consolidation),
        _titles(consolidation),
        hashlib.sha256(texts.encode()).hexdigest(),
        places_of_conflicts(consolidation),
        {account.id: index for index, account in enumerate(consolidation.documents)},
        {id: rank for rank, id in enumerate(sources)},
    )


def places_of_conflicts(consolidation: Consolidation) -> dict[tuple[str, int], frozenset[int]]:
    """Return the indices of the conflicts at each character of a claim, by document and offset."""
    claimed: dict[tuple[str, int], frozenset[int]] = {}
    for number, conflict in enumerate(consolidation.contradictions):
        for claim in conflict.claims:
            for place in range(claim.start, claim.end):
                numbers = claimed.get((claim.document, place), _NONE)
                claimed[claim.document, place] = numbers | {number}
    return claimed


def _first_source(sentence: WrittenSentence, documents: Sequence[Account]) -> str:
    """Return the id of the source sentence of the first word with a source."""
    for source in (source for token in sentence.tokens for source in token.sources):
        account = next(document for document in documents if document.id == source.document)
        for place in account.sentences:
            if place.start <= source.start < place.end:
                return sentence_id(account.id, place)
    return f"{OWN}:{sentence.start}"


def words_in(text: str, sentence: WrittenSentence) -> Words:
    """Return the words of a written sentence."""
    position = -1
    words = []
    for token in sentence.tokens:
        word = text[token.start : token.end]
        words.append(SourcedToken(word, token.sources, token.start != position, own=token.own))
        position = token.end
    return tuple(words)


def _split_heading(words: Words, opens: bool) -> tuple[Words, Words]:
    """Return heading and sentence; a heading is glue that ends with a colon."""
    count = next((n for n, token in enumerate(words) if not token.glue), len(words))
    ends = [n for n in range(count) if words[n].text.endswith(":")]
    return (words[: ends[-1] + 1], words[ends[-1] + 1 :]) if opens and ends else ((), words)


def _innermost_mentions(
    consolidation: Consolidation,
) -> dict[tuple[str, int], tuple[str, int, int]]:
    """Return chain, start and end of the innermost mention around each source word."""
    starts = {
        account.id: [token.start for token in tokenize(account.text)]
        for account in consolidation.documents
    }
    innermost: dict[tuple[str, int], tuple[str, int, int]] = {}
    references = [
        (chain.id, reference) for chain in consolidation.chains for reference in chain.references
    ]
    references.sort(key=lambda pair: pair[1].start - pair[1].end)  # The longest first.
    for chain, reference in references:
        token_starts = starts.get(reference.document, [])
        first = bisect_left(token_starts, reference.start)
        for start in token_starts[first : bisect_left(token_starts, reference.end, lo=first)]:
            innermost[reference.document, start] = (chain, reference.start, reference.end)
    return innermost


def _titles(consolidation: Consolidation) -> dict[tuple[str, int], tuple[str, ...]]:
    """Return the Wikipedia pages of linked mentions, by document and start of their first word."""
    linked = {mention.start: mention.titles for mention in consolidation.mentions if mention.titles}
    return {
        (token.sources[0].document, token.sources[0].start): linked[token.start]
        for sentence in consolidation.sentences
        for token in sentence.tokens
        if token.start in linked and token.sources
    }
