"""Comparison of two claims: equal, entailing, excluding each other, superseded, or unrelated."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import exp, inf, log
from typing import Literal

from msgspec import Struct

from tatian.claims.claim import (
    LISTS,
    ClaimComparison,
    Relation,
    Scope,
    StatedClaim,
    ValueRange,
    compare_intervals,
)
from tatian.claims.names import compare_names
from tatian.claims.quantities import compare_orders, compare_scores
from tatian.claims.slots import counts_aboard
from tatian.claims.times import Period, align_days, apart_in_time, compare_clocks
from tatian.text.content import concept

Value = Literal["equal", "entails", "entailed", "exclude", "overlap", "variant", ""]
"""Relation of two values; "" if they cannot be compared."""

_GROWING = frozenset(map(concept, LISTS["growing"].split()))
"""Acts and nouns whose figures grow from day to day."""
_REVISED = frozenset(map(concept, LISTS["revised"].split()))
_CHILDREN = frozenset(map(concept, "child children son daughter kids".split()))
_TIME_CONCEPT = concept("time")  # "for the third time"
Opposites = Mapping[str, frozenset[tuple[int, int]]]
"""Groups of opposites that a word belongs to: the numbers of the family and of the group."""


def _read_opposites(name: str) -> Opposites:
    """Read families of groups of words; the groups of a family exclude each other."""
    places: defaultdict[str, set[tuple[int, int]]] = defaultdict(set)
    for number, family in enumerate(LISTS[name].splitlines()):
        for group, words in enumerate(family.split("; ")):
            for word in words.split():
                places[concept(word)].add((number, group))
    return {word: frozenset(of_word) for word, of_word in places.items()}


_OPPOSED_ACTS, _CONTRASTS = map(_read_opposites, ("families", "contrasts"))


def compare(
    first: StatedClaim,
    second: StatedClaim,
    likeness: float | None = None,
    bound: float | None = None,
) -> ClaimComparison:
    """Return the relation of the first claim to the second.

    `likeness` is the model's log-odds that they are about the same thing; without it, only words
    decide. `bound` replaces the least probability for claims that exclude each other.
    """
    value, reason = compare_values(first, second)
    if not value:
        return ClaimComparison("unrelated", reason)
    if barrier := find_barrier(first, second, value):
        return ClaimComparison("unrelated", barrier)
    least = _LEAST_WORDS if likeness is None else _LEAST
    relation: Relation
    if value not in ("exclude", "overlap"):
        relation = "equal" if value == "variant" else value  # type: ignore[assignment]
        threshold = least["equal"]
    elif value == "exclude" and may_supersede(first, second):
        relation, threshold = "superseded", least["superseded"]
        reason = "a figure that changed between the sources' days"
    else:
        relation = "unrelated" if value == "overlap" else "exclude"
        threshold = least["exclude"] if bound is None else bound
    if same_thing_chance(first, second, value, likeness) < threshold:
        return ClaimComparison("unrelated", f"{reason}, but hardly about the same thing")
    return ClaimComparison(relation, reason)


def compare_values(first: StatedClaim, second: StatedClaim) -> tuple[Value, str]:
    """Return the relation of two values, and the reason; what they are about is ignored."""
    if first.kind == "name" or second.kind == "name":
        if first.kind != second.kind:
            return "", "a name and a figure"
        return _compare_named(first, second)
    if first.interval is None or second.interval is None or not _are_comparable(first, second):
        return "", "different kinds of figures"
    left, right = first.interval, second.interval
    if first.kind == "clock":
        relation = compare_clocks(left, first.unit, right, second.unit)
        return _explain(relation, "time of day") if relation else ("", "times of different zones")
    if first.kind == "date":
        return _compare_dates(first, second)
    if first.kind == "score":
        return _explain(compare_scores(first.unit, left, second.unit, right), "score")
    if "order" in (first.kind, second.kind):
        return _explain(compare_orders(first, second), "order")
    is_rough = first.kind != "duration" or not (left.exact and right.exact)
    is_converted = is_rough and len({first.written, second.written} - {""}) > 1
    return _explain(compare_intervals(left, right, converted=is_converted), "figure")


_REASONS = {"equal": "the same {}", "entails": "a more exact {}", "entailed": "a less exact {}"}
_REASONS |= {"exclude": "different {}s", "overlap": "{}s that may agree", "": "other events"}


def _explain(relation: str, noun: str) -> tuple[Value, str]:
    reason = _REASONS[relation].format(noun).replace("time of days", "times of day")
    return relation, reason  # type: ignore[return-value]


def _are_comparable(first: StatedClaim, second: StatedClaim) -> bool:
    things = {first.scope.thing, second.scope.thing}
    if first.kind == second.kind:
        if first.kind in ("money", "measure", "family"):
            return first.unit == second.unit
        is_one_thing = len(things) == 1 or not things.isdisjoint(("", _TIME_CONCEPT))
        shares_head = not first.scope.heads.isdisjoint(second.scope.heads)
        return first.kind != "ordinal" or is_one_thing or shares_head
    kinds = {first.kind, second.kind}
    if kinds == {"order", "duration"}:
        order = first.interval if first.kind == "order" else second.interval
        is_open = order is None or {abs(order.low), abs(order.high)} == {1, inf}  # "after the vote"
        return not is_open
    counts = (claim.scope.thing for claim in (first, second) if claim.kind == "count")
    if kinds == {"count", "age"}:
        return "" in counts
    return kinds == {"count", "family"} and not _CHILDREN.isdisjoint(counts)


def _compare_named(first: StatedClaim, second: StatedClaim) -> tuple[Value, str]:
    relation, reason = compare_names(first.name, second.name)
    is_one_kind = first.unit == second.unit
    if relation in ("equal", "entails", "entailed") or (relation == "variant" and is_one_kind):
        return relation, reason  # type: ignore[return-value]
    return ("exclude", reason) if is_one_kind else ("", "names of different kinds")


def _compare_dates(first: StatedClaim, second: StatedClaim) -> tuple[Value, str]:
    """Compare two dates, unless that requires an unknown day of publication."""
    intervals = align_days(
        _period(first), first.scope.published, _period(second), second.scope.published
    )
    if intervals is None and first.stated.lower() == second.stated.lower():
        return _explain("equal", "time")
    if intervals is None:
        return "", "times that cannot be compared without the days of publication"
    sides = [claim.relative.split(" ")[-1] for claim in (first, second)]
    if sides != ["until", "until"]:
        intervals = _extend_to_side(intervals[0], sides[0]), _extend_to_side(intervals[1], sides[1])
    return _explain(compare_intervals(*intervals), "time")


def _period(claim: StatedClaim) -> Period:
    assert claim.interval is not None
    return claim.interval.low, claim.interval.high, claim.relative.split(" ")[0]


def _extend_to_side(interval: ValueRange, side: str) -> ValueRange:
    """Extend days to all earlier or later ones if "before", "until" or "after" precedes them."""
    if side in ("before", "until"):
        return ValueRange(0, interval.high, True)
    return ValueRange(interval.low, 1e7, True) if side == "after" else interval


BIRTHDAY = "time may have changed it"
"""Barrier between two ages of sources whose days are unknown or far apart."""


def find_barrier(first: StatedClaim, second: StatedClaim, value: Value) -> str:
    """Return why two claims cannot be about the same thing, "" if they may be."""
    left, right = first.scope, second.scope
    differs = value in ("exclude", "overlap")
    given_together = first.value in right.sentence_values or second.value in left.sentence_values
    if differs and given_together and not may_supersede(first, second):
        return "a sentence gives both"
    if first.kind == "name" and not differs:
        return ""
    words = {*left.words, left.thing}, {*right.words, right.thing}
    if first.kind == "age":  # "a man of 40"
        for concepts, claim in zip(words, (first, second), strict=True):
            concepts.update(map(concept, claim.text.split()))
    if _are_opposed(*words, _CONTRASTS) or _are_opposed({left.noun}, {right.noun}, _CONTRASTS):
        return "each has a word that the other has the opposite of"
    if first.kind == "name":
        return ""
    acts = {*(left.heads or left.words), left.thing}, {*(right.heads or right.words), right.thing}
    if first.kind != "score" and _are_opposed(*acts, _OPPOSED_ACTS):
        return "different acts"
    may_change = first.kind in ("date", "order") or may_supersede(first, second)
    if not may_change and apart_in_time(left, right):
        return "different times"
    if differs and _have_other_participants(left, right):
        return "different participants"
    has_others = left.people - right.people and right.people - left.people
    if not differs and has_others and first.kind in ("age", "family"):
        return "different people"
    return BIRTHDAY if differs and _is_birthday(first, second) else ""


def _have_other_participants(first: Scope, second: Scope) -> bool:
    """Check whether each of two sentences names a participant of one type that the other lacks."""
    left, right = (
        {kind for kind, words in scope.participants if words.isdisjoint(other.names | other.words)}
        for scope, other in ((first, second), (second, first))
    )
    return not left.isdisjoint(right)


def _is_planned(claim: StatedClaim) -> bool:
    """Check whether a time is in the future, by its day or by the verb."""
    day, interval = claim.scope.published, claim.interval
    if claim.kind == "date" and day is not None and interval is not None:
        return int(interval.low) > day.toordinal()
    return claim.scope.planned


def _are_opposed(first: Iterable[str], second: Iterable[str], opposites: Opposites) -> bool:
    """Check whether concepts are in different groups of a family: "injured" and "dead"."""
    left, right = (
        frozenset[tuple[int, int]]().union(*(opposites.get(word, ()) for word in words))
        for words in (first, second)
    )
    shared = {family for family, _ in left & right}
    return not {family for family, _ in left}.isdisjoint({f for f, _ in right} - shared)


_BIRTHDAY_DAYS = 31
"""Most days between two sources at which a birthday is ignored."""


def _is_birthday(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether a birthday between the two sources can explain the difference of two ages."""
    if first.kind != "age" or first.interval is None or second.interval is None:
        return False
    day, other = first.scope.published, second.scope.published
    days_apart = abs((day - other).days) if day and other else _BIRTHDAY_DAYS + 1
    years = abs(first.interval.low - second.interval.low)
    return days_apart > _BIRTHDAY_DAYS and years <= 1 + days_apart // 365


def is_unknown_day(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether one claim's day is after the other's publication, though the other is past."""
    return any(
        claim.interval is not None
        and other.scope.published is not None
        and int(claim.interval.low) > other.scope.published.toordinal()
        and not _is_planned(other)
        for claim, other in ((first, second), (second, first))
    )


def agree(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two values can both be true of the same thing."""
    return compare_values(first, second)[0] not in ("", "exclude")


def about_one(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two claims are about the same thing: no barrier, and shared thing and governor.

    Claims without any governors pass.
    """
    value, _ = compare_values(first, second)
    if not value or first.scope.thing != second.scope.thing:
        return False
    heads = first.scope.heads, second.scope.heads
    return not find_barrier(first, second, value) and (
        not (heads[0] or heads[1]) or not heads[0].isdisjoint(heads[1])
    )


def may_supersede(first: StatedClaim, second: StatedClaim, *, rough: bool = False) -> bool:
    """Check whether a figure or plan may have changed between two sources.

    With `rough`, a toll with a bound ("at least 12") may have changed even within a day.
    """
    left, right = first.scope, second.scope
    days = [(day.month, day.day) for day in (left.issued, right.issued) if day is not None]
    is_other_day = len(days) == 2 and days[0] != days[1]
    if first.kind == "date":
        return is_other_day and _is_planned(first) and _is_planned(second)
    if first.kind not in ("count", "money", "measure", "share", "score"):
        return False
    if counts_aboard(first) or counts_aboard(second):
        return False
    is_running = left.running or right.running
    acts = left.heads | right.heads
    if first.kind == "count":
        acts |= left.words | right.words
    is_growing = not _GROWING.isdisjoint(acts)
    is_other_day = is_other_day or (is_running and apart_in_time(left, right))
    is_revised = not _REVISED.isdisjoint(left.words | right.words)
    is_rough = rough and any(c.interval is not None and c.interval.bounded for c in (first, second))
    is_rough = is_rough and not _GROWING.isdisjoint(left.heads & right.heads)
    has_changed = is_other_day and (is_growing or is_running or is_revised)
    return has_changed or is_rough


class SameThingWeights(Struct, frozen=True):
    """Weights of a logistic regression, in log-odds.

    Those of differing values were fitted on pairs that the model never saw.
    """

    constant: float
    """Log-odds if all other terms are 0."""
    model: float
    """Weight of the model's log-odds."""
    words: float
    """Weight of the share of the sentences' content words that both have."""
    distance: float = 0.0
    """Weight of the distance of differing figures: the logarithm of their ratio."""


_AGREEING = SameThingWeights(constant=1.25, model=1.15, words=0.5)
_DIFFERING = SameThingWeights(constant=-0.95, model=0.75, words=2.45, distance=-1.65)
_AGREEING_WORDS = SameThingWeights(constant=0.6, model=0.0, words=5.7)
_DIFFERING_WORDS = SameThingWeights(constant=-2.4, model=0.0, words=5.7)
"""Weights without the model."""
_LEAST = {"equal": 0.55, "exclude": 0.79, "superseded": 0.45}
_LEAST_WORDS = {"equal": 0.6, "exclude": 0.75, "superseded": 0.6}
"""Least probability for a relation, with the model and without; "equal" is also for entailment."""
_RATIO_KINDS = frozenset(("count", "money", "share", "measure", "duration", "age", "family"))
"""Kinds of figures whose distance is measured."""
_CHANGING_DISTANCE = 0.45
"""Distance of figures that may have changed, whatever their ratio."""


def same_thing_chance(
    first: StatedClaim, second: StatedClaim, value: Value, likeness: float | None
) -> float:
    """Return the probability that two claims are about the same thing."""
    differs = value in ("exclude", "overlap")
    if likeness is None:
        weights = _DIFFERING_WORDS if differs else _AGREEING_WORDS
    else:
        weights = _DIFFERING if differs else _AGREEING
    left, right = first.scope.words, second.scope.words
    odds = weights.constant + weights.model * (likeness or 0.0)
    odds += weights.words * len(left & right) / max(1, len(left | right))
    odds += weights.distance * _measure_distance(first, second) if weights.distance else 0.0
    return 1 / (1 + exp(-odds))


def _measure_distance(first: StatedClaim, second: StatedClaim) -> float:
    """Return the absolute logarithm of the ratio of two figures.

    It is `_CHANGING_DISTANCE` if they may have changed, and 0 for kinds without a size.
    """
    if may_supersede(first, second):
        return _CHANGING_DISTANCE
    left, right = first.interval, second.interval
    if first.kind not in _RATIO_KINDS or not left or not right or min(left.low, right.low) <= 0:
        return 0.0
    return abs(log(left.low / right.low))
