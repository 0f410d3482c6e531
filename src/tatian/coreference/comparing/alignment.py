"""The chains of a response at their places in the text of its key."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

import msgspec

from tatian.coreference.metrics.aligning import are_tables, shared_characters
from tatian.text import CHAINS, Chain, Document, Mention, Span

Move = Callable[[Span], Span]


def moved_chains(response: Document, key: Document) -> tuple[Chain, ...]:
    """The response's chains as chains of the key's text.

    The two may differ in white space and in what is not annotated, and two tables of words in the
    words themselves, as in scoring; other texts are refused.
    """
    chains = response.get(CHAINS)
    if response.text == key.text:
        return chains
    if are_tables(key, response):
        move = _mover(response.tokens, key.tokens)
    else:
        ours, theirs = shared_characters(key, response)
        move = _mover(_characters(theirs), _characters(ours))
    return tuple(
        msgspec.structs.replace(
            chain, mentions=tuple(_moved(mention, move) for mention in chain.mentions)
        )
        for chain in chains
    )


def _characters(places: Sequence[int]) -> list[Span]:
    return [Span(place, place + 1) for place in places]


def _mover(ours: Sequence[Span], theirs: Sequence[Span]) -> Move:
    """From places among some pieces of a text to those among as many pieces of another."""
    starts, ends = [one.start for one in ours], [one.end for one in ours]

    def move(span: Span) -> Span:
        first = bisect_right(ends, span.start)
        last = bisect_left(starts, span.end) - 1
        if first > last:
            place = theirs[first].start if first < len(theirs) else theirs[-1].end if theirs else 0
            return Span(place, place)
        return Span(theirs[first].start, theirs[last].end)

    return move


def _moved(mention: Mention, move: Move) -> Mention:
    whole = move(mention)
    return msgspec.structs.replace(
        mention,
        start=whole.start,
        end=whole.end,
        head=move(mention.head) if mention.head is not None else None,
        parts=tuple(move(part) for part in mention.parts),
    )
