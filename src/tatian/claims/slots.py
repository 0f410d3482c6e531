"""Slots of an event: the dead, those aboard, the hour at which it happened."""

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
_HARMED = _SLOTS[0] | _SLOTS[1]
_PARTS = frozenset(map(concept, "passenger crew member pilot tourist child instructor".split()))
"""Nouns for some of the people in an event."""
_LONG_AGO = 60
"""Days before publication from which something is not of the event that is reported."""
_APART = 90
"""Most minutes between two hours that are given for one event."""
_SHARED, _SHARED_NAMED = 6, 3
"""Content words that two sentences of one event share: without a shared name, and with one."""


def compare_slots(first: StatedClaim, second: StatedClaim) -> Literal["once", "counted", ""]:
    """Return how often a slot of one event is filled, if both claims fill it.

    Filled once are the times of an act, a magnitude and the number of those aboard. Others are
    counted on.
    """
    same = first.kind == second.kind and _are_of_one_event(first.scope, second.scope)
    if not same or not _fill_one_slot(first, second):
        return ""
    once = first.kind in _TIMES or first.unit == "magnitude" or counts_aboard(first)
    return "once" if once and counts_aboard(first) == counts_aboard(second) else "counted"


def _are_of_one_event(first: Scope, second: Scope) -> bool:
    least = _SHARED if first.names.isdisjoint(second.names) else _SHARED_NAMED
    return _is_past(first) == _is_past(second) and len(first.words & second.words) >= least


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
            lows = [claim.interval.low for claim in (first, second) if claim.interval]
            near = max(lows) - min(lows) <= _APART
            return near and bool(heads) and all(map(_ONSET.intersection, heads))
        case "count" | "measure" | "money" | "share":
            things, nouns = {ours.thing, theirs.thing}, {ours.noun, theirs.noun}
            same = first.kind != "count" or len(things) == 1 or not things.isdisjoint(("", _PEOPLE))
            parts = len(nouns) == 2 and not _PARTS.isdisjoint(nouns)
            slots = _slots_of(ours)
            filled = first.unit == "magnitude" or bool(slots)
            return same and not parts and filled and slots == _slots_of(theirs)
    return False


def _slots_of(scope: Scope) -> frozenset[int]:
    words = {*scope.heads, scope.thing, scope.noun}
    return frozenset(n for n, slot in enumerate(_SLOTS) if not slot.isdisjoint(words))
