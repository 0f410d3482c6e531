"""Where growing mentions end up when no two may share a place, and none may cross another."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from tatian.text import Chain, Mention, Span

Fate = Literal["grown", "merged", "taken", "crossing"]
_Place = tuple[int, int]


class Settled(Struct, frozen=True):
    """The mentions' new places and what became of those that wanted to grow."""

    places: dict[Mention, Span]
    """Of all mentions but the merged ones."""
    fates: dict[Mention, Fate]
    merged: dict[Mention, Mention]
    """Which mention of the same chain stands where a mention would have been."""


def settle(chains: Sequence[Chain], wanted: dict[Mention, Span]) -> Settled:
    """Let the mentions grow one by one, the longest first.

    Whoever marked more of a phrase meant the phrase, so that a longer mention has the first claim
    on it; those that do not want to grow have the very first.
    """
    owner = {mention: chain.id for chain in chains for mention in chain.mentions}
    old = {mention: Span(mention.start, mention.end) for mention in owner}
    places = {mention: old[mention] for mention in owner if wanted[mention] == old[mention]}
    at = {(span.start, span.end): mention for mention, span in places.items()}
    spans = _Spans(old.values())
    fates: dict[Mention, Fate] = {}
    merged: dict[Mention, Mention] = {}
    growing = [mention for mention in owner if mention not in places]
    for mention in sorted(growing, key=lambda one: (-len(one), one.start)):
        span = wanted[mention]
        spans.remove(old[mention])
        other = at.get((span.start, span.end))
        if other is not None and owner[other] == owner[mention]:
            fates[mention], merged[mention] = "merged", other
            continue
        if other is not None:
            fates[mention] = "taken"
        elif spans.cross(span):
            fates[mention] = "crossing"
        else:
            fates[mention] = "grown"
        places[mention] = span if fates[mention] == "grown" else old[mention]
        spans.add(places[mention])
        at[places[mention].start, places[mention].end] = mention
    return Settled(places, fates, merged)


class _Spans:
    """Spans by start and by end, so that those which cross one are found among its neighbours."""

    def __init__(self, spans: Iterable[Span]) -> None:
        listed = list(spans)
        self._by_start = sorted((span.start, span.end) for span in listed)
        self._by_end = sorted((span.end, span.start) for span in listed)

    def add(self, span: Span) -> None:
        insort(self._by_start, (span.start, span.end))
        insort(self._by_end, (span.end, span.start))

    def remove(self, span: Span) -> None:
        self._by_start.pop(bisect_left(self._by_start, (span.start, span.end)))
        self._by_end.pop(bisect_left(self._by_end, (span.end, span.start)))

    def cross(self, span: Span) -> bool:
        """Whether a span begins inside this one and ends behind it, or the other way round."""
        first = bisect_right(self._by_start, (span.start, span.end))
        last = bisect_left(self._by_start, (span.end, 0))
        if any(end > span.end for start, end in self._by_start[first:last] if start > span.start):
            return True
        first = bisect_right(self._by_end, (span.start, span.end))
        last = bisect_left(self._by_end, (span.end, 0))
        return any(start < span.start for _, start in self._by_end[first:last])
