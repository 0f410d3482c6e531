"""Data for the page's script, by the numbers of words, pieces and sentences.

Sources are cut at every boundary a reader may want lit. The page never counts characters: whatever
it may highlight (a word's source, a mention, a claim) is a run of whole pieces. That keeps Python's
offsets away from JavaScript's UTF-16 ones.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, get_args

from msgspec import Struct

from tatian.consolidation.render import Edition, Point, certain_type, is_listed, outcome_line
from tatian.formats.wiki import wikipedia_url
from tatian.text.layers import SourceKind

if TYPE_CHECKING:
    from tatian.consolidation.result import Account, Consolidation, Reference
    from tatian.text import Source
    from tatian.text.documents import Claim

KINDS: tuple[str, ...] = get_args(SourceKind)

Range = tuple[int, int]
"""Number of the first item, and of the first one after the last."""


class AccountPiece(Struct, frozen=True):
    """Smallest stretch of a source that is lit or not as a whole."""

    start: int
    end: int
    used: bool
    """True if the output draws on it."""
    disputed: bool
    """True if it is part of a claim that other sources contradict."""


class Pieces:
    """Pieces of all sources, numbered through in the order the page shows them."""

    def __init__(self, consolidation: Consolidation, points: Sequence[Point] = ()) -> None:
        words = (token for sentence in consolidation.sentences for token in sentence.tokens)
        used = _spans(word.sources for word in words)
        noted = [contradiction.claims for contradiction in consolidation.contradictions]
        disputed = _spans((*noted, *(point.claims for point in points)))
        other = _spans(chain.references for chain in consolidation.chains)
        self._pieces: dict[str, list[AccountPiece]] = {}
        self._first: dict[str, int] = {}
        count = 0
        for account in consolidation.documents:
            cut = list(_cut(account, used[account.id], disputed[account.id], other[account.id]))
            self._pieces[account.id] = cut
            self._first[account.id] = count
            count += len(cut)

    def within(self, document: str, start: int, end: int) -> list[AccountPiece]:
        """Return the pieces of one source between two offsets."""
        first, last = self._bounds(document, start, end)
        return self._pieces[document][first:last]

    def span(self, document: str, start: int, end: int) -> tuple[int, int]:
        """Return the numbers of the first piece of a stretch and of the first one after it."""
        first, last = self._bounds(document, start, end)
        return self._first[document] + first, self._first[document] + last

    def _bounds(self, document: str, start: int, end: int) -> tuple[int, int]:
        pieces = self._pieces[document]
        first = bisect_left(pieces, start, key=lambda piece: piece.start)
        return first, bisect_left(pieces, end, lo=first, key=lambda piece: piece.start)


def _spans(groups: Iterable[Iterable[Claim | Source | Reference]]) -> defaultdict[str, set[Range]]:
    """Return the ranges of places, by source."""
    spans: defaultdict[str, set[Range]] = defaultdict(set)
    for places in groups:
        for place in places:
            spans[place.document].add((place.start, place.end))
    return spans


def _cut(
    account: Account, used: set[Range], disputed: set[Range], other: set[Range]
) -> Iterator[AccountPiece]:
    """Cut a source wherever a span or sentence starts or ends, and yield what a span covers.

    Blanks are no pieces: between sentences the page does not print them, elsewhere it lights them
    when the pieces on both sides are lit.
    """
    sentences = {(sentence.start, sentence.end) for sentence in account.sentences}
    edges = sorted({edge for span in used | disputed | other | sentences for edge in span})
    in_used = _coverage(edges, used)
    in_disputed = _coverage(edges, disputed)
    in_other = _coverage(edges, other)
    for index, (start, end) in enumerate(pairwise(edges)):
        covered = in_used[index] or in_disputed[index] or in_other[index]
        if covered and not account.text[start:end].isspace():
            yield AccountPiece(start, end, in_used[index], in_disputed[index])


def _coverage(edges: list[int], spans: Iterable[tuple[int, int]]) -> list[bool]:
    """Return for each stretch between neighbouring edges whether one of the spans covers it."""
    change = dict.fromkeys(edges, 0)
    for start, end in spans:
        change[start] += 1
        change[end] -= 1
    depth = 0
    covered = []
    for edge in edges:
        depth += change[edge]
        covered.append(depth > 0)
    return covered


def page_data(edition: Edition, pieces: Pieces) -> dict[str, list[Any]]:
    """Return the data that the script needs when a reader points at something.

    A stretch of words or pieces is the number of its first and that of the first one after it.
    Sentences are counted through all sources.

    - ``kinds``: kinds of sources; ``accounts``: letter and name of each source document.
    - ``words``: for each, its sources: document, kind, first piece, piece after, sentence (or -1).
    - ``sentences``: document, number in it, text sentences that it went into, outcome, reason.
    - ``mentions``: first word, word after, chain, Wikipedia titles with their addresses.
    - ``chains``: name, type and pieces of each; ``disputes``: kind, reason, words, sentences of the
      text (``verses``) and claims, each a document, its first piece and the piece after.
    - ``groups``: groups of sentences that report the same thing.
    """
    consolidation = edition.consolidation
    finder = _SentenceFinder(edition)
    texts = {account.id: account.text for account in consolidation.documents}
    chain_numbers = {chain.id: number for number, chain in enumerate(consolidation.chains)}

    def pieces_of(place: Claim | Source | Reference) -> Range:
        return pieces.span(place.document, place.start, place.end)

    return {
        "kinds": [*KINDS],
        "accounts": [(witness.letter, witness.name) for witness in edition.witnesses],
        "words": [
            [
                (
                    edition.witness(source.document).index,
                    KINDS.index(source.kind),
                    *pieces_of(source),
                    finder.number(source.document, source.start),
                )
                for source in word.sources
            ]
            for word in edition.words
        ],
        "sentences": [
            (witness.index, number, sentence.into, outcome_line(sentence), sentence.why.strip())
            for witness in edition.witnesses
            for account in (witness.account,)
            for number, sentence in zip(account.numbers, account.sentences, strict=True)
        ],
        "mentions": [
            (
                *words_within(edition, mention.start, mention.end),
                chain_numbers[mention.chain],
                [(title, wikipedia_url(title)) for title in mention.titles],
            )
            for mention in consolidation.mentions
            if mention.chain in chain_numbers
            and is_listed(consolidation.chains[chain_numbers[mention.chain]])
        ],
        "chains": [
            {
                "name": chain.name,
                "type": certain_type(chain, texts),
                "pieces": [pieces_of(reference) for reference in chain.references],
            }
            for chain in consolidation.chains
        ],
        "disputes": [
            {
                "kind": point.kind,
                "why": point.why,
                "words": point.words,
                "verses": point.sentences,
                "claims": [
                    (edition.witness(claim.document).index, *pieces_of(claim))
                    for claim in point.claims
                ],
            }
            for point in edition.points
        ],
        "groups": [
            [finder.first(place.document) + place.sentence for place in group]
            for group in consolidation.groups
        ],
    }


def words_within(edition: Edition, start: int, end: int) -> Range:
    """Return the numbers of the output words that overlap a stretch of the text."""
    first = bisect_right(edition.words, start, key=lambda word: word.end)
    return first, bisect_left(edition.words, end, lo=first, key=lambda word: word.start)


class _SentenceFinder:
    """Finder of a sentence's number, counted through all sources, by offset in a source."""

    def __init__(self, edition: Edition) -> None:
        self._sentences: dict[str, tuple[int, list[Range]]] = {}
        count = 0
        for witness in edition.witnesses:
            spans = [(sentence.start, sentence.end) for sentence in witness.account.sentences]
            self._sentences[witness.account.id] = (count, spans)
            count += len(spans)

    def first(self, document: str) -> int:
        return self._sentences[document][0]

    def number(self, document: str, offset: int) -> int:
        first, spans = self._sentences[document]
        index = bisect_right(spans, offset, key=lambda span: span[0]) - 1
        inside = index >= 0 and offset < spans[index][1]
        return first + index if inside else -1
