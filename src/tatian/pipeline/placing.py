"""A resolver's chains on the mentions of a document: one extent for each name, none left out."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tatian.text import CHAINS, MENTIONS, WORDS, Chain, Document, Mention, Span


def place_chains(document: Document) -> Document:
    """Give the mentions of chains the extents of the `mentions` layer where their heads meet.

    A resolver's "Jonas Verrick, who steered," becomes the "Captain Jonas Verrick" that the detector
    found; a name that no chain has becomes a chain of its own; what is mentioned nowhere but inside
    a name, such as "Anna" in "Anna Holm", is no thing of its own. The layer keeps its author.
    """
    index = HeadIndex(document, document.get(MENTIONS))
    chains = document.get(CHAINS)
    taken: dict[Mention, tuple[int, Mention]] = {}
    for number, chain in enumerate(chains):
        for mention in chain.mentions:
            found = index.at(mention)
            if found is not None:
                rival = taken.get(found)
                if rival is None or _apart(mention, found) < _apart(rival[1], found):
                    taken[found] = (number, mention)
    place = {owner: found for found, owner in taken.items()}
    placed = [
        replace(chain, mentions=tuple(sorted({place.get((number, m), m) for m in chain.mentions})))
        for number, chain in enumerate(chains)
    ]
    placed = [chain for chain in placed if not _is_piece(chain, index)]
    lone = [mention for mention in document.get(MENTIONS) if mention not in taken]
    ids = _free_ids(document.id, chains)
    placed += [Chain(next(ids), (mention,), mention.type) for mention in lone]
    placed.sort(key=lambda chain: min(chain.mentions))
    return document.with_layer(CHAINS, placed, document.layers[CHAINS.name].made)


def _is_piece(chain: Chain, index: HeadIndex) -> bool:
    """Whether all that a chain has is a part of a name."""
    if len(chain.mentions) != 1:
        return False
    (only,) = chain.mentions
    name = index.at(only)
    if name is None or not name.type or name == only:
        return False
    whole = name.head or name
    return whole.contains(only) and len(whole) > len(only)


def _apart(one: Span, other: Span) -> int:
    """How far the ends of two spans lie apart."""
    return abs(one.start - other.start) + abs(one.end - other.end)


class HeadIndex:
    """Finds the mention that has its head where another one has."""

    def __init__(self, document: Document, mentions: Sequence[Mention]) -> None:
        self._document = document
        self._heads = sorted(
            (
                _Head(head.start, head.end, mention)
                for mention in mentions
                for head in (mention.head or Span(mention.start, mention.end),)
            ),
            key=lambda one: (one.start, one.end),
        )
        self._above: dict[int, int] = {}
        if document.has(WORDS):
            starts = [token.start for token in document.tokens]
            self._above = {
                starts[word.token]: starts[word.head] if word.head >= 0 else -1
                for word in document.get(WORDS)
            }

    def at(self, mention: Mention) -> Mention | None:
        """The mention whose head overlaps the head of this one; of several the shortest."""
        head = self._head(mention)
        last = bisect_left(self._heads, head.end, key=lambda one: one.start)
        near = [one for one in self._heads[max(0, last - _NEAR) : last] if one.end > head.start]
        return min(near, key=lambda one: (len(one.mention), one.mention)).mention if near else None

    def _head(self, mention: Mention) -> Span:
        """Its own head; without one, the word that hangs on none inside it, or all of it."""
        if mention.head is not None or not self._above:
            return mention.head or mention
        tokens = self._document.tokens_in(mention)
        starts = {token.start for token in tokens}
        tops = [token for token in tokens if self._above.get(token.start, 0) not in starts]
        return tops[0] if tops else mention


_NEAR = 8
"""Heads before a place that may reach across it."""


class _Head(Struct, frozen=True):
    start: int
    end: int
    mention: Mention


def _free_ids(document: str, chains: Sequence[Chain]) -> Iterator[str]:
    used = {chain.id for chain in chains}
    number = len(chains)
    while True:
        number += 1
        if f"{document}#{number}" not in used:
            yield f"{document}#{number}"
