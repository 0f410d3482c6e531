"""Consolidated text as lines that a person can change, and that form a text again.

The id of a line is its place in a source, ``account:start-end``, by which a decision finds it
after a new consolidation. No line is deleted: one that leaves the text becomes hidden, and the
outcome of every source sentence is worked out at the end.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from msgspec import Struct, field
from msgspec.structs import replace

from tatian.consolidation.result import (
    Account,
    Consolidation,
    SourceSentence,
    WrittenSentence,
)
from tatian.text import Source, WovenToken
from tatian.text.dates import dateline
from tatian.text.layers import SourceKind, capitalized, glue, render
from tatian.text.tokenizer import tokenize

Words = tuple[WovenToken, ...]
PART = "~"
"""Separator between a sentence's id and the number of its part."""
OWN = "own"
"""Prefix instead of a source in the id of a sentence that a person wrote."""
_REMEMBERED = 20_000
"""Lines whose layout is kept in memory, at most."""
_NONE: frozenset[int] = frozenset()
_FIRST = 4
"""Sentences of a source that may begin with a dateline."""


class Line(Struct, frozen=True):
    """A sentence of the text, shown or hidden."""

    id: str
    words: Words
    origins: tuple[str, ...]
    """Ids of the source sentences that it words."""
    covers: tuple[str, ...] = ()
    """Ids of the source sentences that it makes redundant."""
    opens: bool = False
    """True if it opens a paragraph."""
    heading: Words = ()
    """Words that consolidation wrote before it, such as "Reported on March 18:"."""
    hidden: bool = False
    model: bool = False
    """True if a language model worded it."""
    typed: bool = False
    """True if a person typed it or left words out, so that it must be verified."""
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
        """All its words, the first with a capital."""
        return capitalized((*self.heading, *capitalized(self.words)))


class SourcePlace(Struct, frozen=True):
    """A source sentence, as consolidation left it."""

    source: Account
    number: int
    sentence: SourceSentence

    @property
    def text(self) -> str:
        """The words of the sentence in the source."""
        return self.source.text[self.sentence.start : self.sentence.end]


class TokenLayout(Struct, frozen=True, omit_defaults=True, gc=False):
    """A word by its offsets in a sentence or text, with its sources."""

    start: int
    end: int
    sources: list[tuple[int, int, int, SourceKind]]
    """Index of the document, start and end there, kind."""
    glue: bool = False
    own: bool = False


class LineLayout(Struct, frozen=True):
    """A line laid out for reading; `line` keeps alive the words whose ids are the cache key."""

    line: Line
    text: str
    words: Words
    tokens: list[TokenLayout]
    conflicts: frozenset[int]
    """Indices of the conflicts that it mentions."""
    source_ids: list[str]
    """Ids of the sources of its words, in order."""
    count: int
    """Number of its words."""


class Manuscript(Struct, frozen=True):
    """A consolidated text in lines, with the data to build a consolidation again."""

    consolidation: Consolidation
    lines: tuple[Line, ...]
    sources: Mapping[str, SourcePlace]
    """Every source sentence by its id, in order."""
    mentions: Mapping[tuple[str, int], tuple[str, int, int]]
    """Chain, start and end of the mention that a source word belongs to, by document and start."""
    titles: Mapping[tuple[str, int], tuple[str, ...]]
    """Pages of linked mentions, by document and start."""
    stamp: str
    """Fingerprint of the sources."""
    conflicts_at: Mapping[tuple[str, int], frozenset[int]]
    """Indices of the conflicts about each character of the sources, by document and offset."""
    indices: Mapping[str, int]
    """Index of each source, by id."""
    ranks: Mapping[str, int]
    """Rank of every source sentence, by id."""
    memo: dict[tuple[int, int], LineLayout] = field(default_factory=dict)
    variants: dict[tuple[str, ...], Manuscript] = field(default_factory=dict)
    """Copies with conflicts that a person marked, by the conflicts' ids."""

    def layout(self, line: Line) -> LineLayout:
        """Return a line laid out for reading."""
        key = (id(line.words), id(line.heading))
        held = self.memo.get(key)
        if held is not None:
            return held
        if len(self.memo) > _REMEMBERED:
            self.memo.clear()
        laid = self.memo[key] = self._lay_out(line)
        return laid

    def _lay_out(self, line: Line) -> LineLayout:
        words = line.written
        tokens: list[TokenLayout] = []
        disputes: set[int] = set()
        position = 0
        for number, word in enumerate(words):
            position += bool(number and word.space)
            end = position + len(word.text)
            sources = [
                (self.indices[source.document], source.start, source.end, source.kind)
                for source in word.sources
            ]
            for source in word.sources:
                disputes |= self.conflicts_at.get((source.document, source.start), _NONE)
            tokens.append(TokenLayout(position, end, sources, word.glue and not word.own, word.own))
            position = end
        text = render(words)
        held = sorted({place[0] for token in tokens for place in token.sources})
        accounts = [self.consolidation.documents[index].id for index in held]
        count = len(text.split())
        return LineLayout(line, text, words, tokens, frozenset(disputes), accounts, count)

    def words_of_source(self, source: str) -> Words:
        """Return the words of a source sentence, without the dateline that opens a report."""
        place = self.sources[source]
        text, start = place.source.text, place.sentence.start
        opening = dateline(text) if place.number < _FIRST else None
        if opening and start <= opening.start("place") and opening.end() < place.sentence.end:
            start = opening.end()
        return words_of(place.source, start, place.sentence.end)


def sentence_id(document: str, sentence: SourceSentence) -> str:
    """Return the id of a source sentence."""
    return f"{document}:{sentence.start}-{sentence.end}"


def words_of(account: Account, start: int, end: int) -> Words:
    """Return a stretch of a source as words of the text."""
    position = -1
    words = []
    for token in tokenize(account.text, start, end):
        source = Source(account.id, token.start, token.end)
        words.append(WovenToken(token.text, (source,), token.start != position))
        position = token.end
    return tuple(words)


def typed_words(text: str, before: Words) -> Words:
    """Return the words that a person typed; words of `before` keep their sources."""
    position = -1
    now = []
    for token in tokenize(" ".join(text.split())):
        now.append(WovenToken(token.text, (), token.start != position, own=True))
        position = token.end
    earlier = [token.text.casefold() for token in before]
    matcher = SequenceMatcher(None, earlier, [word.text.casefold() for word in now], autojunk=False)
    for old, new, size in matcher.get_matching_blocks():
        for step in range(size):
            kept, word = before[old + step], now[new + step]
            now[new + step] = replace(kept, text=word.text, space=word.space)
    return tuple(now)


def without_sources(word: WovenToken, document: str, start: int, end: int) -> WovenToken:
    """Return a word without its sources in a stretch of a document, unless it has no others."""
    left = tuple(
        source
        for source in word.sources
        if source.document != document or not start <= source.start < end
    )
    return replace(word, sources=left) if left and left != word.sources else word


def with_full_stop(words: Words) -> Words:
    """Return a sentence with a full stop at its end, in place of a comma or of nothing."""
    if words and words[-1].text in (",", ";", ":", "–", "—", "-"):
        words = words[:-1]
    if words and words[-1].text[-1].isalnum():
        return (*words, glue(".", space=False))
    return words


def to_manuscript(woven: Consolidation) -> Manuscript:
    """Return the consolidated text in lines."""
    sources = {
        sentence_id(account.id, sentence): SourcePlace(account, number, sentence)
        for account in woven.documents
        for number, sentence in enumerate(account.sentences)
    }
    origins: dict[int, list[str]] = {}
    covered: dict[int, list[str]] = {}
    for id, place in sources.items():
        kept = place.sentence.fate in ("kept", "merged")
        for index in place.sentence.into:
            (origins if kept else covered).setdefault(index, []).append(id)
    worded = woven.writer.worded if woven.writer else frozenset()
    taken: dict[str, int] = {}
    lines = []
    position = 0
    for index, sentence in enumerate(woven.sentences):
        ids = origins.get(index) or [_first_source(sentence, woven.documents)]
        count = taken[ids[0]] = taken.get(ids[0], 0) + 1
        opens = index == 0 or "\n" in woven.text[position : sentence.start]
        heading, words = _split_heading(words_in(woven.text, sentence), opens)
        lines.append(
            Line(
                id=ids[0] if count == 1 else f"{ids[0]}{PART}{count}",
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
    return Manuscript(
        woven,
        tuple(lines),
        sources,
        _innermost_mentions(woven),
        _titles(woven),
        _stamp(woven),
        places_of_conflicts(woven),
        {account.id: index for index, account in enumerate(woven.documents)},
        {id: rank for rank, id in enumerate(sources)},
    )


def _stamp(woven: Consolidation) -> str:
    digest = hashlib.sha256()
    for account in woven.documents:
        digest.update(f"\0{account.id}\0{account.text}".encode())
    return digest.hexdigest()


def places_of_conflicts(woven: Consolidation) -> dict[tuple[str, int], frozenset[int]]:
    """Return the indices of the conflicts about every character of every claim."""
    claimed: dict[tuple[str, int], frozenset[int]] = {}
    for number, dispute in enumerate(woven.contradictions):
        for claim in dispute.claims:
            for place in range(claim.start, claim.end):
                numbers = claimed.get((claim.document, place), _NONE)
                claimed[claim.document, place] = numbers | {number}
    return claimed


def _first_source(sentence: WrittenSentence, documents: Sequence[Account]) -> str:
    """Return the id of the source sentence that the first sourced word comes from."""
    for source in (source for token in sentence.tokens for source in token.sources):
        account = next(document for document in documents if document.id == source.document)
        for held in account.sentences:
            if held.start <= source.start < held.end:
                return sentence_id(account.id, held)
    return f"{OWN}:{sentence.start}"


def words_in(text: str, sentence: WrittenSentence) -> Words:
    """Return the words of a written sentence."""
    position = -1
    words = []
    for token in sentence.tokens:
        word = text[token.start : token.end]
        words.append(WovenToken(word, token.sources, token.start != position, own=token.own))
        position = token.end
    return tuple(words)


def _split_heading(words: Words, opens: bool) -> tuple[Words, Words]:
    """Split off the words that announce a section, which no source has."""
    count = next((n for n, token in enumerate(words) if not token.glue), len(words))
    ends = [n for n in range(count) if words[n].text.endswith(":")]
    return (words[: ends[-1] + 1], words[ends[-1] + 1 :]) if opens and ends else ((), words)


def _innermost_mentions(woven: Consolidation) -> dict[tuple[str, int], tuple[str, int, int]]:
    """Return the innermost mention around each source word."""
    starts = {
        account.id: [token.start for token in tokenize(account.text)] for account in woven.documents
    }
    innermost: dict[tuple[str, int], tuple[str, int, int]] = {}
    references = [(chain.id, reference) for chain in woven.chains for reference in chain.references]
    references.sort(key=lambda pair: pair[1].start - pair[1].end)
    for chain, reference in references:
        held = starts.get(reference.document, [])
        first = bisect_left(held, reference.start)
        for start in held[first : bisect_left(held, reference.end, lo=first)]:
            innermost[reference.document, start] = (chain, reference.start, reference.end)
    return innermost


def _titles(woven: Consolidation) -> dict[tuple[str, int], tuple[str, ...]]:
    """Return the pages of linked mentions, by document and start of their first word."""
    linked = {mention.start: mention.titles for mention in woven.mentions if mention.titles}
    return {
        (token.sources[0].document, token.sources[0].start): linked[token.start]
        for sentence in woven.sentences
        for token in sentence.tokens
        if token.start in linked and token.sources
    }
