"""Comparison of two claims: equal, entailing, excluding each other, superseded, or unrelated."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
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
from tatian.claims.quantities import compare_orders, compare_scores
from tatian.claims.slots import compare_slots, counts_aboard
from tatian.claims.times import Period, align_days, apart_in_time, compare_clocks
from tatian.claims.weights import WITH_MODEL, WORDS_ALONE
from tatian.text.content import concept

Value = Literal["equal", "entails", "entailed", "exclude", "overlap", "variant", "apart", ""]
"""Relation of two values; "" for values of different kinds."""

_GROWING = frozenset(map(concept, LISTS["growing"].split()))
"""Acts and nouns whose figure grows from day to day."""
_RISING = frozenset(map(concept, LISTS["rising"].split()))
_REVISED = frozenset(map(concept, LISTS["revised"].split()))
_CHILDREN = frozenset(map(concept, "child children son daughter kids".split()))
_TURN = concept("time")  # "for the third time"


def _read_families(name: str) -> tuple[tuple[frozenset[str], ...], ...]:
    return tuple(
        tuple(frozenset(map(concept, acts.split())) for acts in family.split("; "))
        for family in LISTS[name].splitlines()
    )


_ACTS, _THINGS, _DEALS, _CONTRASTS = map(
    _read_families, ("families", "things", "deals", "contrasts")
)
"""Families of groups of acts or things; each group excludes the others of its family."""
_RELATIVES = frozenset(map(concept, LISTS["relatives"].split()))


def compare(
    first: StatedClaim,
    second: StatedClaim,
    likeness: float | None = None,
    bound: float | None = None,
) -> ClaimComparison:
    """Return the relation of the first claim to the second.

    `likeness` is the model's log-odds that they are about the same thing (see `likenesses`).
    Without it, the words around them decide alone. `bound` replaces the least probability of this
    for claims that exclude each other, for sentences that are known to be of one event.
    """
    value, reason = compare_values(first, second)
    if value in ("", "apart"):
        return ClaimComparison("unrelated", reason)
    barrier = find_barrier(first, second, value)
    if barrier:
        return ClaimComparison("unrelated", barrier)
    chance = same_thing_chance(first, second, value, likeness)
    agrees = value not in ("exclude", "overlap")
    changed = value == "exclude" and may_supersede(first, second)
    weights = WORDS_ALONE if likeness is None else WITH_MODEL
    exclusive = weights.bounds[1] if bound is None else bound
    if chance < (weights.bounds[0] if agrees or changed else exclusive):
        return ClaimComparison("unrelated", f"{reason}, but hardly about the same thing")
    if value == "overlap":
        return ClaimComparison("unrelated", reason)
    if value == "variant":
        return ClaimComparison("equal", reason)
    relation: Relation = value  # type: ignore[assignment]
    if changed:
        return ClaimComparison("superseded", "a figure that changed between the sources' days")
    return ClaimComparison(relation, reason)


def compare_values(first: StatedClaim, second: StatedClaim) -> tuple[Value, str]:
    """Compare two values, whatever they are about, and say why."""
    if first.kind == "name" or second.kind == "name":
        if first.kind != second.kind:
            return "", "a name and a figure"
        return _compare_named(first, second)
    if first.interval is None or second.interval is None or not _are_comparable(first, second):
        return "", "different kinds of figures"
    ours, theirs = first.interval, second.interval
    if first.kind == "clock":
        order = compare_clocks(ours, first.unit, theirs, second.unit)
        return _explain(order, "time of day") if order else ("", "times of different zones")
    if first.kind == "date":
        return _compare_dates(first, second)
    if first.kind == "score":
        return _explain(compare_scores(first.unit, ours, second.unit, theirs), "score")
    if "order" in (first.kind, second.kind):
        return _explain(compare_orders(first, second), "order")
    converted = first.written != second.written and bool(first.written and second.written)
    return _explain(compare_intervals(ours, theirs, converted=converted), "figure")


_REASONS = {"equal": "the same {}", "entails": "a more exact {}", "entailed": "a less exact {}"}
_REASONS |= {"exclude": "different {}s", "overlap": "{}s that may agree"}
_REASONS |= {"": "counted from different events"}


def _explain(order: str, noun: str) -> tuple[Value, str]:
    reason = _REASONS[order].format(noun).replace("time of days", "times of day")
    return order, reason  # type: ignore[return-value]


def _are_comparable(first: StatedClaim, second: StatedClaim) -> bool:
    if first.kind == second.kind:
        if first.kind in ("money", "measure", "family"):
            return first.unit == second.unit
        if first.kind == "ordinal":
            heads = first.scope.heads & second.scope.heads
            things = {first.scope.thing, second.scope.thing}
            return len(things) == 1 or not things.isdisjoint(("", _TURN)) or bool(heads)
        return True
    kinds = {first.kind, second.kind}
    bare = [c for c in (first, second) if c.kind == "count" and not c.scope.thing]
    if kinds == {"order", "duration"}:
        ends = first.interval if first.kind == "order" else second.interval
        return ends is not None and {abs(ends.low), abs(ends.high)} != {1, inf}  # "after the vote"
    return (kinds == {"count", "age"} and bool(bare)) or (
        kinds == {"count", "family"}
        and any(c.scope.thing in _CHILDREN for c in (first, second) if c.kind == "count")
    )


def _compare_named(first: StatedClaim, second: StatedClaim) -> tuple[Value, str]:
    order, reason = compare_names(first.name, second.name)
    if order in ("equal", "entails", "entailed") or (
        order == "variant" and first.unit == second.unit
    ):
        return order, reason  # type: ignore[return-value]
    if first.unit != second.unit:
        return "", "names of different kinds"
    if first.unit == "ORG" and first.name[0].lower() == second.name[0].lower() and order != "clash":
        return "apart", "different organisations"
    return "exclude", reason


def _compare_dates(first: StatedClaim, second: StatedClaim) -> tuple[Value, str]:
    """Compare two dates, unless they depend on an unknown day of publication."""
    spans = align_days(
        _period(first), first.scope.published, _period(second), second.scope.published
    )
    if spans is None and first.stated.lower() == second.stated.lower():
        return _explain("equal", "time")
    if spans is None:
        return "", "times that cannot be compared without the days of publication"
    sides = [c.relative.split(" ")[-1] for c in (first, second)]
    if sides != ["until", "until"]:
        spans = _extend(spans[0], sides[0]), _extend(spans[1], sides[1])
    return _explain(compare_intervals(*spans), "time")


def _period(claim: StatedClaim) -> Period:
    assert claim.interval is not None
    return claim.interval.low, claim.interval.high, claim.relative.split(" ")[0]


def _extend(interval: ValueRange, side: str) -> ValueRange:
    """Return the days meant by "before", "until" or "after" some days."""
    if side in ("before", "until"):
        return ValueRange(0, interval.high, 0, True)
    return ValueRange(interval.low, 1e7, 0, True) if side == "after" else interval


def find_barrier(first: StatedClaim, second: StatedClaim, value: Value) -> str:
    """Return why two claims cannot be about the same thing; empty if nothing says so."""
    left, right = first.scope, second.scope
    differ = value in ("exclude", "overlap")
    if differ and left.other != right.other:
        return "one is set apart from the other"
    both = first.value in right.beside or second.value in left.beside
    if differ and both and not may_supersede(first, second):
        return "a sentence gives both"
    if first.kind == "name" and not differ:
        return ""
    words = {*left.words, left.thing}, {*right.words, right.thing}
    if _are_opposed({left.noun}, {right.noun}, _CONTRASTS) or _are_opposed(*words, _CONTRASTS):
        return "each has a word that the other has the opposite of"
    if first.kind == "name":
        return _find_other_thing(first, second)
    changed = first.kind in ("date", "order") or may_supersede(first, second)
    acts = {*left.heads, left.thing}, {*right.heads, right.thing}
    opposed = first.kind != "score" and _are_opposed(*acts, (*_ACTS, *_THINGS))
    parts = (left.partial, left.whole) != (right.partial, right.whole)
    ordinals = first.kind != "ordinal" and _have_other_ordinals(left, right)
    others_act = bool(left.agents and right.agents) and left.agents.isdisjoint(right.agents)
    rules = (
        ("a part and a whole", differ and parts),
        ("done by different agents", differ and others_act),
        ("one counts what was added", left.added != right.added),
        ("time may have changed it", value == "exclude" and _is_birthday(first, second)),
        ("ages of different people", first.kind == "age" and _are_different_people(left, right)),
        ("different acts", opposed),
        ("different times", not changed and apart_in_time(left, right)),
        ("different ordinals", differ and ordinals),
    )
    reason = next((reason for reason, holds in rules if holds), "")
    return reason or (_find_other_thing(first, second) if differ else "")


def _are_different_people(first: Scope, second: Scope) -> bool:
    """Check whether two ages are of people with different surnames or given names."""
    if not first.thing or not second.thing:
        return False
    given_names = first.people - {first.thing}, second.people - {second.thing}
    return first.thing != second.thing or (
        all(given_names) and given_names[0].isdisjoint(given_names[1])
    )


def _have_other_ordinals(first: Scope, second: Scope) -> bool:
    """Check whether one noun has only different ordinals: "second quarter", "third quarter"."""
    ours, theirs, shared = (
        {ordinal.partition(" ")[2] for ordinal in ordinals}
        for ordinals in (first.ordinals, second.ordinals, first.ordinals & second.ordinals)
    )
    return bool(ours & theirs - shared)


def _find_other_thing(first: StatedClaim, second: StatedClaim) -> str:
    """Return why two differing claims are about different things; empty if nothing says so."""
    ours, theirs = first.scope, second.scope
    sides = (ours, theirs), (theirs, ours)
    if first.kind in ("date", "clock") and _is_planned(first) != _is_planned(second):
        return "one is planned, the other done"
    if first.kind in ("money", "measure", "duration") and any(
        not group.isdisjoint({*side.heads, side.thing})
        and group.isdisjoint({*other.words, other.thing})
        for side, other in sides
        for family in _THINGS
        for group in family
    ):
        return "one names a thing that the other does not"
    acts = {*(ours.heads or ours.words)}, {*(theirs.heads or theirs.words)}
    if first.kind != "name" and _are_opposed(*acts, _DEALS):
        return "different acts"
    if any(
        not _RELATIVES.isdisjoint((side.heads | side.arguments) - other.words)
        for side, other in sides
    ):
        return "one is of a relative"
    if first.kind == "name":
        return ""
    ours_alone, theirs_alone = (
        {kind for kind, name in side.named if name.isdisjoint(other.names)} for side, other in sides
    )
    return "different names around them" if ours_alone & theirs_alone else ""


def _is_planned(claim: StatedClaim) -> bool:
    """Check whether a time is in the future, by its day or by the verb."""
    day, ends = claim.scope.published, claim.interval
    if claim.kind == "date" and day is not None and ends is not None:
        return int(ends.low) > day.toordinal()
    return claim.scope.planned


@lru_cache(maxsize=1 << 14)
def _groups_of(family: tuple[frozenset[str], ...], acts: frozenset[str]) -> frozenset[int]:
    return frozenset(n for n, members in enumerate(family) if not members.isdisjoint(acts))


def _are_opposed(
    first: set[str], second: set[str], families: Sequence[tuple[frozenset[str], ...]]
) -> bool:
    """Check whether concepts are of different groups of one family: "injured" and "dead"."""
    groups = (
        (_groups_of(family, frozenset(first)), _groups_of(family, frozenset(second)))
        for family in families
    )
    return any(ours and theirs and ours.isdisjoint(theirs) for ours, theirs in groups)


_BIRTHDAY = 31
"""Days between sources within which nobody is assumed to have a birthday."""


def _is_birthday(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two ages may be those of one person on the days of the two sources."""
    if first.kind != "age" or first.interval is None or second.interval is None:
        return False
    years = abs(first.interval.low - second.interval.low)
    days = first.scope.published, second.scope.published
    apart = abs((days[0] - days[1]).days) if days[0] and days[1] else _BIRTHDAY + 1
    return apart > _BIRTHDAY and years <= 1 + apart // 365


def is_unknown_day(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether something done on one claim's day is after the other's source appeared."""
    return any(
        claim.interval is not None
        and other.scope.published is not None
        and int(claim.interval.low) > other.scope.published.toordinal()
        and not _is_planned(other)
        for claim, other in ((first, second), (second, first))
    )


def agree(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two values can both be right for one thing."""
    return compare_values(first, second)[0] not in ("", "apart", "exclude")


def about_one(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two claims are about one thing, judged by the words next to them."""
    value, _ = compare_values(first, second)
    if value in ("", "apart") or first.scope.thing != second.scope.thing:
        return False
    heads = first.scope.heads, second.scope.heads
    return not find_barrier(first, second, value) and (
        not (heads[0] or heads[1]) or not heads[0].isdisjoint(heads[1])
    )


def may_supersede(first: StatedClaim, second: StatedClaim, *, rough: bool = False) -> bool:
    """Check whether a figure or plan may have changed between sources, or a toll be `rough`."""
    ours, theirs = first.scope, second.scope
    days = [(day.month, day.day) for day in (ours.issued, theirs.issued) if day is not None]
    apart = len(days) == 2 and days[0] != days[1]
    if first.kind == "date":
        return apart and _is_planned(first) and _is_planned(second)
    if first.kind not in ("count", "money", "measure", "share", "score"):
        return False
    if counts_aboard(first) or counts_aboard(second):
        return False
    running = ours.running or theirs.running
    acts = ours.heads | theirs.heads
    if first.kind == "count":
        acts |= ours.words | theirs.words
    growing = not _GROWING.isdisjoint(acts)
    rising = not _RISING.isdisjoint(ours.heads | theirs.heads)
    apart = apart or (running and apart_in_time(ours, theirs))
    revised = not _REVISED.isdisjoint(ours.words | theirs.words)
    rough = rough and any(c.interval is not None and c.interval.bounded for c in (first, second))
    rough = rough and not _GROWING.isdisjoint(ours.heads & theirs.heads)
    return bool((growing or running or revised) and apart) or (rising and growing) or rough


_COUNTED = frozenset(("count", "money", "share", "measure", "duration", "age", "family"))
_CHANGING = 0.45


def _distance(first: StatedClaim, second: StatedClaim) -> float:
    if may_supersede(first, second):
        return _CHANGING
    ours, theirs = first.interval, second.interval
    if first.kind not in _COUNTED or not ours or not theirs or min(ours.low, theirs.low) <= 0:
        return 0.0
    return abs(log(ours.low / theirs.low))


def same_thing_chance(
    first: StatedClaim, second: StatedClaim, value: Value, likeness: float | None
) -> float:
    """Return the probability that two claims are about the same thing."""
    ours, theirs = first.scope, second.scope
    weights = WORDS_ALONE if likeness is None else WITH_MODEL
    union = ours.words | theirs.words
    slot = compare_slots(first, second)
    if slot and likeness is not None:
        likeness = max(likeness, weights.least)
    governed = (not ours.heads.isdisjoint(theirs.words)) + (not theirs.heads.isdisjoint(ours.words))
    total = (
        weights.constant
        + weights.model * (likeness or 0.0)
        + weights.words * (len(ours.words & theirs.words) / len(union) if union else 0.0)
        + weights.governors * governed / 2
        + weights.slots[("", "counted", "once").index(slot)]
    )
    if value not in ("exclude", "overlap"):
        total += weights.agree + weights.named * (first.kind == "name")
    else:
        total += weights.distance * _distance(first, second)
    return 1 / (1 + exp(-total))
