"""Accounts cut at every boundary a reader may want lit, so that a page only switches classes on.

The page never counts characters: whatever it may highlight (a word's source, a mention, a claim)
is a run of whole pieces. That keeps Python's offsets away from JavaScript's UTF-16 ones.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from tatian.consolidation.render.edition import Point
    from tatian.consolidation.result import Account, Consolidation


class Piece(Struct, frozen=True):
    """The smallest stretch of an account that is lit or not as a whole."""

    start: int
    end: int
    used: bool
    """Whether the output draws on it."""
    disputed: bool
    """Whether it is part of a claim that other accounts contradict."""


class Pieces:
    """The pieces of all accounts, numbered through in the order the page shows them."""

    def __init__(self, consolidation: Consolidation, points: Sequence[Point] = ()) -> None:
        used: dict[str, set[tuple[int, int]]] = {}
        disputed: dict[str, set[tuple[int, int]]] = {}
        other: dict[str, set[tuple[int, int]]] = {}
        for sentence in consolidation.sentences:
            for token in sentence.tokens:
                for source in token.sources:
                    used.setdefault(source.document, set()).add((source.start, source.end))
        noted = [found.claims for found in consolidation.contradictions]
        for claims in (*noted, *(point.claims for point in points)):
            for claim in claims:
                disputed.setdefault(claim.document, set()).add((claim.start, claim.end))
        for chain in consolidation.chains:
            for reference in chain.references:
                other.setdefault(reference.document, set()).add((reference.start, reference.end))
        self._pieces: dict[str, list[Piece]] = {}
        self._first: dict[str, int] = {}
        count = 0
        for account in consolidation.documents:
            cut = list(
                _cut(
                    account,
                    used.get(account.id, set()),
                    disputed.get(account.id, set()),
                    other.get(account.id, set()),
                )
            )
            self._pieces[account.id] = cut
            self._first[account.id] = count
            count += len(cut)

    def within(self, document: str, start: int, end: int) -> list[Piece]:
        """The pieces of one account between two offsets."""
        first, last = self._bounds(document, start, end)
        return self._pieces[document][first:last]

    def span(self, document: str, start: int, end: int) -> tuple[int, int]:
        """The numbers of the first piece of a stretch and of the first one after it."""
        first, last = self._bounds(document, start, end)
        return self._first[document] + first, self._first[document] + last

    def _bounds(self, document: str, start: int, end: int) -> tuple[int, int]:
        pieces = self._pieces[document]
        first = bisect_left(pieces, start, key=lambda piece: piece.start)
        return first, bisect_left(pieces, end, lo=first, key=lambda piece: piece.start)


def _cut(
    account: Account,
    used: set[tuple[int, int]],
    disputed: set[tuple[int, int]],
    other: set[tuple[int, int]],
) -> Iterator[Piece]:
    """Every stretch that some span covers, cut wherever a span or sentence starts or ends.

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
            yield Piece(start, end, in_used[index], in_disputed[index])


def _coverage(edges: list[int], spans: Iterable[tuple[int, int]]) -> list[bool]:
    """For each stretch between neighbouring edges, whether one of the spans covers it."""
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
