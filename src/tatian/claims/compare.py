"""Comparison of two claims: equal, entailing, excluding each other, superseded, or unrelated."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import exp, inf, log
from typing import Literal

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
from tatian.claims.quantities import (
    compare_orders,
    compare_scores,
    have_other_ordinals,
    written_unit,
)
from tatian.claims.slots import compare_slots, counts_aboard
from tatian.claims.times import Period, align_days, apart_in_time, compare_clocks
from tatian.claims.weights import WITH_MODEL, WORDS_ALONE
from tatian.text.content import concept

Value = Literal["equal", "entails", "entailed", "exclude", "overlap", "variant", "apart", ""]
"""Relation of two values; "" for values of different kinds."""

_GROWING = frozenset(map(concept, LISTS["growing"].split()))
"""Acts and nouns whose figures grow from day to day."""
_RISING = frozenset(map(concept, LISTS["rising"].split()))
_REVISED = frozenset(map(concept, LISTS["revised"].split()))
_CHILDREN = frozenset(map(concept, "child children son daughter kids".split()))
_TIME_CONCEPT = concept("time")  # "for the third time"


def _read_families(name: str) -> tuple[tuple[frozenset[str], ...], ...]:
    return tuple(
        tuple(frozenset(map(concept, acts.split())) for acts in family.split("; "))
        for family in LISTS[name].splitlines()
    )


_ACTS, _THINGS, _DEALS, _CONTRASTS = map(_read_families, "families things deals contrasts".split())
"""Families of groups of words; the groups of a family exclude each other."""
_RELATIVES = frozenset(map(concept, LISTS["relatives"].split()))
Places = Mapping[str, list[tuple[int, int]]]
"""Places of a word in families of groups: numbers of the family and of the group in it."""


def _find_places(families: Iterable[tuple[frozenset[str], ...]]) -> Places:
    places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, family in enumerate(families):
        for word, group in ((word, n) for n, words in enumerate(family) for word in words):
            places[word].append((number, group))
    return places


_CONTRASTING, _EXCLUDING, _DEALING = map(_find_places, (_CONTRASTS, (*_ACTS, *_THINGS), _DEALS))


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
    if value in ("", "apart"):
        return ClaimComparison("unrelated", reason)
    if barrier := find_barrier(first, second, value):
        return ClaimComparison("unrelated", barrier)
    probability = same_thing_chance(first, second, value, likeness)
    agrees = value not in ("exclude", "overlap")
    is_change = value == "exclude" and may_supersede(first, second)
    weights = WORDS_ALONE if likeness is None else WITH_MODEL
    least_exclusive = weights.bounds[1] if bound is None else bound
    if probability < (weights.bounds[0] if agrees or is_change else least_exclusive):
        return ClaimComparison("unrelated", f"{reason}, but hardly about the same thing")
    if value == "overlap":
        return ClaimComparison("unrelated", reason)
    if value == "variant":
        return ClaimComparison("equal", reason)
    relation: Relation = value  # type: ignore[assignment]
    if is_change:
        return ClaimComparison("superseded", "a figure that changed between the sources' days")
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
    is_converted = is_rough and len({written_unit(first), written_unit(second)} - {""}) > 1
    return _explain(compare_intervals(left, right, converted=is_converted), "figure")


_REASONS = {"equal": "the same {}", "entails": "a more exact {}", "entailed": "a less exact {}"}
_REASONS |= {"exclude": "different {}s", "overlap": "{}s that may agree", "": "other events"}


def _explain(relation: str, noun: str) -> tuple[Value, str]:
    reason = _REASONS[relation].format(noun).replace("time of days", "times of day")
    return relation, reason  # type: ignore[return-value]


def _are_comparable(first: StatedClaim, second: StatedClaim) -> bool:
    if first.kind == second.kind:
        if first.kind in ("money", "measure", "family"):
            return first.unit == second.unit
        if first.kind == "ordinal":
            heads = first.scope.heads & second.scope.heads
            things = {first.scope.thing, second.scope.thing}
            return len(things) == 1 or not things.isdisjoint(("", _TIME_CONCEPT)) or bool(heads)
        return True
    kinds = {first.kind, second.kind}
    counts = [claim for claim in (first, second) if claim.kind == "count"]
    if kinds == {"order", "duration"}:
        interval = first.interval if first.kind == "order" else second.interval
        after_event = {1, inf}  # "after the vote"
        return interval is not None and {abs(interval.low), abs(interval.high)} != after_event
    if kinds == {"count", "age"}:
        return any(not claim.scope.thing for claim in counts)
    return kinds == {"count", "family"} and any(c.scope.thing in _CHILDREN for c in counts)


def _compare_named(first: StatedClaim, second: StatedClaim) -> tuple[Value, str]:
    relation, reason = compare_names(first.name, second.name)
    if relation in ("equal", "entails", "entailed") or (
        relation == "variant" and first.unit == second.unit
    ):
        return relation, reason  # type: ignore[return-value]
    if first.unit != second.unit:
        return "", "names of different kinds"
    if (
        first.unit == "ORG"
        and first.name[0].lower() == second.name[0].lower()
        and relation != "clash"
    ):
        return "apart", "different organisations"
    return "exclude", reason


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
        return ValueRange(0, interval.high, 0, True)
    return ValueRange(interval.low, 1e7, 0, True) if side == "after" else interval


BIRTHDAY = "time may have changed it"
"""Barrier between two ages of sources whose days are unknown or far apart."""


def find_barrier(first: StatedClaim, second: StatedClaim, value: Value) -> str:
    """Return why two claims cannot be about the same thing, "" if they may be."""
    left, right = first.scope, second.scope
    differs = value in ("exclude", "overlap")
    if differs and left.is_set_apart != right.is_set_apart:
        return "one is set apart from the other"
    given_together = first.value in right.sentence_values or second.value in left.sentence_values
    if differs and given_together and not may_supersede(first, second):
        return "a sentence gives both"
    if first.kind == "name" and not differs:
        return ""
    words = {*left.words, left.thing}, {*right.words, right.thing}
    if first.kind == "age":  # "a man of 40"
        for group, claim in zip(words, (first, second), strict=True):
            group.update(map(concept, claim.text.split()))
    if _are_opposed({left.noun}, {right.noun}, _CONTRASTING) or _are_opposed(*words, _CONTRASTING):
        return "each has a word that the other has the opposite of"
    if first.kind == "name":
        return _find_other_thing(first, second)
    may_change = first.kind in ("date", "order") or may_supersede(first, second)
    acts = {*left.heads, left.thing}, {*right.heads, right.thing}
    is_opposed = first.kind != "score" and _are_opposed(*acts, _EXCLUDING)
    is_part_of_whole = (left.partial, left.whole) != (right.partial, right.whole)
    has_other_ordinals = first.kind != "ordinal" and have_other_ordinals(left, right)
    has_other_agents = bool(left.agents and right.agents) and left.agents.isdisjoint(right.agents)
    rules = (
        ("a part and a whole", differs and is_part_of_whole),
        ("done by different agents", differs and has_other_agents),
        ("one counts what was added", left.added != right.added),
        ("ages of different people", first.kind == "age" and _are_different_people(left, right)),
        ("different acts", is_opposed),
        ("different times", not may_change and apart_in_time(left, right)),
        ("different ordinals", differs and has_other_ordinals),
    )
    reason = next((reason for reason, holds in rules if holds), "")
    return reason or (_find_other_thing(first, second) if differs else "")


def _are_different_people(first: Scope, second: Scope) -> bool:
    """Check whether two ages belong to people with different surnames or given names."""
    if not first.thing or not second.thing:
        return False
    given_names = first.people - {first.thing}, second.people - {second.thing}
    return first.thing != second.thing or (
        all(given_names) and given_names[0].isdisjoint(given_names[1])
    )


def _find_other_thing(first: StatedClaim, second: StatedClaim) -> str:
    """Return why two differing claims are about different things, "" if they may not be."""
    left, right = first.scope, second.scope
    pairs = (left, right), (right, left)
    if first.kind in ("date", "clock") and _is_planned(first) != _is_planned(second):
        return "one is planned, the other done"
    if first.kind in ("money", "measure", "duration") and any(
        not group.isdisjoint({*scope.heads, scope.thing})
        and group.isdisjoint({*other.words, other.thing})
        for scope, other in pairs
        for family in _THINGS
        for group in family
    ):
        return "one names a thing that the other does not"
    acts = {*(left.heads or left.words)}, {*(right.heads or right.words)}
    if first.kind != "name" and _are_opposed(*acts, _DEALING):
        return "different acts"
    if any(
        not _RELATIVES.isdisjoint((scope.heads | scope.arguments) - other.words)
        for scope, other in pairs
    ):
        return "one is of a relative"
    if first.kind == "name":
        return ""
    left_alone, right_alone = (
        {kind for kind, name in scope.named if name.isdisjoint(other.names)}
        for scope, other in pairs
    )
    if left_alone & right_alone:
        return "different names around them"
    return BIRTHDAY if _is_birthday(first, second) else ""


def _is_planned(claim: StatedClaim) -> bool:
    """Check whether a time is in the future, by its day or by the verb."""
    day, interval = claim.scope.published, claim.interval
    if claim.kind == "date" and day is not None and interval is not None:
        return int(interval.low) > day.toordinal()
    return claim.scope.planned


def _are_opposed(first: set[str], second: set[str], places: Places) -> bool:
    """Check whether concepts belong to different groups of a family: "injured" and "dead"."""
    left, right = (
        {place for word in words for place in places.get(word, ())} for words in (first, second)
    )
    shared = {family for family, _ in left & right}
    return any(family not in shared for family in {f for f, _ in left} & {f for f, _ in right})


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
    """Check whether one claim's day is after the other's publication, but the other is past."""
    return any(
        claim.interval is not None
        and other.scope.published is not None
        and int(claim.interval.low) > other.scope.published.toordinal()
        and not _is_planned(other)
        for claim, other in ((first, second), (second, first))
    )


def agree(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two values can both be true of the same thing."""
    return compare_values(first, second)[0] not in ("", "apart", "exclude")


def about_one(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two claims are about the same thing, judging by their governors."""
    value, _ = compare_values(first, second)
    if value in ("", "apart") or first.scope.thing != second.scope.thing:
        return False
    heads = first.scope.heads, second.scope.heads
    return not find_barrier(first, second, value) and (
        not (heads[0] or heads[1]) or not heads[0].isdisjoint(heads[1])
    )


def may_supersede(first: StatedClaim, second: StatedClaim, *, rough: bool = False) -> bool:
    """Check whether a figure or plan may have changed between two sources.

    With `rough`, a toll with a bound ("at least 12") may also differ.
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
    is_rising = not _RISING.isdisjoint(left.heads | right.heads)
    is_other_day = is_other_day or (is_running and apart_in_time(left, right))
    is_revised = not _REVISED.isdisjoint(left.words | right.words)
    is_rough = rough and any(c.interval is not None and c.interval.bounded for c in (first, second))
    is_rough = is_rough and not _GROWING.isdisjoint(left.heads & right.heads)
    has_changed = is_other_day and (is_growing or is_running or is_revised)
    return has_changed or (is_rising and is_growing) or is_rough


_COUNTED = frozenset(("count", "money", "share", "measure", "duration", "age", "family"))
_CHANGING_DISTANCE = 0.45


def _distance(first: StatedClaim, second: StatedClaim) -> float:
    if may_supersede(first, second):
        return _CHANGING_DISTANCE
    left, right = first.interval, second.interval
    if first.kind not in _COUNTED or not left or not right or min(left.low, right.low) <= 0:
        return 0.0
    return abs(log(left.low / right.low))


def same_thing_chance(
    first: StatedClaim, second: StatedClaim, value: Value, likeness: float | None
) -> float:
    """Return the probability that two claims are about the same thing."""
    left, right = first.scope, second.scope
    weights = WORDS_ALONE if likeness is None else WITH_MODEL
    union = left.words | right.words
    slot = compare_slots(first, second)
    governed = (not left.heads.isdisjoint(right.words)) + (not right.heads.isdisjoint(left.words))
    odds = (
        weights.constant
        + weights.model * (likeness or 0.0)
        + weights.words * (len(left.words & right.words) / len(union) if union else 0.0)
        + weights.governors * governed / 2
        + weights.slots[("", "counted", "once").index(slot)]
    )
    if value not in ("exclude", "overlap"):
        odds += weights.agree + weights.named * (first.kind == "name")
    else:
        odds += weights.distance * _distance(first, second)
    return 1 / (1 + exp(-odds))
