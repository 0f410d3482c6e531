"""What numbers, times and names say of each other, by rules that need no model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from rapidfuzz.fuzz import ratio

from tatian.union.relations.amounts import Amount
from tatian.union.relations.kinds import Verdict, joined
from tatian.union.relations.times import Time

_SMALL = frozenset("of the and for in".split())
ASSUMED = "if published the same week"
"""Why times that cannot be compared may be one: App. B, the day of publication is known."""
_ALIKE = 85
"""How alike, of 100, two spellings of a name must be."""


def compare_amounts(first: Amount, second: Amount) -> Verdict | None:
    """Whether one number is among those that the other allows; None if they exclude each other."""
    if (first.low, first.high) == (second.low, second.high):
        return Verdict("equivalent", "the same number")
    if second.low <= first.low and first.high <= second.high:
        return Verdict("entails", "a more exact number")
    if first.low <= second.low and second.high <= first.high:
        return Verdict("entailed", "a less exact number")
    return None


def compare_times(first: Time, second: Time) -> Verdict | None:
    """Whether one time lies within the other; None if they differ or cannot be compared."""
    if first.days is not None and second.days is not None:
        days = _compare_days(first.days, second.days)
    else:
        days = _compare_words(first, second)
    hours = _compare_hours(first.within_day, second.within_day)
    return None if days is None or hours is None else joined((days, hours))


def _compare_days(first: tuple[date, date], second: tuple[date, date]) -> Verdict | None:
    if first == second:
        return Verdict("equivalent", "the same time")
    if second[0] <= first[0] and first[1] <= second[1]:
        return Verdict("entails", "a more exact time")
    if first[0] <= second[0] and second[1] <= first[1]:
        return Verdict("entailed", "a less exact time")
    return None


def _compare_words(first: Time, second: Time) -> Verdict | None:
    """Times that are not known: by what is said outright, else as if published that week."""
    one, other = (
        {key: value for key, value in time.fixed.items() if key not in ("part", "clock")}
        for time in (first, second)
    )
    if any(one[key] != other[key] for key in one.keys() & other.keys() - {"grain"}):
        return None
    if one == other:
        return Verdict("equivalent", "the same time")
    if not (one and other) and (not first.within_day or first.within_day != second.within_day):
        return None
    if one.items() > other.items():
        return Verdict("entails", "a more exact time")
    if other.items() > one.items():
        return Verdict("entailed", "a less exact time")
    if "year" in {*one, *other}:
        return None
    if first.names_day and second.names_day:
        return Verdict("equivalent", f"the same day {ASSUMED}")
    if first.names_day and "shift" in other:
        return Verdict("entails", f"a more exact time {ASSUMED}")
    if second.names_day and "shift" in one:
        return Verdict("entailed", f"a less exact time {ASSUMED}")
    return None


def _compare_hours(first: Mapping[str, str], second: Mapping[str, str]) -> Verdict | None:
    if first == second:
        return Verdict("equivalent", "the same time")
    if any(first[key] != second[key] for key in first.keys() & second.keys()):
        return None
    if first.items() > second.items():
        return Verdict("entails", "a more exact time")
    if second.items() > first.items():
        return Verdict("entailed", "a less exact time")
    return None


def compare_names(first: Sequence[str], second: Sequence[str]) -> Verdict | None:
    """Whether two names can be one thing's, and which says more; the words as they are written."""
    one, other = ([_bare(word) for word in name] for name in (first, second))
    if one == other or "".join(one) == "".join(other):
        return Verdict("equivalent", "the same name")
    if _initials(first) == "".join(other) or _initials(second) == "".join(one):
        return Verdict("equivalent", "a name and its initials")
    if _within(other, one):
        return Verdict("entails", "a fuller name")
    if _within(one, other):
        return Verdict("entailed", "a shorter name")
    if len(one) == len(other) and ratio(" ".join(one), " ".join(other)) >= _ALIKE:
        return Verdict("equivalent", "another spelling of the name")
    return None


def _bare(word: str) -> str:
    return word.lower().replace(".", "").replace("-", "")


def _initials(name: Sequence[str]) -> str:
    return "".join(word[0].lower() for word in name if word.lower() not in _SMALL and word)


def _within(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether the words of `part` are among those of `whole`, in order, initials allowed.

    The last word must be there in full, or `part` is the first word alone.
    """
    if not part or len(part) >= len(whole):
        return False
    place = 0
    for word in part:
        while place < len(whole) and not _stands_for(word, whole[place]):
            place += 1
        if place == len(whole):
            return False
        place += 1
    return part[-1] in whole and (part[-1] == whole[-1] or part[0] == whole[0])


def _stands_for(word: str, full: str) -> bool:
    return word == full or (len(word) == 1 and full.startswith(word))
