"""Figures that have only one value in a story, such as the number aboard, and counts of parts."""

from __future__ import annotations

from tatian.claims.claim import LISTS, Scope, StatedClaim
from tatian.claims.times import UNKNOWN
from tatian.text.content import concept

_ABOARD, _CASUALTIES, _ONSET, _PARTS = (
    frozenset(map(concept, LISTS[name].split()))
    for name in ("aboard", "casualties", "onset", "parts")
)
_LONG_AGO = 60
"""Days before publication beyond which something is not part of the reported event."""
MOST_MINUTES = 90
"""Most minutes between two clock times of one event."""


def is_long_past(scope: Scope) -> bool:
    """Check whether a sentence is about something long before its publication."""
    day = (scope.published or UNKNOWN).toordinal()
    return any(day - high > _LONG_AGO for _, high, base in scope.periods if base or scope.published)


def counts_aboard(claim: StatedClaim) -> bool:
    """Check whether a claim counts those aboard, which does not grow."""
    heads = claim.scope.heads
    return claim.kind == "count" and not heads.isdisjoint(_ABOARD) and heads.isdisjoint(_CASUALTIES)


def begins_event(claim: StatedClaim) -> bool:
    """Check whether a claim is the clock time at which an event begins."""
    return claim.kind == "clock" and not claim.scope.heads.isdisjoint(_ONSET)


def find_topics(claim: StatedClaim) -> frozenset[tuple[str, ...]]:
    """Return the topics on which a source should have only one figure; empty if there are none.

    Topics are the number aboard, the event's clock time, and measures, by unit and thing or name.
    A figure has none if its sentence gives another one of the same thing or kind. Magnitudes have
    none, as a story may have several quakes.
    """
    scope, value = claim.scope, claim.value
    if counts_aboard(claim):
        return frozenset({("aboard",)})
    if value is None or sum(other[0] == value[0] for other in scope.sentence_values) > 1:
        return frozenset()
    if begins_event(claim):
        return frozenset({("clock",)})
    is_measure = claim.kind == "measure" and claim.unit != "magnitude"
    words = {scope.thing, *scope.names} - {""} if is_measure else ()
    return frozenset((claim.unit, word) for word in words)


def names_part(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two counts name some of the people by different nouns: "passengers", "crew"."""
    nouns = {first.scope.noun, second.scope.noun}
    return len(nouns) == 2 and not _PARTS.isdisjoint(nouns)
