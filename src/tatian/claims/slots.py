"""Slots of an event: the dead, those aboard, the hour at which it happened."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from tatian.claims.claim import LISTS, Scope, StatedClaim
from tatian.claims.times import UNKNOWN
from tatian.text.content import concept

_SLOTS = tuple(frozenset(map(concept, line.split())) for line in LISTS["slots"].splitlines())
_ONSET = frozenset(map(concept, LISTS["onset"].split()))
_PEOPLE = concept("people")
_ABOARD = next(slot for slot in _SLOTS if concept("aboard") in slot)
_TIMES = ("clock", "date", "duration")
_HARMED = _SLOTS[0] | _SLOTS[1]
_PARTS = frozenset(map(concept, "passenger crew member pilot tourist child instructor".split()))
"""Nouns for some of the people in an event."""
_LONG_AGO = 60
"""Days before publication from which something is not of the event that is reported."""
_APART = 90
"""Most minutes between two hours that are given for one event."""
_SHARED, _SHARED_NAMED = 6, 3
"""Content words that two sentences of one event share: without a shared name, and with one."""


def compare_slots(
    first: StatedClaim, second: StatedClaim, *, one_event: bool = False
) -> Literal["once", "counted", ""]:
    """Return how often a slot of one event is filled, if both claims fill it.

    Filled once are the hour, a magnitude and the number of those aboard; others are counted on.
    Their sentences show that it is one event, unless this is known.
    """
    same = first.kind == second.kind and (one_event or _are_of_one_event(first.scope, second.scope))
    if not same or not _fill_one_slot(first, second):
        return ""
    once = first.kind in _TIMES or first.unit == "magnitude" or counts_aboard(first)
    return "once" if once and counts_aboard(first) == counts_aboard(second) else "counted"


def _are_of_one_event(first: Scope, second: Scope) -> bool:
    if _is_past(first) != _is_past(second):
        return False
    shared = len(first.words & second.words)
    return shared >= _SHARED or (
        shared >= _SHARED_NAMED and not first.names.isdisjoint(second.names)
    )


def _is_past(scope: Scope) -> bool:
    """Check whether a sentence is about something long before it was published."""
    day = (scope.published or UNKNOWN).toordinal()
    return any(day - high > _LONG_AGO for _, high, base in scope.periods if base)


def counts_aboard(claim: StatedClaim) -> bool:
    """Check whether a claim is how many were aboard, which does not grow from day to day."""
    heads = claim.scope.heads
    return claim.kind == "count" and not heads.isdisjoint(_ABOARD) and heads.isdisjoint(_HARMED)


def _fill_one_slot(first: StatedClaim, second: StatedClaim) -> bool:
    ours, theirs = first.scope, second.scope
    match first.kind:
        case "age":
            return bool(ours.thing) and ours.thing == theirs.thing
        case "duration" | "date":
            people = sorted((ours.people, theirs.people), key=len)
            same = bool(people[0]) and people[0] <= people[1] and ours.marker == theirs.marker
            return same and not ours.heads.isdisjoint(theirs.heads)
        case "clock":
            heads = [scope.heads for scope in (ours, theirs) if scope.heads]
            return bool(heads) and all(map(_ONSET.intersection, heads)) and _are_near(first, second)
        case "count" | "measure" | "money" | "share":
            things = {ours.thing, theirs.thing}
            same = first.kind != "count" or len(things) == 1 or not things.isdisjoint(("", _PEOPLE))
            slots = _slots(ours)
            if ours.noun != theirs.noun and not _PARTS.isdisjoint((ours.noun, theirs.noun)):
                return False
            return same and (first.unit == "magnitude" or bool(slots)) and slots == _slots(theirs)
    return False


def _are_near(first: StatedClaim, second: StatedClaim) -> bool:
    values = first.interval, second.interval
    return all(values) and abs(values[0].low - values[1].low) <= _APART  # type: ignore[union-attr]


def _slots(scope: Scope) -> frozenset[int]:
    return _slots_of(frozenset((*scope.heads, scope.thing, scope.noun)))


@lru_cache(maxsize=1 << 12)
def _slots_of(words: frozenset[str]) -> frozenset[int]:
    return frozenset(n for n, slot in enumerate(_SLOTS) if not slot.isdisjoint(words))
