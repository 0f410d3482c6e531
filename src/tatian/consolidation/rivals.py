"""Checks whether two claims of different sources may be about one thing but cannot both be true."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import inf

from tatian.claims import (
    BIRTHDAY,
    PlacedClaim,
    StatedClaim,
    agree,
    compare_values,
    find_barrier,
    is_unknown_day,
    may_supersede,
)
from tatian.claims.claim import ValueRange
from tatian.claims.slots import (
    MOST_MINUTES,
    begins_event,
    counts_aboard,
    find_topics,
    is_long_past,
    names_part,
)
from tatian.claims.times import DAY
from tatian.consolidation.coverage import SpanContent
from tatian.consolidation.spans import Key
from tatian.text.content import concept

COMPARED_KINDS = frozenset(
    "clock duration count money share measure age family frequency score date name".split()
)
"""Kinds of claims that are reported as conflicts."""
SIZE_KINDS = frozenset({"count", "money", "share", "measure", "duration"})
_MOST_RATIO = 3.5
"""Largest ratio of two figures for the same thing."""
_MOST_NEAR = 1.25
"""Largest ratio of the sole figures of two sources on one topic."""
_WEEK = 7
"""Most days between sources of two measures; later, what was measured may have changed."""
_TURNOUT = concept("turnout")
"""Share that is first given while votes are counted."""
_MISSING = concept("missing")
"""Governor of counts that fall from hour to hour."""
_SMALL_COUNT = 3
"""Counts up to this need the same noun to conflict."""
_STEM = 4
"""Number of letters that two forms of a given name share; a shorter name may be a nickname."""
_LONGEST_CLOCK = 150
"""Longest time of day, in minutes; longer ones are parts of the day, such as "morning"."""
_MONTH, _YEAR = 31, 366
"""Most days of a month, and between two months that are compared."""
_DECADES = 30 * _YEAR
"""Most days between two years that are compared."""
_FRACTION = re.compile(r"½|\d/\d|half|quarter")
_MAX_TRANSPOSED = 3
"""Maximum number of transposed digits that count."""
_DISTINCTIVE_DIGITS = 3
"""Minimum number of digits of a figure that hardly stands for two things in a story."""
_MAX_LISTED = 8
"""Maximum number of figures of one kind in a sentence that are compared with others."""
_ROUNDED_SHARE = 2.0
"""Largest difference, in percentage points, of two shares of which one is in words."""
ONE_PER_PERSON = frozenset({"name", "age", "family"})
"""Kinds of claims that have only one value per person, whatever the act."""


def is_same_value(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two claims state one value differently: in feet and metres, for instance."""
    written_otherwise = first.kind in ("measure", "duration", "money", "name")
    if first.concepts == second.concepts or not written_otherwise:
        return False
    value, _ = compare_values(first, second)
    return value in ("equal", "variant") and not find_barrier(first, second, "equal")


def are_rivals(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two claims could not both be true if they were about the same thing.

    Times of day a minute apart, as "just after six" and "six", are no rivals.
    """
    if first.kind != second.kind or first.kind not in COMPARED_KINDS or _is_variant(first, second):
        return False
    value, reason = compare_values(first, second)
    if value != "exclude" or (first.kind == "name" and "surname" not in reason):
        return False
    if first.kind == "clock":
        return 1 < _minutes_apart(first, second) <= MOST_MINUTES
    if first.kind == "date":
        return _are_like_periods(first, second) and not is_unknown_day(first, second)
    return first.kind not in SIZE_KINDS or not is_far_off(first, second)


def may_exclude(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two claims may concern the same thing but cannot both be true."""
    return (
        are_rivals(first, second)
        and not have_changed(first, second)
        and may_match(first, second)
        and not find_barrier(first, second, "exclude")
    )


def have_changed(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two rivals differ because time has passed, or because one is a plan or a part.

    The dead of an earlier accident are not those of this one.
    """
    left, right = first.scope, second.scope
    if first.kind == "count":
        is_passing = _MISSING in left.heads & right.heads and not may_supersede(first, second)
        is_earlier = is_long_past(left) != is_long_past(right)
        is_plan = left.planned != right.planned
        if is_passing or is_earlier or is_plan or names_part(first, second):
            return True
    if first.kind == "measure" and _days_apart(first, second) > _WEEK:
        return True
    is_dated = None not in (left.published, right.published)
    has_birthday = is_dated and find_barrier(first, second, "exclude") == BIRTHDAY
    return has_birthday or not _has_one_turnout(first, second)


def may_match(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two rivals may be about one thing, by their nouns and acts."""
    if first.kind in SIZE_KINDS and {"from"} < {first.scope.marker, second.scope.marker}:
        return False
    match first.kind:
        case "count":
            return _counts_one_thing(first, second)
        case "clock":
            return _time_one_act(first, second)
        case "date":
            return _date_one_act(first, second)
    return True


def _has_one_turnout(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two claims are of one count of a turnout, or of no turnout."""
    left, right = first.scope.words, second.scope.words
    is_final = "final" in left & right
    return is_final or _TURNOUT not in left | right or not _days_apart(first, second)


def _days_apart(first: StatedClaim, second: StatedClaim) -> int:
    """Return the days between the sources of two claims, 0 if unknown."""
    days = first.scope.published, second.scope.published
    return abs((days[0] - days[1]).days) if days[0] and days[1] else 0


def find_sole_pairs(
    contents: Mapping[Key, SpanContent],
) -> Iterator[tuple[tuple[Key, PlacedClaim], tuple[Key, PlacedClaim]]]:
    """Yield near but different figures that are each the only one of a source on their topic."""
    topics: dict[tuple[str, ...], dict[int, list[tuple[Key, PlacedClaim]]]] = {}
    for key, content in contents.items():
        for placed in content.placed:
            for topic in find_topics(placed.claim):
                topics.setdefault(topic, {}).setdefault(key[0], []).append((key, placed))
    for by_source in topics.values():
        sole = [
            members[0]
            for members in by_source.values()
            if all(agree(members[0][1].claim, other.claim) for _, other in members[1:])
        ]
        for first, second in combinations(sole, 2):
            if _are_near(first[1].claim, second[1].claim):
                yield first, second


def _are_near(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two figures exclude each other, are near, and hardly change with time."""
    left, right = first.interval, second.interval
    if left is None or right is None or not may_exclude(first, second):
        return False
    if first.kind == "clock" or may_supersede(first, second, rough=True):
        return first.kind == "clock"
    low, high = sorted((left.low, right.low))
    is_stated = first.scope.planned == second.scope.planned and max(left.high, right.high) < inf
    return is_stated and low > 0 and high <= _MOST_NEAR * low


def _counts_one_thing(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two counts may be of one thing; small ones need the same noun."""
    if counts_aboard(first) != counts_aboard(second):
        return False
    is_small = any(interval.low <= _SMALL_COUNT for interval in _intervals(first, second))
    return not is_small or first.scope.thing == second.scope.thing


def _minutes_apart(first: StatedClaim, second: StatedClaim) -> float:
    """Return the minutes between two times of day; without "a.m." both may be of one half."""
    left, right = first.interval, second.interval
    if left is None or right is None:
        return inf
    period = DAY if first.unit.startswith("day") and second.unit.startswith("day") else DAY // 2
    return min((right.low - left.high) % period, (left.low - right.high) % period)


def _time_one_act(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two clock times may be of one act: the event's onset, or shared words.

    The words are those of the predicate and its arguments.
    """
    words = [claim.scope.heads | claim.scope.arguments for claim in (first, second)]
    are_onsets = begins_event(first) and begins_event(second)
    return are_onsets or not words[0].isdisjoint(words[1])


def _date_one_act(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two days or months may date one act; years never qualify.

    A story has many dates, so the sentences must share a word besides the claims' governors.
    """
    left, right = first.scope, second.scope
    is_year = any(ends.high - ends.low > _MONTH for ends in _intervals(first, second))
    return not is_year and not (left.words & right.words) <= (left.heads & right.heads)


def _are_like_periods(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether both are days, near months or near years, and not relative like "Tuesday"."""
    days = _intervals(first, second)
    if len(days) < 2 or any(claim.relative not in ("", "year") for claim in (first, second)):
        return False
    lengths = [interval.high - interval.low for interval in days]
    distance = abs(days[0].low - days[1].low)
    are_months = min(lengths) >= 1 and max(lengths) <= _MONTH
    are_years = min(lengths) > _MONTH and max(lengths) <= _YEAR
    return (
        max(lengths) < 1
        or (are_months and distance <= _YEAR)
        or (are_years and distance <= _DECADES)
    )


def _intervals(first: StatedClaim, second: StatedClaim) -> list[ValueRange]:
    return [claim.interval for claim in (first, second) if claim.interval]


def without_lists(placed: Sequence[PlacedClaim]) -> list[PlacedClaim]:
    """Return the claims of a sentence, without kinds of which it has a long list."""
    counts = Counter(claim.claim.kind for claim in placed)
    return [claim for claim in placed if counts[claim.claim.kind] <= _MAX_LISTED]


def is_member(claim: StatedClaim, text: str) -> bool:
    """Check whether a claim is the "one" of "one of", which counts nothing."""
    is_one = claim.kind == "count" and claim.stated.lower() == "one"
    return is_one and text[claim.figure.end :].lstrip().startswith("of ")


def _is_variant(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether claims differ only in wording: in unit, part of the day or short name."""
    if first.kind == "name":
        if (first.name[0], first.name[-1]) == (second.name[0], second.name[-1]):
            return True
        short, long = sorted((first.name[0], second.name[0]), key=len)
        is_nickname = len(short) < _STEM < len(long) and short[0] == long[0]
        return short != long and (is_nickname or short[:_STEM] == long[:_STEM])
    if first.kind == "share" and _is_rounded(first, second):
        return True
    lengths = [ends.high - ends.low for ends in (first.interval, second.interval) if ends]
    if first.kind == "clock" and max(lengths, default=0) > _LONGEST_CLOCK:
        return True
    numbers = [re.match(r"[\d,.]*\d", claim.stated) for claim in (first, second)]
    same_number = numbers[0] and numbers[1] and numbers[0][0] == numbers[1][0]
    has_fraction = any(_FRACTION.search(claim.stated) for claim in (first, second))
    is_size = first.kind in SIZE_KINDS - {"duration"}
    return first.concepts == second.concepts or bool(is_size and same_number and not has_fraction)


def _is_rounded(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether one share in words, such as "a quarter", rounds the other."""
    ranges = first.interval, second.interval
    in_words = [re.search(r"\d", claim.stated) is None for claim in (first, second)]
    return (
        None not in ranges
        and in_words[0] != in_words[1]
        and abs(ranges[0].low - ranges[1].low) <= _ROUNDED_SHARE  # type: ignore[union-attr]
    )


def count_transposed(first: StatedClaim, second: StatedClaim) -> int:
    """Return the number of digits after the first, at most three, for 64.5 and 65.4; else 0.

    The figures must have the same digits in another order. Of dates, only years count, as 1:
    2012 and 2021 are common in one story.
    """
    digits = [re.sub(r"\D", "", claim.stated) for claim in (first, second)]
    is_moved = digits[0] != digits[1] and sorted(digits[0]) == sorted(digits[1])
    if first.kind == "date":
        return int(is_moved and all(claim.stated.isdigit() for claim in (first, second)))
    return min(len(digits[0]) - 1, _MAX_TRANSPOSED) if is_moved else 0


def is_far_off(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether one figure is many times the other, or only one is below zero."""
    ranges = first.interval, second.interval
    if ranges[0] is None or ranges[1] is None:
        return False
    low, high = sorted((abs(ranges[0].low), abs(ranges[1].low)))
    return high > _MOST_RATIO * low or (ranges[0].low < 0) != (ranges[1].low < 0)


def may_be_one_person(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two names have the same surname and the same first initial."""
    if first.kind != "name" or not first.name or not second.name:
        return False
    return first.name[-1] == second.name[-1] and first.name[0][:1] == second.name[0][:1]


def has_value(claims: Sequence[StatedClaim], stated: StatedClaim) -> bool:
    """Check whether a source has a claim's value, for the same or an unspecified thing.

    A figure such as 1,912 hardly stands for two things, whatever the words around it.
    """
    return any(
        claim.kind == stated.kind
        and compare_values(claim, stated)[0] in ("equal", "variant")
        and (_is_distinctive(stated) or _may_share_thing(claim, stated))
        for claim in claims
    )


def _is_distinctive(claim: StatedClaim) -> bool:
    """Check whether a figure has three digits or more, the last of them no zero."""
    digits = re.sub(r"\D", "", claim.stated)
    return claim.kind in SIZE_KINDS and len(digits) >= _DISTINCTIVE_DIGITS and digits[-1] != "0"


def _may_share_thing(first: StatedClaim, second: StatedClaim) -> bool:
    left, right = first.scope, second.scope
    are_other_people = left.people and right.people and left.people.isdisjoint(right.people)
    return len({left.thing, right.thing} - {""}) < 2 and not are_other_people


def is_one_of_several(claims: Sequence[StatedClaim], stated: StatedClaim) -> bool:
    """Check whether a source gives another value for what looks like the same thing."""
    scope = stated.scope
    return stated.kind not in ONE_PER_PERSON and any(
        (claim.kind, claim.unit, claim.scope.thing) == (stated.kind, stated.unit, scope.thing)
        and claim.scope.partial == scope.partial
        and (not (claim.scope.heads or scope.heads) or bool(claim.scope.heads & scope.heads))
        and compare_values(claim, stated)[0] == "exclude"
        and not is_far_off(claim, stated)
        for claim in claims
    )
