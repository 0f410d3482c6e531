"""Matching of mentions of the response with mentions of the key, one to one.

Exact matching needs none of this. The other modes tolerate boundaries. Mentions that are exactly
alike are matched first, then as many of the others as possible, with the largest overlap.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from typing import Literal, NamedTuple, get_args

from tatian.scoring.assignment import assign

Match = Literal["exact", "min", "head", "partial"]
MATCHES: tuple[Match, ...] = get_args(Match)


class MentionPlace(NamedTuple):
    """Place of a mention, in offsets that the key and the response share."""

    start: int
    end: int
    bare: int
    """Start without the leading article."""
    head: tuple[int, int] | None
    """Minimal string or head without a leading article; None if unknown."""
    identity: Hashable
    """Value that is equal for an exact match: the boundaries of all its parts."""
    optional: bool = False

    @property
    def core(self) -> tuple[int, int]:
        """Part that a response must include: the minimal string, or else the whole."""
        return self.head or (self.bare, self.end)


def match(
    key: Sequence[MentionPlace], response: Sequence[MentionPlace], mode: Match
) -> dict[Hashable, Hashable]:
    """Map mentions of the response, by identity, to the identity of their key mention.

    Each side has each identity once.
    """
    identities = {place.identity for place in key}
    partners: dict[Hashable, Hashable] = {
        place.identity: place.identity for place in response if place.identity in identities
    }
    if mode == "exact":
        return partners
    wanted = sorted((place for place in key if place.identity not in partners), key=_order)
    answers = sorted((place for place in response if place.identity not in partners), key=_order)
    fits = _FITS[mode]
    longest = max((place.end - place.start for place in answers), default=0)
    starts = [place.start for place in answers]
    cells = [
        (row, column, 1 + _likeness(wanted_place, answers[column]) / (len(wanted) + 1))
        for row, wanted_place in enumerate(wanted)
        for column in range(
            bisect_left(starts, wanted_place.start - longest), bisect_left(starts, wanted_place.end)
        )
        if fits(wanted_place, answers[column])
    ]
    for row, column in assign(cells):
        partners[answers[column].identity] = wanted[row].identity
    return partners


def _order(place: MentionPlace) -> tuple[int, int, str]:
    return place.start, place.end, repr(place.identity)


def _likeness(first: MentionPlace, second: MentionPlace) -> float:
    """Return the share of their union that they have in common, by their outer boundaries."""
    shared = min(first.end, second.end) - max(first.start, second.start)
    return max(0, shared) / (max(first.end, second.end) - min(first.start, second.start))


def _fits_min(key: MentionPlace, response: MentionPlace) -> bool:
    """Return whether it has MIN and nothing beyond the tag, except articles (MUC-6 §1.4, §4.3)."""
    start, end = key.core
    return key.bare <= response.bare <= start and end <= response.end <= key.end


def _fits_head(key: MentionPlace, response: MentionPlace) -> bool:
    """Return whether the heads are equal; a response without a head must include the key's."""
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
