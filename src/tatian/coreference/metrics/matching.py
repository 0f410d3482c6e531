"""Which mention of the response stands for which mention of the key: at most one for each.

Exact matching needs none of this. The other modes forgive boundaries; where several mentions would
do, those that are exactly alike are matched first, then as many of the others as possible, those
that overlap most if there is a choice.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from typing import Literal, NamedTuple, get_args

from tatian.scoring.assignment import assign

Match = Literal["exact", "min", "head", "partial"]
MATCHES: tuple[Match, ...] = get_args(Match)


class MentionPlace(NamedTuple):
    """Where a mention is, in offsets that the key and the response share."""

    start: int
    end: int
    bare: int
    """Where it starts without its leading article."""
    head: tuple[int, int] | None
    """The minimal string or head without a leading article; None if nothing says so."""
    identity: Hashable
    """What an exact match has in common: the boundaries of all its parts."""
    optional: bool = False

    @property
    def core(self) -> tuple[int, int]:
        """What a response must include: the minimal string, or else the whole."""
        return self.head or (self.bare, self.end)


def match(
    key: Sequence[MentionPlace], response: Sequence[MentionPlace], mode: Match
) -> dict[Hashable, Hashable]:
    """For mentions of the response, by identity, the identity of the key's mention they stand for.

    Each side has each identity once.
    """
    known = {place.identity for place in key}
    found: dict[Hashable, Hashable] = {
        place.identity: place.identity for place in response if place.identity in known
    }
    if mode == "exact":
        return found
    wanted = sorted((place for place in key if place.identity not in found), key=_order)
    given = sorted((place for place in response if place.identity not in found), key=_order)
    fits = _FITS[mode]
    longest = max((place.end - place.start for place in given), default=0)
    starts = [place.start for place in given]
    cells = [
        (row, column, 1 + _likeness(one, given[column]) / (len(wanted) + 1))
        for row, one in enumerate(wanted)
        for column in range(bisect_left(starts, one.start - longest), bisect_left(starts, one.end))
        if fits(one, given[column])
    ]
    for row, column in assign(cells):
        found[given[column].identity] = wanted[row].identity
    return found


def _order(place: MentionPlace) -> tuple[int, int, str]:
    return place.start, place.end, repr(place.identity)


def _likeness(one: MentionPlace, other: MentionPlace) -> float:
    """What they share of what they cover together, by their outer boundaries."""
    shared = min(one.end, other.end) - max(one.start, other.start)
    return max(0, shared) / (max(one.end, other.end) - min(one.start, other.start))


def _fits_min(key: MentionPlace, response: MentionPlace) -> bool:
    """MUC-6 §1.4 and §4.3: it includes MIN and nothing beyond the tag, leading articles aside."""
    start, end = key.core
    return key.bare <= response.bare <= start and end <= response.end <= key.end


def _fits_head(key: MentionPlace, response: MentionPlace) -> bool:
    """The same head; a response that names no head must include the key's."""
    if response.head is not None:
        return response.head == key.core
    start, end = key.core
    return response.start <= start and end <= response.end


def _fits_partly(key: MentionPlace, response: MentionPlace) -> bool:
    return key.start < response.end and response.start < key.end


_FITS: dict[Match, Callable[[MentionPlace, MentionPlace], bool]] = {
    "min": _fits_min,
    "head": _fits_head,
    "partial": _fits_partly,
}
