"""Slots of an event that claims fill, such as the dead, those aboard or the time."""

from __future__ import annotations

from typing import Literal

from tatian.claims.claim import LISTS, Scope, StatedClaim
from tatian.claims.times import UNKNOWN
from tatian.text.content import concept

_SLOTS = tuple(frozenset(map(concept, line.split())) for line in LISTS["slots"].splitlines())
_ONSET = frozenset(map(concept, LISTS["onset"].split()))
_PEOPLE = concept("people")
_ABOARD = next(slot for slot in _SLOTS if concept("aboard") in slot)
_TIMES = ("clock", "date", "duration")
_CASUALTIES = _SLOTS[0] | _SLOTS[1]
_PARTS = frozenset(map(concept, "passenger crew member pilot tourist child instructor".split()))
"""Nouns for some of the people in an event."""
_LONG_AGO = 60
"""Days before publication beyond which something is not part of the reported event."""
MOST_MINUTES = 90
"""Most minutes between two clock times of one event."""
_LEAST_WORDS, _LEAST_WORDS_NAMED = 6, 3
"""Least shared words of two sentences on one event, without a shared name and with one."""


def compare_slots(first: StatedClaim, second: StatedClaim) -> Literal["once", "counted", ""]:
    """Return whether two claims fill one slot of an event, and whether its value may grow.

    Returns "once" for the times of an act, a magnitude and the number of those aboard, "counted"
    for figures that grow from day to day, and "" if the claims do not fill one slot.
    """
    is_one_event = first.kind == second.kind and _are_of_one_event(first.scope, second.scope)
    if not is_one_event or not _fill_one_slot(first, second):
        return ""
    is_single = first.kind in _TIMES or first.unit == "magnitude" or counts_aboard(first)
    return "once" if is_single and counts_aboard(first) == counts_aboard(second) else "counted"


def _are_of_one_event(first: Scope, second: Scope) -> bool:
    least = _LEAST_WORDS if first.names.isdisjoint(second.names) else _LEAST_WORDS_NAMED
    return is_long_past(first) == is_long_past(second) and len(first.words & second.words) >= least


def is_long_past(scope: Scope) -> bool:
    """Check whether a sentence is about something long before its publication."""
    day = (scope.published or UNKNOWN).toordinal()
    return any(day - high > _LONG_AGO for _, high, base in scope.periods if base or scope.published)


def counts_aboard(claim: StatedClaim) -> bool:
    """Check whether a claim counts those aboard, which does not grow."""
    heads = claim.scope.heads
    return claim.kind == "count" and not heads.isdisjoint(_ABOARD) and heads.isdisjoint(_CASUALTIES)


def _fill_one_slot(first: StatedClaim, second: StatedClaim) -> bool:
    left, right = first.scope, second.scope
    match first.kind:
        case "age":
            return bool(left.thing) and left.thing == right.thing
        case "duration" | "date":
            people = sorted((left.people, right.people), key=len)
            is_same = bool(people[0]) and people[0] <= people[1] and left.marker == right.marker
            return is_same and not left.heads.isdisjoint(right.heads)
        case "clock":
            heads = [scope.heads for scope in (left, right) if scope.heads]
            lows = [claim.interval.low for claim in (first, second) if claim.interval]
            is_near = max(lows) - min(lows) <= MOST_MINUTES
            return is_near and bool(heads) and all(map(_ONSET.intersection, heads))
        case "count" | "measure" | "money" | "share":
            things = {left.thing, right.thing}
            may_match = len(things) == 1 or not things.isdisjoint(("", _PEOPLE))
            is_same = first.kind != "count" or may_match
            slots = _find_slots(left)
            has_slot = first.unit == "magnitude" or bool(slots)
            is_same = is_same and not names_part(first, second)
            return is_same and has_slot and slots == _find_slots(right)
    return False


def begins_event(claim: StatedClaim) -> bool:
    """Check whether a claim is the clock time at which an event begins."""
    return claim.kind == "clock" and not claim.scope.heads.isdisjoint(_ONSET)


def find_topics(claim: StatedClaim) -> frozenset[tuple[str, ...]]:
    """Return topics of a figure that has one value in a story, to match those of two sources.

    They are the number of those aboard, the event's clock time, and the measures of something
    named. Times and measures beside another of their kind have none, nor have magnitudes: a story
    may have several quakes.
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


def _find_slots(scope: Scope) -> frozenset[int]:
    words = {*scope.heads, scope.thing, scope.noun}
    return frozenset(n for n, slot in enumerate(_SLOTS) if not slot.isdisjoint(words))
