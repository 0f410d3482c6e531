"""When a fact holds: ISO dates of any precision, compared as far as both are precise."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tatian.knowledge.entities import Fact

_DATE = re.compile(r"([+-]?\d{1,9})(?:-(\d{1,2}))?(?:-(\d{1,2}))?")


def holds(fact: Fact, at: str) -> bool:
    """Whether `fact` is true at the day, month or year `at`; unknown bounds hold always."""
    when = _parts(at)
    begun = _order(_parts(fact.since), when) <= 0
    return begun and _order(when, _parts(fact.until)) <= 0


def preferred(facts: Iterable[Fact], at: str) -> tuple[Fact, ...]:
    """Of every relation the facts that hold at `at`, or all of it where none does."""
    kept = tuple(facts)
    current = {fact.relation for fact in kept if holds(fact, at)}
    return tuple(fact for fact in kept if fact.relation not in current or holds(fact, at))


def _parts(date: str) -> tuple[int, ...]:
    match = _DATE.match(date.strip())
    return tuple(int(part) for part in match.groups() if part) if match else ()


def _order(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """Negative, zero or positive as `one` is before, not told apart from, or after `other`."""
    shared = min(len(one), len(other))
    return (one[:shared] > other[:shared]) - (one[:shared] < other[:shared])
