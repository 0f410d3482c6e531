"""Times of day, in minutes, and dates, in days."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from tatian.claims.claim import (
    ClaimKind,
    ValueRange,
    between,
    compare_intervals,
    number_value,
    patterns,
)
from tatian.text.dates import find_times
from tatian.text.lexicon import MONTHS, NUMBER_WORDS, WEEKDAYS
from tatian.text.spans import Token

_CLOCKS = patterns("clocks")
_LEADS = patterns("clock bounds", end=" $")
_ZONE = re.compile(
    r" \(?(?:(?P<zone>GMT|UTC|Greenwich|EST|EDT|CST|CDT|MST|MDT|PST|PDT|CET|BST)\b"
    r"|(?P<land>Eastern|Central|Mountain|Pacific|Moscow)(?P<light> Standard| Daylight)?\b)",
    re.IGNORECASE,
)
_OFFSETS = {"gmt": 0, "utc": 0, "greenwich": 0, "bst": 1, "cet": 1, "est": -5, "cst": -6}
_OFFSETS |= {"mst": -7, "pst": -8, "edt": -4, "cdt": -5, "mdt": -6, "pdt": -7, "moscow": 3}
_OFFSETS |= {"eastern standard": -5, "central standard": -6, "mountain standard": -7}
_OFFSETS |= {"pacific standard": -8, "eastern daylight": -4, "pacific daylight": -7}
"""Hours by which the clocks of a zone are ahead of Greenwich."""
_PARTS = {"small hours": (0, 300), "dawn": (270, 480), "morning": (240, 719)}
_PARTS |= {"afternoon": (720, 1079), "evening": (1020, 1439), "night": (1080, 1799)}
_PARTS |= {"overnight": (1200, 1860)}
_PART = re.compile(
    rf"(?<!every )\b({'|'.join(_PARTS)})\b(?! (?:shift|news|paper|train|flight|edition|post))",
    re.IGNORECASE,
)
_BEFORE_PART = ("before ", "pre-", "before the ")
_AHEAD_OF_PART = 270
"""Minutes ahead of dawn that "before dawn" allows."""
_NEAR, _SHORTLY = 20, 35
"""Minutes that "about" and "shortly before" cover."""
DAY = 1440


class FoundTime(NamedTuple):
    """Time in a sentence, by its characters in the sentence's line."""

    kind: ClaimKind
    start: int
    end: int
    figure: tuple[int, int]
    interval: ValueRange
    unit: str
    relative: str = ""


def find_clocks(line: str, taken: set[int]) -> Iterator[FoundTime]:
    """Yield the times of day of a line of text."""
    lower = line.lower()
    for cued in _CLOCKS:
        pattern = cued.of(lower)
        for match in pattern.finditer(line) if pattern else ():
            time = _clock(match) if taken.isdisjoint(range(*match.span())) else None
            if time is not None:
                taken.update(range(time.start, time.end))
                yield time
    for match in _PART.finditer(line):
        if taken.isdisjoint(range(*match.span())):
            low, high = _PARTS[match[0].lower()]
            low -= _AHEAD_OF_PART * line[: match.start()].lower().endswith(_BEFORE_PART)
            yield FoundTime("clock", *match.span(), match.span(), between(low, high), "day")


def _clock(match: re.Match[str]) -> FoundTime | None:
    groups = {name: (value or "").lower() for name, value in match.groupdict().items()}
    line, half, part = match.string, groups.get("half", ""), groups.get("part", "")
    if groups.get("named"):
        minutes, exact = 720 * (groups["named"] != "midnight"), True
    else:
        hour_word = {"noon": "12", "midnight": "0"}.get(groups["hour"], groups["hour"])
        hour, minute = int(number_value(hour_word)), int(groups.get("minute") or 0)
        if hour > 24 or minute > 59:
            return None
        if past := groups.get("past"):
            quarters = {"a quarter": 15, "quarter": 15, "half": 30}
            step = quarters.get(past) or int(number_value(past.split(" ")[0]))
            minute += step if groups["side"] in ("past", "after") else -step
        exact = bool(half or part) or hour > 12 or groups["hour"][0] in "0nm"
        if exact and hour <= 12:
            late = half == "p" or (not half and part != "morning" and bool(part))
            early = part == "night" and hour in (12, 1, 2, 3)
            hour = hour % 12 + 12 * (late and not early)
        minutes = (hour * 60 + minute) % DAY
    if groups.get("from"):
        low = int(number_value(groups["from"])) % 12 * 60 + int(groups["fromminute"] or 0)
        low += 720 * (half == "p" and low + 720 <= minutes)
        return FoundTime("clock", *match.span(), match.span(), between(low, minutes), "day")
    bound, start = "", match.start()
    lower = line[:start].lower()
    for lead_pattern in _LEADS:
        pattern = lead_pattern.of(lower)
        if pattern and (lead := pattern.search(line[:start])):
            bound, start = lead_pattern.key, lead.start()
            break
    low, high = {
        "before": (minutes - _SHORTLY, minutes - 1),
        "after": (minutes + 1, minutes + _SHORTLY),
        "about": (minutes - _NEAR, minutes + _NEAR),
        "earlier": (min(0, minutes - DAY // 2), minutes),
        "later": (minutes, max(DAY - 1, minutes + DAY // 2)),
        "": (minutes, minutes),
    }[bound]
    unit = "day" if exact else "half"
    if zone := _ZONE.match(line[match.end() :]):
        name = (zone["zone"] or zone["land"] + (zone["light"] or "")).lower()
        ahead = _OFFSETS.get(name)
        unit = f"day {name}" if ahead is None else "day utc"
        low, high = low - 60 * (ahead or 0), high - 60 * (ahead or 0)
    interval = ValueRange(low, high, 0.0, bool(bound))
    return FoundTime("clock", start, match.end(), match.span(), interval, unit)


def compare_clocks(first: ValueRange, second: ValueRange, period: int) -> str:
    """Compare two times of day on a clock that repeats every `period` minutes."""
    wide = max(first.high - first.low, second.high - second.low) >= DAY // 2
    answers = {
        compare_intervals(
            first, ValueRange(second.low + turn, second.high + turn, 0.0, second.bounded)
        )
        for turn in ((0,) if wide else (-2 * period, -period, 0, period, 2 * period))
    }
    ranked = ("equal", "entails", "entailed", "overlap")
    return next((answer for answer in ranked if answer in answers), "exclude")


_MONTHS = "|".join(name for name in MONTHS if name[-1] != ".")
_DATES = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in (
        (
            "holiday",
            r"\b(?P<name>christmas eve|christmas day|boxing day|new year['’]s eve|new year['’]s day"
            r"|halloween|valentine['’]s day|bastille day|independence day)\b",
        ),
        ("decade", r"\b(?:the )?(?P<year>1[5-9]\d0|20\d0)s\b"),
        ("weekend", r"\b(?P<which>last|this|next|the|over the) weekend\b"),
        ("then", r"\bthe day (?P<which>before yesterday|after tomorrow)\b"),
        ("week from", r"\ba week from (?P<which>tomorrow|\w+day)\b"),
        (
            "season",
            r"\b(?:(?P<which>last|this|next|the) )?(?P<name>spring|summer|autumn|winter)"
            r"(?: of (?P<year>\d{4}))?\b",
        ),
        (
            "edge",
            r"\b(?:the )?(?P<which>beginning|start|middle|end|last day|first day) of "
            rf"(?P<unit>last month|this month|next month|{_MONTHS})(?: (?P<year>\d{{4}}))?\b",
        ),
        ("past", r"\b(?:within|in|over|during) the (?:past|last) (?P<unit>week|month)\b"),
        (
            "nth",
            rf"\bthe (?P<day>\d{{1,2}})(?:st|nd|rd|th) of (?P<unit>{_MONTHS})"
            r"(?: (?P<year>\d{4}))?\b",
        ),
        ("week", rf"\b(?P<which>first|second|third|last) week (?:of|in) (?P<unit>{_MONTHS})\b"),
        (
            "ago",
            rf"\b(?P<n>an?|{'|'.join(w for w in NUMBER_WORDS if '-' not in w)}|\d{{1,3}}) "
            r"(?P<unit>day|week|month|year|decade)s? (?:ago|earlier)\b",
        ),
        (
            "partly",
            r"\b(?P<which>early|earlier|mid|late|later)(?: in)?[ -](?P<this>this )?"
            rf"(?P<unit>week|month|year|(?:1[5-9]|20)\d\d|{_MONTHS})\b"
            r"(?:,?(?: of)? (?P<year>(?:19|20)\d\d)\b)?",
        ),
    )
}
_HOLIDAYS = {"christmas eve": (12, 24), "christmas day": (12, 25), "boxing day": (12, 26)}
_HOLIDAYS |= {"new year's eve": (12, 31), "new year's day": (1, 1), "halloween": (10, 31)}
_HOLIDAYS |= {"valentine's day": (2, 14), "bastille day": (7, 14), "independence day": (7, 4)}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
_SIDES = (
    ("until", re.compile(r"\b(?:until|till) (?:the )?", re.IGNORECASE)),
    ("before", re.compile(r"\b(?:before|by|prior to) (?:the )?", re.IGNORECASE)),
    ("after", re.compile(r"\bafter (?:the )?", re.IGNORECASE)),
)
_NOT_UNTIL = re.compile(r"(?:\bnot|n['’]t)\b[^.;]{1,60} until [^,;]{1,30}$", re.IGNORECASE)
_RANGE = re.compile(
    r" ?[-–—] ?(?P<last>\d{1,2})\b"
    r"| (?:people|men|women|children|(?!(?:days|was|has)\b)[a-z]{3,}s)\b"
)
"""End of a range of days, or a counted noun ("In May 10 people")."""
_CLOCK_LEADS = frozenset(("at", "about", "around", ",", "before", "after", "local", "time"))
UNKNOWN = date(2001, 6, 13)
"""Substitute for an unknown day of publication; a Wednesday in mid-year."""

Days = tuple[date, date]


def find_dates(
    line: str,
    tokens: Sequence[Token],
    offset: dict[int, int],
    published: date | None,
    clocks: Collection[int],
) -> Iterator[FoundTime]:
    """Yield the days, weeks, months and years of a sentence.

    `offset` has positions in the line by offsets of the document. `clocks` has the characters of
    the line that give a time of day.
    """
    day = published or UNKNOWN
    taken: set[int] = set()
    for name, pattern in _DATES.items():
        for match in pattern.finditer(line):
            dated = _days_of(name, match, day) if taken.isdisjoint(range(*match.span())) else None
            if dated is not None:
                taken.update(range(*match.span()))
                yield _date(line, match.span(), *dated)
    for time in find_times(tokens, day):
        time_tokens = tokens[time.first : time.end]
        named = [
            place
            for place, token in enumerate(time_tokens)
            if offset.get(token.start) not in clocks and token.text.lower() not in _CLOCK_LEADS
        ]
        if time.days is None or not named or time_tokens[named[0]].start not in offset:
            continue
        start, end = offset[time_tokens[named[0]].start], offset[time_tokens[named[-1]].end - 1]
        if not taken.isdisjoint(range(start, end + 1)):
            continue
        taken.update(range(start, end + 1))
        days = time.days
        if "day" in time.fixed and (after := _RANGE.match(line[end + 1 :])):
            if after["last"] is None or not days[0].day < int(after["last"]) <= 28:
                continue
            days = days[0], days[0].replace(day=int(after["last"]))
            end += after.end()
        base = ""
        if "year" not in time.fixed:
            base = "year" if "month" in time.fixed else "publication"
            if "weekday" in time.fixed and base == "publication" and "shift" not in time.fixed:
                base = "weekday"
        part = _PARTS.get(time.fixed.get("part", ""), (0, DAY))
        yield _date(line, (start, end + 1), days, base, part if days[0] == days[1] else (0, DAY))


def _date(
    line: str, span: tuple[int, int], days: Days, base: str, part: tuple[int, int] = (0, DAY)
) -> FoundTime:
    """Build a time from the start of its first day to the end of its last, or a `part` of a day."""
    low = days[0].toordinal() + part[0] / DAY
    high = days[1].toordinal() + min(part[1], DAY - 1) / DAY
    phrase = f"{line[span[0] : span[1]]} "
    side = next((s for s, p in _SIDES if _ends_with(p, line[: span[0]]) or p.match(phrase)), "")
    if side == "until" and _NOT_UNTIL.search(line[: span[1]]):
        side = ""
    unit = "day" if days[0] == days[1] else "days"
    interval = ValueRange(low, high, 0.0, days[0] != days[1])
    lead = re.match(r"(?:on|in|since|by|until|during) ", phrase, re.IGNORECASE)
    figure = (span[0] + len(lead[0]) if lead else span[0], span[1])
    return FoundTime("date", *span, figure, interval, unit, f"{base} {side}".strip())


def _ends_with(pattern: re.Pattern[str], text: str) -> bool:
    return any(match.end() == len(text) for match in pattern.finditer(text))


def _days_of(name: str, match: re.Match[str], day: date) -> tuple[Days, str] | None:
    """Return the days of a phrase, and their base; None beyond the calendar."""
    try:
        return _days_named(name, match, day)
    except (ValueError, OverflowError):
        return None


def _days_named(name: str, match: re.Match[str], day: date) -> tuple[Days, str] | None:
    """Return the days of a phrase, and the base that they are counted from."""
    groups = {key: (value or "").lower() for key, value in match.groupdict().items()}
    which, unit = groups.get("which", ""), groups.get("unit", "")
    year = int(groups["year"]) if groups.get("year") else None
    one_day = timedelta(days=1)
    match name:
        case "holiday":
            holiday = date(day.year, *_HOLIDAYS[groups["name"].replace("’", "'")])
            holiday = holiday.replace(year=day.year - 1) if (holiday - day).days > 180 else holiday
            return (holiday, holiday), "year"
        case "decade":
            return (date(year or 1, 1, 1), date((year or 1) + 9, 12, 31)), ""
        case "weekend":
            saturday = day - timedelta(days=(day.weekday() - 5) % 7)
            ahead = which in ("this", "next") and day.weekday() < 5
            saturday += timedelta(days=7 * ahead)
            return (saturday - one_day, saturday + one_day), "publication"
        case "then":
            then = day + (-2 if which.startswith("before") else 2) * one_day
            return (then, then), "publication"
        case "week from":
            away = 1 if which == "tomorrow" else (WEEKDAYS.get(which, 7) - day.weekday()) % 7
            then = day + (away + 7) * one_day
            return ((then, then), "publication") if which in ("tomorrow", *WEEKDAYS) else None
        case "season":
            return _season(groups["name"], which, year, day)
        case "past":
            return (day - (7 if unit == "week" else 31) * one_day, day), "publication"
        case "ago":
            count = 1 if groups["n"] in ("a", "an") else int(number_value(groups["n"]))
            return _ago(count, unit, day), "publication"
    step = {"last month": -1, "next month": 1}.get(unit, 0)
    span = _unit(unit.removeprefix("this ") if not step else "month", day, step)
    if span is None or (name == "partly" and which in ("earlier", "later") and not groups["this"]):
        return None
    if year:
        span = _month(year, span[0].month)
    base = "" if year or unit.isdigit() else "year" if unit in MONTHS else "publication"
    first, last = span
    length = (last - first).days + 1
    number = int(groups["day"]) if name == "nth" else 1
    if number > length:
        return None
    parts: dict[str, Days] = {
        "": (first + (number - 1) * one_day, first + (number - 1) * one_day),
        "beginning": (first, first + 9 * one_day),
        "start": (first, first + 9 * one_day),
        "middle": (first + 9 * one_day, first + 19 * one_day),
        "end": (last - 9 * one_day, last),
        "first day": (first, first),
        "last day": (last, last),
        "first": (first, first + 6 * one_day),
        "second": (first + 7 * one_day, first + 13 * one_day),
        "third": (first + 14 * one_day, first + 20 * one_day),
        "last": (last - 7 * one_day, last),
        "early": (first, first + max(1, length * 2 // 5) * one_day),
        "mid": (first + length // 4 * one_day, last - length // 4 * one_day),
        "late": (last - max(1, length * 2 // 5) * one_day, last),
        "earlier": (first, max(first, day - one_day)),
        "later": (min(last, day + one_day), last),
    }
    return parts[which], base


def _season(name: str, which: str, year: int | None, day: date) -> tuple[Days, str] | None:
    """Return the three months of a season; "last summer" is the latest that is over."""
    if not (which or year):
        return None
    start = _SEASONS[name]

    def days(of: int) -> Days:
        first = date(of - (start == 12), start, 1)
        return first, (first + timedelta(days=95)).replace(day=1) - timedelta(days=1)

    if year is not None:
        return days(year), ""
    season = days(day.year)
    if which == "next" or (which == "last" and season[1] >= day):
        season = days(day.year + (1 if which == "next" else -1))
    elif which == "the" and season[0] > day:
        season = days(day.year - 1)
    return season, "year" if which == "the" else "publication"


def _ago(count: int, unit: str, day: date) -> Days:
    if unit == "day":
        back = day - timedelta(days=count)
        return back, back
    if unit == "week":
        middle = day - timedelta(weeks=count)
        return middle - timedelta(days=3), middle + timedelta(days=3)
    if unit == "month":
        months = day.year * 12 + day.month - 1 - count
        return _month(months // 12, months % 12 + 1)
    year = max(1, day.year - count * (10 if unit == "decade" else 1))
    return date(year, 1, 1), date(year, 12, 31)


def _unit(unit: str, day: date, step: int = 0) -> Days | None:
    if unit == "week":
        monday = day - timedelta(days=day.weekday())
        return monday, monday + timedelta(days=6)
    if unit.isdigit():
        return date(int(unit), 1, 1), date(int(unit), 12, 31)
    if unit == "year":
        return date(day.year, 1, 1), date(day.year, 12, 31)
    if unit == "month":
        return _ago(-step, "month", day)
    month = MONTHS.get(unit)
    return None if month is None else _month(day.year - (month > day.month), month)


def _month(year: int, month: int) -> Days:
    first = date(year, month, 1)
    return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
