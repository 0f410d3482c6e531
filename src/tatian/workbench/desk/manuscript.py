"""A woven text taken apart into sentences that can be changed, and put together again.

Every sentence is known by where it comes from, ``account:start-end``, so that a change finds it
again after a new weave. Nothing of an account is lost on the way: a sentence that leaves the text
only becomes hidden, and what became of each sentence of each account is worked out at the end.
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
"""Between a sentence's id and the number of a part of it."""
OWN = "own"
"""What stands for the account in the id of a sentence that a person wrote."""
_REMEMBERED = 20_000
"""Lines that are kept as they are read."""
_NONE: frozenset[int] = frozenset()
_FIRST = 4
"""Sentences among which a dateline may stand."""


class Line(Struct, frozen=True):
    """One sentence of the text, in it or hidden."""

    id: str
    words: Words
    origins: tuple[str, ...]
    """The sentences of accounts that it words."""
    told: tuple[str, ...] = ()
    """Sentences of accounts that need not be told beside it."""
    opens: bool = False
    """Whether it begins a paragraph."""
    heading: Words = ()
    """Words of the weave before it, such as "Reported on March 18:"."""
    hidden: bool = False
    model: bool = False
    """Whether a language model worded it."""
    typed: bool = False
    """Whether a person did, or left words out, so that it must be proved."""
    decisions: tuple[int, ...] = ()
    """The numbers of the decisions that touched it."""
    why: str = ""
    """Why it stands where it stands."""

    @property
    def text(self) -> str:
        """As it is read."""
        return render(self.written)

    @property
    def written(self) -> Words:
        """All its words, with a capital at the start."""
        return capitalized((*self.heading, *capitalized(self.words)))


class SourcePlace(Struct, frozen=True):
    """A sentence of an account, as the weave left it."""

    account: Account
    number: int
    sentence: SourceSentence

    @property
    def text(self) -> str:
        """Its words in the account."""
        return self.account.text[self.sentence.start : self.sentence.end]


class LaidToken(Struct, frozen=True, omit_defaults=True, gc=False):
    """A word by its place in its sentence, or in a text, with its sources."""

    start: int
    end: int
    sources: list[tuple[int, int, int, SourceKind]]
    """Index of the document, start and end there, kind."""
    glue: bool = False
    own: bool = False


class LaidLine(Struct, frozen=True):
    """A line as it is read: the same whatever stands before it, so that it is made once."""

    line: Line
    text: str
    words: Words
    tokens: list[LaidToken]
    disputes: frozenset[int]
    """The numbers of the disputes that it speaks of."""
    accounts: list[str]
    """Those its words come from, in order."""
    count: int
    """Of its words."""


class Manuscript(Struct, frozen=True):
    """A woven text in lines, with what must be known to write it down again."""

    woven: Consolidation
    lines: tuple[Line, ...]
    sources: Mapping[str, SourcePlace]
    """Every sentence of every account, by its id, in order."""
    mentions: Mapping[tuple[str, int], tuple[str, int, int]]
    """The chain that words of the accounts speak of, by document and start, and the mention."""
    titles: Mapping[tuple[str, int], tuple[str, ...]]
    """The pages of linked mentions, by document and start."""
    stamp: str
    """Tells its accounts from any others."""
    claimed: Mapping[tuple[str, int], frozenset[int]]
    """The numbers of the disputes about each place of the accounts."""
    indices: Mapping[str, int]
    """Of the accounts."""
    ranks: Mapping[str, int]
    """The places of the sentences of the accounts, counted through."""
    memo: dict[tuple[int, int], LaidLine] = field(default_factory=dict)
    variants: dict[tuple[str, ...], Manuscript] = field(default_factory=dict)
    """The same text with disagreements that a person marked, by their ids."""

    def laid(self, line: Line) -> LaidLine:
        """A line as it is read."""
        key = (id(line.words), id(line.heading))
        held = self.memo.get(key)
        if held is not None:
            return held
        if len(self.memo) > _REMEMBERED:
            self.memo.clear()
        made = self.memo[key] = self._laid(line)
        return made

    def _laid(self, line: Line) -> LaidLine:
        words = line.written
        tokens: list[LaidToken] = []
        disputes: set[int] = set()
        position = 0
        for number, word in enumerate(words):
            position += bool(number and word.space)
            end = position + len(word.text)
            sources = [
                (self.indices[one.document], one.start, one.end, one.kind) for one in word.sources
            ]
            for one in word.sources:
                disputes |= self.claimed.get((one.document, one.start), _NONE)
            tokens.append(LaidToken(position, end, sources, word.glue and not word.own, word.own))
            position = end
        text = render(words)
        held = sorted({source[0] for token in tokens for source in token.sources})
        accounts = [self.woven.documents[index].id for index in held]
        count = len(text.split())
        return LaidLine(line, text, words, tokens, frozenset(disputes), accounts, count)

    def copied(self, source: str) -> Words:
        """The words of a sentence of an account, without the place and date that open a report."""
        place = self.sources[source]
        text, start = place.account.text, place.sentence.start
        opening = dateline(text) if place.number < _FIRST else None
        if opening and start <= opening.start("place") and opening.end() < place.sentence.end:
            start = opening.end()
        return words_of(place.account, start, place.sentence.end)


def sentence_id(document: str, sentence: SourceSentence) -> str:
    """What a sentence of an account is referred to by."""
    return f"{document}:{sentence.start}-{sentence.end}"


def words_of(account: Account, start: int, end: int) -> Words:
    """A stretch of an account as words of the text."""
    position = -1
    found = []
    for token in tokenize(account.text, start, end):
        source = Source(account.id, token.start, token.end)
        found.append(WovenToken(token.text, (source,), token.start != position))
        position = token.end
    return tuple(found)


def typed(text: str, before: Words) -> Words:
    """What a person typed; words that stood there before keep their sources."""
    position = -1
    now = []
    for token in tokenize(" ".join(text.split())):
        now.append(WovenToken(token.text, (), token.start != position, own=True))
        position = token.end
    said = [token.text.casefold() for token in before]
    matcher = SequenceMatcher(None, said, [one.text.casefold() for one in now], autojunk=False)
    for old, new, size in matcher.get_matching_blocks():
        for step in range(size):
            kept, word = before[old + step], now[new + step]
            now[new + step] = replace(kept, text=word.text, space=word.space)
    return tuple(now)


def without_sources(word: WovenToken, document: str, start: int, end: int) -> WovenToken:
    """A word without its sources in one sentence, unless it has no others."""
    left = tuple(
        one for one in word.sources if one.document != document or not start <= one.start < end
    )
    return replace(word, sources=left) if left and left != word.sources else word


def closed(words: Words) -> Words:
    """A sentence with a full stop at its end, in place of a comma or of nothing."""
    if words and words[-1].text in (",", ";", ":", "–", "—", "-"):
        words = words[:-1]
    if words and words[-1].text[-1].isalnum():
        return (*words, glue(".", space=False))
    return words


def taken_apart(woven: Consolidation) -> Manuscript:
    """The text of a weave in lines."""
    sources = {
        sentence_id(account.id, sentence): SourcePlace(account, number, sentence)
        for account in woven.documents
        for number, sentence in enumerate(account.sentences)
    }
    origins: dict[int, list[str]] = {}
    told: dict[int, list[str]] = {}
    for id, place in sources.items():
        kept = place.sentence.fate in ("kept", "merged")
        for index in place.sentence.into:
            (origins if kept else told).setdefault(index, []).append(id)
    worded = woven.writer.worded if woven.writer else frozenset()
    taken: dict[str, int] = {}
    lines = []
    position = 0
    for index, sentence in enumerate(woven.sentences):
        own = origins.get(index) or [_first_source(sentence, woven.documents)]
        count = taken[own[0]] = taken.get(own[0], 0) + 1
        opens = index == 0 or "\n" in woven.text[position : sentence.start]
        heading, words = _headed(words_in(woven.text, sentence), opens)
        lines.append(
            Line(
                id=own[0] if count == 1 else f"{own[0]}{PART}{count}",
                words=words,
                origins=tuple(origins.get(index, ())),
                told=tuple(told.get(index, ())),
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
        _mentioned(woven),
        _titles(woven),
        _stamp(woven),
        claimed_places(woven),
        {account.id: index for index, account in enumerate(woven.documents)},
        {id: rank for rank, id in enumerate(sources)},
    )


def _stamp(woven: Consolidation) -> str:
    told = hashlib.sha256()
    for account in woven.documents:
        told.update(f"\0{account.id}\0{account.text}".encode())
    return told.hexdigest()


def claimed_places(woven: Consolidation) -> dict[tuple[str, int], frozenset[int]]:
    """Return the numbers of the disputes about every character of every claim."""
    found: dict[tuple[str, int], frozenset[int]] = {}
    for number, dispute in enumerate(woven.contradictions):
        for claim in dispute.claims:
            for place in range(claim.start, claim.end):
                held = found.get((claim.document, place), _NONE)
                found[claim.document, place] = held | {number}
    return found


def _first_source(sentence: WrittenSentence, documents: Sequence[Account]) -> str:
    """The sentence of an account that the first sourced word is of."""
    for source in (one for token in sentence.tokens for one in token.sources):
        account = next(one for one in documents if one.id == source.document)
        for held in account.sentences:
            if held.start <= source.start < held.end:
                return sentence_id(account.id, held)
    return f"{OWN}:{sentence.start}"


def words_in(text: str, sentence: WrittenSentence) -> Words:
    """The words of a written sentence."""
    position = -1
    found = []
    for token in sentence.tokens:
        word = text[token.start : token.end]
        found.append(WovenToken(word, token.sources, token.start != position, own=token.own))
        position = token.end
    return tuple(found)


def _headed(words: Words, opens: bool) -> tuple[Words, Words]:
    """The words of our own that announce a section, and the rest."""
    count = next((n for n, token in enumerate(words) if not token.glue), len(words))
    ends = [n for n in range(count) if words[n].text.endswith(":")]
    return (words[: ends[-1] + 1], words[ends[-1] + 1 :]) if opens and ends else ((), words)


def _mentioned(woven: Consolidation) -> dict[tuple[str, int], tuple[str, int, int]]:
    """The innermost mention that each word of the accounts is of."""
    starts = {
        account.id: [token.start for token in tokenize(account.text)] for account in woven.documents
    }
    found: dict[tuple[str, int], tuple[str, int, int]] = {}
    references = [(chain.id, one) for chain in woven.chains for one in chain.references]
    references.sort(key=lambda one: one[1].start - one[1].end)
    for chain, one in references:
        held = starts.get(one.document, [])
        first = bisect_left(held, one.start)
        for start in held[first : bisect_left(held, one.end, lo=first)]:
            found[one.document, start] = (chain, one.start, one.end)
    return found


def _titles(woven: Consolidation) -> dict[tuple[str, int], tuple[str, ...]]:
    """The pages of linked mentions, by where the first word of each stands in an account."""
    linked = {one.start: one.titles for one in woven.mentions if one.titles}
    return {
        (token.sources[0].document, token.sources[0].start): linked[token.start]
        for sentence in woven.sentences
        for token in sentence.tokens
        if token.start in linked and token.sources
    }
