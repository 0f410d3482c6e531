"""Times of day, in minutes, and dates, in days."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta
from itertools import product

from tatian.claims.claim import (
    LISTS,
    FoundClaim,
    Scope,
    ValueRange,
    compare_intervals,
    context,
    find_matches,
    number_value,
    patterns,
)
from tatian.text.dates import calendar_day, days_ago, find_times, month_days, unit_days
from tatian.text.lexicon import MONTHS, WEEKDAYS
from tatian.text.spans import Token

_CLOCKS = patterns("clocks")
_LEADS = patterns("clock bounds", end=" $")
_OFFSETS = {
    zone: int(hours)
    for hours, _, zones in (line.partition(" ") for line in LISTS["zones"].splitlines())
    for zone in zones.split(",")
}
"""Hours by which the clocks of a zone are ahead of Greenwich."""
_PARTS_OF_DAY = {"small hours": (0, 300), "dawn": (270, 480), "morning": (240, 719)}
_PARTS_OF_DAY |= {"afternoon": (720, 1079), "evening": (1020, 1439), "night": (1080, 1799)}
_PARTS_OF_DAY |= {"overnight": (1200, 1860)}
"""First and last minute of each part of a day; from 1440 on, of the next day."""
_NAMED_HOURS = {"noon": 12, "midday": 12, "midnight": 24}
_BEFORE_PART = ("before ", "pre-", "before the ")
_AHEAD_OF_PART = 270
"""Minutes by which "before" extends a part of the day: "before dawn"."""
_NEAR, _SHORTLY = 20, 35
"""Minutes that "about" covers on both sides, and "shortly before" or "shortly after" on one."""
DAY = 1440
"""Minutes of a day."""


def find_clocks(line: str, taken: set[int]) -> Iterator[FoundClaim]:
    """Yield the times of day of a line of text."""
    for _, match in find_matches(_CLOCKS, line):
        time = _read_clock(match) if taken.isdisjoint(range(*match.span())) else None
        if time is not None:
            taken.update(range(time.start, time.end))
            yield time
    for match in context("part_of_day").finditer(line):
        if taken.isdisjoint(range(*match.span())):
            low, high = _PARTS_OF_DAY[match[0].lower()]
            low -= _AHEAD_OF_PART * line[: match.start()].lower().endswith(_BEFORE_PART)
            interval = ValueRange(low, high, True)
            yield FoundClaim("clock", *match.span(), match.span(), interval, "day")


def _read_clock(match: re.Match[str]) -> FoundClaim | None:
    groups = {name: (value or "").lower() for name, value in match.groupdict().items()}
    line, half, part = match.string, groups.get("half", ""), groups.get("part", "")
    name = groups.get("named") or groups["hour"]
    is_named = name in _NAMED_HOURS
    hour, minute = _NAMED_HOURS.get(name) or int(number_value(name)), int(groups.get("minute") or 0)
    if hour > 24 or minute > 59:
        return None
    if past := groups.get("past"):
        step = (
            15 if "quarter" in past else 30 if past == "half" else number_value(past.split(" ")[0])
        )
        minute += int(step) if groups["side"] in ("past", "after") else -int(step)
    exact = bool(half or part) or is_named or hour > 12 or name.startswith("0")
    if exact and hour <= 12 and not is_named:
        late = half == "p" or (not half and part not in ("", "morning"))
        early = part == "night" and hour in (12, 1, 2, 3)
        hour = hour % 12 + 12 * (late and not early)
    minutes = (hour * 60 + minute) % DAY
    if groups.get("from"):
        low = int(number_value(groups["from"])) % 12 * 60 + int(groups["fromminute"] or 0)
        low += 720 * (half == "p" and low + 720 <= minutes)
        if low > minutes:
            low, minutes = low + DAY // 2, minutes + DAY
        return FoundClaim(
            "clock", *match.span(), match.span(), ValueRange(low, minutes, True), "day"
        )
    leads = find_matches(_LEADS, line[: match.start()])
    bound, start = next(((key, lead.start()) for key, lead in leads), ("", match.start()))
    low, high = {
        "before": (minutes - _SHORTLY, minutes - 1),
        "after": (minutes + 1, minutes + _SHORTLY),
        "about": (minutes - _NEAR, minutes + _NEAR),
        "earlier": (min(0, minutes - DAY // 2), minutes),
        "later": (minutes, max(DAY - 1, minutes + DAY // 2)),
        "": (minutes, minutes),
    }[bound]
    unit = "day" if exact else "half"
    if zone := context("zone").search(line[match.end() :]):
        unit += f" {zone['zone'] or zone['land'] + (zone['light'] or '')}".lower()
    interval = ValueRange(low, high, bool(bound))
    return FoundClaim("clock", start, match.end(), match.span(), interval, unit)


def compare_clocks(first: ValueRange, unit: str, second: ValueRange, second_unit: str) -> str:
    """Compare two times of day; empty if their zones leave open whether they agree.

    A unit is "day" if the half of the day is known, else "half"; the zone follows if stated.
    """
    left, _, zone = unit.partition(" ")
    right, _, second_zone = second_unit.partition(" ")
    if zone != second_zone and zone and second_zone:
        if not {zone, second_zone} <= _OFFSETS.keys():
            return ""
        first = first.shift(60 * (_OFFSETS[second_zone] - _OFFSETS[zone]))
    relation = _compare_modulo(first, second, DAY if left == right == "day" else DAY // 2)
    return relation if bool(zone) == bool(second_zone) or relation in _AGREEMENTS else ""


_AGREEMENTS = ("equal", "entails", "entailed")


def _compare_modulo(first: ValueRange, second: ValueRange, period: int) -> str:
    """Compare two times of day on a clock that repeats every `period` minutes."""
    is_wide = max(first.high - first.low, second.high - second.low) >= DAY // 2
    relations = {
        compare_intervals(first, second.shift(turn))
        for turn in ((0,) if is_wide else (-2 * period, -period, 0, period, 2 * period))
    }
    by_rank = (*_AGREEMENTS, "overlap")
    return next((relation for relation in by_rank if relation in relations), "exclude")


_DATES = patterns("dates")
_HOLIDAYS = {
    name: tuple(map(int, day.split("-")))
    for day, _, name in (line.partition(" ") for line in LISTS["holidays"].splitlines())
}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
_SIDES = ("until", "before", "after")
_CLOCK_LEADS = frozenset(("at", "about", "around", ",", "before", "after", "local", "time"))
_DAY_LEADS = frozenset(
    ("by", "during", "from", "in", "of", "on", "since", "through", "till", "to", "until")
)
UNKNOWN = date(2001, 6, 13)
"""Substitute for an unknown day of publication; a Wednesday in mid-year."""

Days = tuple[date, date]
Period = tuple[float, float, str]
"""First and last day of a time, and what it is counted from ("" if absolute)."""


def find_dates(
    line: str,
    tokens: Sequence[Token],
    columns: Mapping[int, int],
    published: date | None,
    clocks: Collection[int],
) -> Iterator[FoundClaim]:
    """Yield the days, weeks, months and years of a sentence.

    `columns` maps offsets in the document to positions in the line. `clocks` has the positions in
    the line that belong to a time of day.
    """
    day = published or UNKNOWN
    taken: set[int] = set()
    for key, match in find_matches(_DATES, line):
        dated = None
        if taken.isdisjoint(range(*match.span())):
            with suppress(ValueError, OverflowError):  # days beyond the calendar
                dated = _read_days(key, match, day)
        if dated is not None:
            taken.update(range(*match.span()))
            yield _build_claim(line, match.span(), *dated)
    for time in find_times(tokens, day):
        words = [
            token
            for token in tokens[time.first : time.end]
            if columns.get(token.start) not in clocks and token.text.lower() not in _CLOCK_LEADS
        ]
        is_named = any(token.text.lower() not in _DAY_LEADS for token in words)
        if time.days is None or not is_named:
            continue
        start, end, days = columns[words[0].start], columns[words[-1].end - 1] + 1, time.days
        after = context("days_after").search(line[end:]) if "day" in time.parts else None
        if after:  # "June 4-6", but not "June 4 people"
            last = int(after["last"] or 0)
            if not days[0].day < last <= 28:
                continue
            days, end = (days[0], days[0].replace(day=last)), end + after.end()
        if taken.isdisjoint(range(start, end)):
            taken.update(range(start, end))
            part = _PARTS_OF_DAY.get(time.parts.get("part", "")) if days[0] == days[1] else None
            yield _build_claim(line, (start, end), days, _find_base(time.parts), part or (0, DAY))


def _find_base(fixed: Mapping[str, str]) -> str:
    """Return what a time is counted from, "" if it is absolute."""
    if "year" in fixed:
        return ""
    if "month" in fixed:
        return "year"
    return "weekday" if "weekday" in fixed and "shift" not in fixed else "publication"


def _build_claim(
    line: str, span: tuple[int, int], days: Days, base: str, part: tuple[int, int] = (0, DAY)
) -> FoundClaim:
    """Build a time from the start of its first day to the end of its last, or a `part` of a day."""
    low = days[0].toordinal() + part[0] / DAY
    high = days[1].toordinal() + min(part[1], DAY - 1) / DAY
    phrase = f"{line[span[0] : span[1]]} "
    lead = re.match(r"(?:on|in|since|by|until|during) (?:the )?", phrase, re.IGNORECASE)
    leads = line[: span[0]], lead[0] if lead else ""
    side = next((s for s in _SIDES if any(map(context(s).search, leads))), "")
    if side == "until" and context("not_until").search(line[: span[1]]):
        side = ""
    unit = "day" if days[0] == days[1] else "days"
    interval = ValueRange(low, high, days[0] != days[1])
    figure = (span[0] + len(lead[0].split(" ")[0]) + 1 if lead else span[0], span[1])
    return FoundClaim("date", *span, figure, interval, unit, relative=f"{base} {side}".strip())


def _read_days(name: str, match: re.Match[str], day: date) -> tuple[Days, str] | None:
    """Return the days of a phrase, and the base that they are counted from."""
    groups = {key: (value or "").lower() for key, value in match.groupdict().items()}
    which, unit = groups.get("which", ""), groups.get("unit", "")
    year = int(groups.get("year") or 0)
    match name:
        case "holiday":
            holiday = date(day.year, *_HOLIDAYS[groups["name"].replace("’", "'")])
            holiday = holiday.replace(year=day.year - ((holiday - day).days > 180))
            return (holiday, holiday), "year"
        case "decade":
            return (date(year, 1, 1), date(year + 9, 12, 31)), ""
        case "weekend":
            saturday, now = day - _DAY * ((day.weekday() - 5) % 7), day.weekday() >= 5
            ahead = which == "next" or (which == "this" and not now)
            saturday += 7 * _DAY * (ahead - (which == "last" and now))
            return (saturday - _DAY, saturday + _DAY), "publication"
        case "then":
            then = day + (-2 if which.startswith("before") else 2) * _DAY
            return (then, then), "publication"
        case "weekfrom" if which in ("tomorrow", *WEEKDAYS):
            ahead = 1 if which == "tomorrow" else (WEEKDAYS[which] - day.weekday()) % 7
            return (day + (ahead + 7) * _DAY, day + (ahead + 7) * _DAY), "publication"
        case "season" if which or year:
            return _find_season(groups["name"], which, year, day), "" if year else _BASES[
                which == "the"
            ]
        case "past":
            return (day - (7 if unit == "week" else 31) * _DAY, day), "publication"
        case "ago":
            count = 1 if groups["n"] in ("a", "an") else int(number_value(groups["n"]))
            count, unit = (10 * count, "year") if unit == "decade" else (count, unit)
            days = days_ago(groups["n"], unit, day) or unit_days(unit, -count, day)
            return (days, "publication") if days else None
        case "edge" | "nth" | "week" | "partly":
            return _read_part(groups, day)
    return None


_BASES = ("publication", "year")


def _read_part(groups: Mapping[str, str], day: date) -> tuple[Days, str] | None:
    """Return the days of a part of a week, month or year, and their base."""
    which, unit = groups.get("which", ""), groups["unit"]
    shift, _, grain = unit.rpartition(" ")
    if unit.isdigit():
        span: Days | None = (date(int(unit), 1, 1), date(int(unit), 12, 31))
    elif unit in MONTHS:
        year = int(groups["year"]) if groups.get("year") else None
        span = month_days(year, MONTHS[unit], None if year else day)
    else:
        span = unit_days(grain, {"last": -1, "next": 1}.get(shift, 0), day)
    if span is None or (which in ("earlier", "later") and not groups["this"]):
        return None
    first, last = span
    base = "" if unit.isdigit() or groups.get("year") else _BASES[unit in MONTHS]
    if which == "earlier":
        return (first, max(first, day - _DAY)), base
    if which == "later":
        return (min(last, day + _DAY), last), base
    if number := groups.get("day"):
        first = last = first.replace(day=int(number))
    begin, end = (int(share * (last - first).days) for share in _PARTS_OF_UNIT.get(which, (0, 0)))
    return (first + begin * _DAY, first + end * _DAY), base


_DAY = timedelta(days=1)
_PARTS_OF_UNIT = {
    "beginning": (0.0, 0.333),
    "start": (0.0, 0.333),
    "middle": (0.32, 0.66),
    "end": (0.7, 1.0),
    "first day": (0.0, 0.0),
    "last day": (1.0, 1.0),
    "first": (0.0, 0.21),
    "second": (0.25, 0.45),
    "third": (0.5, 0.69),
    "last": (0.8, 1.0),
    "early": (0.0, 0.42),
    "mid": (0.25, 0.77),
    "late": (0.58, 1.0),
}
"""First and last day of each part of a month or year, as shares of its length."""


def _find_season(name: str, which: str, year: int, day: date) -> Days:
    """Return the three months of a season; "last summer" is the latest that is over."""
    start = _SEASONS[name]

    def days(of: int) -> Days:
        first = date(of - (start == 12), start, 1)
        return first, (first + timedelta(days=95)).replace(day=1) - _DAY

    if year:
        return days(year)
    current = day.year + (start == 12 and day.month >= (7 if which == "this" else 12))
    first, last = days(current)
    is_earlier = (which == "last" and last >= day) or (which == "the" and first > day)
    return days(current + (which == "next") - is_earlier)


def align_days(
    first: Period, published: date | None, second: Period, second_published: date | None
) -> tuple[ValueRange, ValueRange] | None:
    """Return two times as comparable ranges of days; None if they cannot be compared.

    A relative time in a source without a day is open. If only one time is open, it is moved near
    to the other. A weekday moves by whole weeks, a day of the year by whole years.
    """
    left, right = (ValueRange(low, high, high - low >= 1) for low, high, _ in (first, second))
    is_fixed = published is not None or not first[2]
    is_second_fixed = second_published is not None or not second[2]
    if is_fixed == is_second_fixed:
        return (left, right) if is_fixed or first[2] == second[2] else None
    if is_fixed:
        moved = _move_near(right, second[2], left)
        return (left, moved) if moved else None
    moved = _move_near(left, first[2], right)
    return (moved, right) if moved else None


def _move_near(days: ValueRange, base: str, other: ValueRange) -> ValueRange | None:
    """Move a weekday or a day of the year near to another time; None for other bases."""
    if base == "weekday" and not other.bounded:
        return days.shift(7 * round((other.low - days.low) / 7))
    if base != "year":
        return None
    day = date.fromordinal(int(days.low))
    years = round((other.low - days.low) / 365.2425)
    moved = calendar_day(day.year + years, day.month, day.day)
    return days.shift(moved.toordinal() - int(days.low)) if moved else None


def apart_in_time(first: Scope, second: Scope) -> bool:
    """Check whether all times of two sentences differ, as far as they can be compared."""
    answers = [
        aligned[0].high < aligned[1].low or aligned[1].high < aligned[0].low
        for first_period, second_period in product(first.periods, second.periods)
        if (aligned := align_days(first_period, first.published, second_period, second.published))
    ]
    return bool(answers) and all(answers)
