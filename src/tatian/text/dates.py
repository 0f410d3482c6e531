"""Days and times named in texts, so that "yesterday" can match "Monday" and "March 14"."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from msgspec import Struct

from tatian.text.layers import SourcedToken
from tatian.text.lexicon import MONTHS, NUMBER_WORDS, RELATIVE_DATES, WEEKDAYS, word_set
from tatian.text.spans import Token

YEAR_UNKNOWN = 4
"""Year of dates that have only month and day; a leap year, so that every day exists."""

_FULL_DATE = re.compile(
    r"\b(?:(?P<month>[A-Z][a-z]{2,8})\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?,? (?P<year>\d{4})"
    r"|(?P<day2>\d{1,2})(?:st|nd|rd|th)? (?P<month2>[A-Z][a-z]{2,8})\.?,? (?P<year2>\d{4})"
    r"|(?P<month3>\d{1,2})/(?P<day3>\d{1,2})/(?P<year3>\d{4})"
    r"|(?P<year4>(?:1[89]|20)\d\d)[-/](?P<month4>\d{1,2}|[a-z]{3})[-/](?P<day4>\d{1,2}))\b",
    re.IGNORECASE,
)
_MAX_DAYS_AHEAD = 180
"""Days after publication beyond which a text gives the year."""
_FUTURE_MARKERS = word_set("will 'll ’ll shall scheduled due expected")
"""Words after which a weekday is in the future."""
_WITHOUT_DAY = word_set("next this until every the that each a one their his her our")
"""Words after which a weekday names no known day: "their Sunday clothes"."""
_MARKER_REACH = 12
"""Number of words before a weekday in which `_FUTURE_MARKERS` are sought."""


def written_day(text: str) -> date | None:
    """Return the first day given in full: "June 13, 2013", "13 Jun 2013", "6/13/2013"."""
    for match in _FULL_DATE.finditer(text):
        parts = {name.rstrip("234"): value for name, value in match.groupdict().items() if value}
        month, day = month_number(parts["month"]), int(parts["day"])
        if month > 12 >= day:
            month, day = day, month
        if (written := calendar_day(parts["year"], month, day)) is not None:
            return written
    return None


def calendar_day(year: int | str, month: int | str, day: int | str) -> date | None:
    """Return the day of these numbers, the month perhaps by its name; None if there is none."""
    try:
        return date(int(year), month_number(str(month)), int(day))
    except (ValueError, OverflowError):
        return None


def month_number(name: str) -> int:
    """Return 1 to 12 for a month's name, its first letters or a number; 0 for other words."""
    if name.isdecimal():
        return int(name)
    lower = name.lower()
    return next((n for full, n in MONTHS.items() if full == lower or full == f"{lower[:3]}."), 0)


def day_names(day: date) -> list[str]:
    """Return the names of a day in lower case: weekday, month, day and, if known, year."""
    names = [name for name, number in WEEKDAYS.items() if number == day.weekday()]
    months = [name for name, number in MONTHS.items() if number == day.month]
    return [*names, *months, str(day.day), *([str(day.year)] if day.year > YEAR_UNKNOWN else [])]


def named_days(tokens: Sequence[Token | SourcedToken], day: date | None) -> dict[int, date]:
    """Return the day that each token names or helps to name; nothing if `day` is unknown.

    `day` is the day of publication. "March 14" and words such as "yesterday" count, and weekdays
    if the year is known. A weekday is the latest one not after `day`, as in news, or the next after
    "will" or "for". Weekdays after "next", "the" and the like are skipped.
    """
    days: dict[int, date] = {}
    if day is None:
        return days
    for index, token in enumerate(tokens):
        word = token.text.lower()
        relative = RELATIVE_DATES.get(word)
        if relative is not None and relative.unit == "day":
            days[index] = day + timedelta(days=relative.amount)
        elif word in WEEKDAYS and token.text[0].isupper() and day.year != YEAR_UNKNOWN:
            before = tokens[index - 1].text.lower() if index else ""
            if before in _WITHOUT_DAY:
                continue
            near = [other.text.lower() for other in tokens[max(0, index - _MARKER_REACH) : index]]
            is_to = re.search(r"\b(?:is|are) to ", " ".join(near))
            ahead = before == "for" or bool(is_to) or not _FUTURE_MARKERS.isdisjoint(near)
            past = weekday_near(WEEKDAYS[word], "", day)
            days[index] = past + timedelta(days=7 * (ahead and past != day))
        else:
            named = month_and_day(tokens, index) or _day_and_month(tokens, index)
            after = tokens[index + 2 : index + 4]
            year = next((other.text for other in after if other.text != ","), "")
            dated = year.isdecimal() and 3 <= len(year) <= 4
            written = named and (calendar_day(year, *named) if dated else written_on(*named, day))
            if written is not None:
                days[index] = days[index + 1] = written
    return days


def month_and_day(tokens: Sequence[Token | SourcedToken], place: int) -> tuple[int, int] | None:
    """Read "March 14" at `place`, without checking that March has so many days."""
    return _month_and_number(*(token.text for token in tokens[place : place + 2]))


def _day_and_month(tokens: Sequence[Token | SourcedToken], place: int) -> tuple[int, int] | None:
    """Read "14 March" at `place`."""
    words = [token.text for token in tokens[place : place + 2]]
    return _month_and_number(*reversed(words)) if words[-1][:1].isupper() else None


def _month_and_number(name: str, number: str = "") -> tuple[int, int] | None:
    month = MONTHS.get(name.lower())
    return (month, int(number)) if month and number.isdecimal() and len(number) < 3 else None


def written_on(month: int, day: int, published: date) -> date | None:
    """Return the day that a text of this date means: last year's, if this year's is far ahead."""
    written = calendar_day(published.year, month, day)
    ahead = written is not None and (written - published).days > _MAX_DAYS_AHEAD
    return written.replace(year=written.year - 1) if written is not None and ahead else written


PARTS_OF_DAY = word_set("morning afternoon evening night noon midnight overnight dawn dusk midday")
CALENDAR_UNITS = word_set("day week weekend month year")
PAST_WORDS = word_set("last previous past preceding")
FUTURE_WORDS = word_set("next following coming")
_SHIFTS = PAST_WORDS | FUTURE_WORDS | {"this"}
_INNER_WORDS = _SHIFTS | word_set("the of on , in at early late earlier later same local time")
_LEADING_WORDS = _INNER_WORDS - {",", "of", "local", "time"} | word_set("since by until during")
_CLOCK = re.compile(r"\d{1,2}(?::\d\d)(?:[ap]m)?|\d{1,2}[ap]m", re.IGNORECASE)
_COUNTS = frozenset(NUMBER_WORDS) | word_set("a an several few")
_HALVES = word_set("a.m. p.m. am pm")
_BEFORE_MAY = word_set("in of last this since late early")
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_YEAR = re.compile(r"(?:1[89]|20)\d\d")


class Time(Struct, frozen=True):
    """Time named in a sentence: its words, and what they state."""

    first: int
    end: int
    """End of its words in the sentence."""
    parts: Mapping[str, str]
    """Values by name: weekday, month, day, year, part, clock, relative, ago, grain, shift."""
    days: tuple[date, date] | None = None
    """First and last day it can be, where that is known."""

    @property
    def names_day(self) -> bool:
        """True if it names one day, whether or not it is known which."""
        if self.days is not None:
            return self.days[0] == self.days[1]
        return bool(self.parts.keys() & {"weekday", "day"}) or self.parts.get("grain") == "day"

    @property
    def within_day(self) -> dict[str, str]:
        """Its parts that name an hour or a part of the day."""
        return {key: self.parts[key] for key in ("part", "clock") if key in self.parts}


def find_times(tokens: Sequence[Token], published: date | None) -> list[Time]:
    """Return the times that the words of a sentence name, in order."""
    words = [token.text for token in tokens]
    classes = [_word_class(words, place) for place in range(len(words))]
    times = []
    for first, end in _runs(words, classes):
        if parts := _parts_of(words, classes, first, end):
            while first and words[first - 1].lower() in _LEADING_WORDS:
                first -= 1
            times.append(Time(first, end, parts, _possible_days(parts, published)))
    return times


def _word_class(words: Sequence[str], place: int) -> str:
    """Return the class of a word in a time; empty if it has none."""
    word = words[place]
    lower = word.lower()
    before = words[place - 1].lower() if place else ""
    after = words[place + 1].lower() if place + 1 < len(words) else ""
    if lower in WEEKDAYS and word[0].isupper():
        return "weekday"
    if lower in MONTHS and word[0].isupper():
        return "month" if lower != "may" or before in _BEFORE_MAY or after[:1].isdigit() else ""
    if _CLOCK.fullmatch(word) or (lower in _HALVES and before[:1].isdigit()):
        return "clock"
    if word[0].isdigit():
        if _DAY.fullmatch(lower) and (before in MONTHS or after in MONTHS):
            return "day"
        if _YEAR.fullmatch(word) and (before in MONTHS or before in {"in", ",", "since", "of"}):
            return "year"
        return "clock" if after in _HALVES else ""
    if lower in RELATIVE_DATES:
        return "relative"
    if lower in PARTS_OF_DAY and before not in {"the", "a"}:
        return "part"
    if lower in CALENDAR_UNITS and before in _SHIFTS:
        return "unit"
    if lower in {"ago", "earlier"} and before.removesuffix("s") in CALENDAR_UNITS and place > 1:
        count = words[place - 2].lower()
        return "ago" if count.isdecimal() or count in _COUNTS else ""
    return ""


def _runs(words: Sequence[str], classes: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield stretches of time words with only function words between them."""
    place = 0
    while place < len(words):
        if not classes[place]:
            place += 1
            continue
        first, end = place, place + 1
        seen = {classes[place]}
        while end < len(words):
            reach = end
            while (
                reach < len(words) and not classes[reach] and words[reach].lower() in _INNER_WORDS
            ):
                reach += 1
            if reach >= len(words) or not classes[reach] or reach - end > 2:
                break
            if classes[reach] in seen and classes[reach] != "clock":
                break
            seen.add(classes[reach])
            end = reach + 1
        if classes[first] == "ago":
            first -= 2
        yield first, end
        place = end


def _parts_of(words: Sequence[str], classes: Sequence[str], first: int, end: int) -> dict[str, str]:
    parts: dict[str, str] = {}
    for place in range(first, end):
        word, kind = words[place].lower(), classes[place]
        before = words[place - 1].lower() if place else ""
        if kind == "weekday":
            parts["weekday"] = str(WEEKDAYS[word])
        elif kind == "month":
            parts["month"] = str(MONTHS[word])
        elif kind == "day" and (match := _DAY.fullmatch(word)):
            parts["day"] = str(int(match[1]))
        elif kind in {"year", "part"}:
            parts[kind] = word
        elif kind == "clock":
            parts["clock"] = parts.get("clock", "") + word.replace(".", "").replace("m", "")
        elif kind == "relative":
            parts["relative"], parts["grain"] = word, "day"
            parts |= {"part": "night"} if word == "tonight" else {}
        elif kind == "unit":
            parts["grain"] = word
        elif kind == "ago":
            parts |= {"ago": words[place - 2].lower(), "grain": before.removesuffix("s")}
        if before in _SHIFTS and kind in {"weekday", "unit", "month", "part"}:
            parts["shift"] = (
                "back" if before in PAST_WORDS else "on" if before in FUTURE_WORDS else "this"
            )
            parts |= {"shift": "next"} if (before, kind) == ("next", "weekday") else {}
    if "part" in parts and "shift" in parts:
        parts.setdefault("grain", "day")
    return parts


def _possible_days(parts: Mapping[str, str], published: date | None) -> tuple[date, date] | None:
    """Return the first and last possible day of a time; None if they cannot be known."""
    year = int(parts["year"]) if "year" in parts else None
    month = int(parts["month"]) if "month" in parts else None
    published = None if published and published.year == YEAR_UNKNOWN else published
    if month is not None and "day" in parts:
        day = int(parts["day"])
        dated = written_on(month, day, published) if published and year is None else None
        named = dated if year is None else calendar_day(year, month, day)
        return (named, named) if named else None
    if month is not None:
        return month_days(year, month, published)
    if year is not None:
        return date(year, 1, 1), date(year, 12, 31)
    if published is None:
        return None
    if "weekday" in parts:
        return (weekday_near(int(parts["weekday"]), parts.get("shift", ""), published),) * 2
    if "relative" in parts:
        return (published + timedelta(days=RELATIVE_DATES[parts["relative"]].amount),) * 2
    if "ago" in parts:
        return days_ago(parts["ago"], parts["grain"], published)
    if parts.get("grain") == "day" and "part" in parts:
        return (published - timedelta(days=parts["shift"] == "back"),) * 2
    move = {"back": -1, "on": 1, "this": 0}.get(parts.get("shift", ""))
    return None if move is None else unit_days(parts.get("grain", ""), move, published)


def month_days(
    year: int | None, month: int, published: date | None = None
) -> tuple[date, date] | None:
    """Return the first and last day of a month; without a year, of the one that a text means."""
    dated = written_on(month, 1, published) if published and year is None else None
    first = calendar_day(year, month, 1) if year is not None else dated
    return (first, first.replace(day=monthrange(first.year, month)[1])) if first else None


def weekday_near(weekday: int, shift: str, published: date) -> date:
    """Return the weekday that a text of this date means, after a word such as "next" or "last"."""
    back = (published.weekday() - weekday) % 7
    if shift == "next":
        return published + timedelta(days=7 + weekday - published.weekday())
    if shift == "on":
        return published + timedelta(days=7 - back if back else 7)
    return published - timedelta(days=7 if shift == "back" and not back else back)


_LENGTHS = {"day": (1, 0), "week": (7, 3)}
"""Length of each unit in days, and by how many days "two weeks ago" may be off."""


def days_ago(count: str, grain: str, published: date) -> tuple[date, date] | None:
    """Return the first and last possible day of "five days ago"; None for months and years."""
    number = int(count) if count.isdecimal() else NUMBER_WORDS.get(count, count in {"a", "an"})
    if not number or grain not in _LENGTHS or number > 366:
        return None
    length, leeway = _LENGTHS[grain]
    middle = published - timedelta(days=number * length)
    return middle - timedelta(days=leeway), middle + timedelta(days=leeway)


def unit_days(unit: str, move: int, published: date) -> tuple[date, date] | None:
    """Return the days of the week, month or year that is `move` units after that of a day."""
    if unit == "week":
        monday = published - timedelta(days=published.weekday() - 7 * move)
        return monday, monday + timedelta(days=6)
    if unit == "month":
        months = published.year * 12 + published.month - 1 + move
        return month_days(months // 12, months % 12 + 1)
    if unit == "year":
        year = published.year + move
        return date(year, 1, 1), date(year, 12, 31)
    return None
