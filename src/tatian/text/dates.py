"""Days that a text names, so that "yesterday" meets "Monday" and "March 14"."""

from __future__ import annotations

import re
from calendar import isleap
from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from tatian.text.documents import Document
from tatian.text.lexicon import MONTHS, RELATIVE_DATES, WEEKDAYS
from tatian.text.spans import Token

YEAR_UNKNOWN = 4
"""Stands for the year where a text gives only month and day; a leap year, so every day exists."""

_DATELINE = re.compile(
    r"^[ \t]*(?P<place>[A-Z][A-Z .,'’/-]{2,40}?)"
    r"(?:, ?[A-Z][a-z]{2,10}\.?(?! \d)(?: [A-Z][a-z]+)?)?,?(?: ?\([\w ]+\))?"
    r"(?:,? (?:(?P<month>[A-Z][a-z]{2,8}\.?) (?P<day>\d{1,2})"
    r"|(?P<day2>\d{1,2}) (?P<month2>[A-Z][a-z]{2,8}\.?))(?:,? (?P<year>\d{4}))?)?"
    r"(?:, \d{1,2}[:.]\d\d)?(?: \([\w ]+\))?(?: ?(?:--|–) ?| - | ?— ?)(?=[^\sa-z])",
    re.MULTILINE,
)
_WRITTEN = re.compile(
    r"\b(?:(?P<month>[A-Z][a-z]{2,8})\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?,? (?P<year>\d{4})"
    r"|(?P<day2>\d{1,2})(?:st|nd|rd|th)? (?P<month2>[A-Z][a-z]{2,8})\.?,? (?P<year2>\d{4})"
    r"|(?P<month3>\d{1,2})/(?P<day3>\d{1,2})/(?P<year3>\d{4})"
    r"|(?P<year4>\d{4})-(?P<month4>\d{2})-(?P<day4>\d{2}))\b",
    re.IGNORECASE,
)
_FAR = 600
"""A dateline stands within so many characters of the start."""


def dateline(text: str) -> re.Match[str] | None:
    """The "HALVERNE, March 14 - " that opens a report, if there is one; best with its date."""
    found = list(_DATELINE.finditer(text, 0, _FAR))
    return next((one for one in found if one["day"] or one["day2"]), next(iter(found), None))


def written_day(text: str) -> date | None:
    """The first day that a text gives in full: "June 13, 2013", "13 Jun 2013", "6/13/2013"."""
    for found in _WRITTEN.finditer(text):
        parts = {name.rstrip("234"): value for name, value in found.groupdict().items() if value}
        month = _month(parts["month"])
        day, year = int(parts["day"]), int(parts["year"])
        if month > 12 >= day:
            month, day = day, month
        try:
            return date(year, month, day)
        except ValueError:
            continue
    return None


def _month(name: str) -> int:
    """1 to 12 by a name, its first letters or a number; 0 for other words."""
    if name.isdecimal():
        return int(name)
    lower = name.lower()
    return next((n for full, n in MONTHS.items() if full == lower or full == f"{lower[:3]}."), 0)


def published(document: Document) -> date | None:
    """The day a document was published: from its metadata, else from its dateline.

    The first and the last year there can be, which some systems write for "unknown", are no days.
    """
    try:
        if document.metadata.date:
            day = date.fromisoformat(document.metadata.date[:10])
        else:
            found = dateline(document.text)
            month = _month(found["month"] or found["month2"] or "") if found else 0
            if found is None or not month:
                return None
            number = int(found["day"] or found["day2"])
            day = date(int(found["year"] or YEAR_UNKNOWN), month, number)
    except ValueError:
        return None
    return day if date.min.year < day.year < date.max.year else None


def publication_days(documents: Iterable[Document]) -> list[date | None]:
    """The day of each document; a dateline without a year takes one from the other documents."""
    days = [published(document) for document in documents]
    known = [day for day in days if day is not None and day.year != YEAR_UNKNOWN]
    return [
        _nearest(day, known) if known and day is not None and day.year == YEAR_UNKNOWN else day
        for day in days
    ]


def _nearest(day: date, known: Sequence[date]) -> date | None:
    """The same day of the year that makes it come nearest to one of `known`."""
    found = []
    for other in known:
        for year in (other.year - 1, other.year, other.year + 1):
            if (day.month, day.day) != (2, 29) or isleap(year):
                written = day.replace(year=year)
                found.append((abs(written - other), written))
    return min(found)[1] if found else None


def named_days(tokens: Sequence[Token], day: date | None) -> dict[int, date]:
    """For each token that names a day on its own, which one, in a text published on `day`.

    Month names with a number count ("March 14", the year being that of publication), and with a
    publication day also weekdays (the latest one not after it, as news writes) and words such as
    "yesterday". Weekdays after "next" and the like are left alone.
    """
    found: dict[int, date] = {}
    if day is None:
        return found
    for index, token in enumerate(tokens):
        word = token.text.lower()
        relative = RELATIVE_DATES.get(word)
        if relative is not None and relative.unit == "day":
            found[index] = day + timedelta(days=relative.amount)
        elif word in WEEKDAYS and token.text[0].isupper() and day.year != YEAR_UNKNOWN:
            if index and tokens[index - 1].text.lower() in {"next", "this", "until", "every"}:
                continue
            found[index] = day - timedelta(days=(day.weekday() - WEEKDAYS[word]) % 7)
        elif word in MONTHS and index + 1 < len(tokens) and tokens[index + 1].text.isdecimal():
            number = int(tokens[index + 1].text)
            try:
                written = date(day.year, MONTHS[word], number)
            except ValueError:
                continue
            if written - day > timedelta(days=180):
                written = written.replace(year=day.year - 1)
            found[index] = found[index + 1] = written
    return found
