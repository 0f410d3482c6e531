"""Datelines of reports, and the days on which documents were written."""

from __future__ import annotations

import re
from calendar import isleap
from collections.abc import Iterable, Sequence
from datetime import date

from tatian.text.dates import YEAR_UNKNOWN, calendar_day, month_number, weekday_near
from tatian.text.documents import Document
from tatian.text.lexicon import WEEKDAYS

_DASH = r"(?: ?(?:--|–) ?| - | ?— ?)"
_LINE_END = rf"(?: ?\([\w ]+\))?\.?{_DASH}(?:\([A-Z]\w*(?: \w+){{0,2}}\){_DASH})?(?=[^\sa-z])"
_LINE_DAY = (
    r"(?:(?P<month>[A-Z][a-z]{2,8}\.?) (?P<day>\d{1,2})"
    r"|(?P<day2>\d{1,2}) (?P<month2>[A-Z][a-z]{2,8}\.?))(?:,? (?P<year>\d{4}))?"
)
_WEEKDAY = r"(?P<weekday>(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)"
_PART = r"(?: (?:[Mm]orning|[Aa]fternoon|[Ee]vening|[Nn]ight|midnight))?"
_AGENCY = r"^[ \t]*(?:\([A-Z][\w., :]{1,20}\) )?"
_DATELINE = re.compile(
    rf"{_AGENCY}"
    r"(?P<place>[A-Z][A-Z .,'’/-]{2,40}?)"
    rf"(?:, ?(?:{_WEEKDAY}{_PART}|[A-Z][a-z]{{2,10}}\.?(?! \d)(?: [A-Z][a-z]+)?))?,?"
    rf"(?: ?\([\w ]+\))?(?:,? {_LINE_DAY})?(?:, \d{{1,2}}[:.]\d\d)?{_LINE_END}",
    re.MULTILINE,
)
"""Datelines with the place in capitals; the day may be missing."""
_MIXED_DATELINE = re.compile(
    rf"{_AGENCY}"
    r"(?:(?P<place>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,3}), )?"
    rf"(?:{_WEEKDAY}{_PART}|{_LINE_DAY}){_LINE_END}",
    re.MULTILINE,
)
"""Datelines with the place in small letters, or without one, which must have a day."""
_LONE_DATELINE = re.compile(
    r"^[ \t]*(?P<place>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,3}), "
    rf"(?:{_WEEKDAY}{_PART}|{_LINE_DAY})\.?[ \t]*\n\s*",
    re.MULTILINE,
)
"""Datelines that are lines of their own."""
_DATELINES = (_DATELINE, _MIXED_DATELINE, _LONE_DATELINE)
_MAX_DAYS_TO_PRINT = 3
"""Maximum number of days between the writing of a report and its publication."""
_DATELINE_REACH = 600
"""Number of first characters of a text in which a dateline is sought."""


def dateline(text: str) -> re.Match[str] | None:
    """Find the "HALVERNE, March 14 - " that opens a report, if any, preferably with a date."""
    openings = [m for form in _DATELINES for m in form.finditer(text, 0, _DATELINE_REACH)]
    dated = [match for match in openings if match["day"] or match["day2"] or match["weekday"]]
    return min(dated or openings, key=lambda match: match.start(), default=None)


def is_day(text: str | None) -> bool:
    """Check whether a source's date begins with a day, as 2023-04-20T14:30 does, or is empty."""
    try:
        return not text or bool(date.fromisoformat(text[:10]))
    except ValueError:
        return False


def publication_day(document: Document) -> date | None:
    """Return the day on which a document was written: its dateline's, else its metadata's.

    A paper of June 8 prints a report with the dateline "LISBON, June 7" or "LISBON, Thursday", and
    its "tonight" is the 7th. The years 1 and 9999 are ignored: some systems write them for
    "unknown".
    """
    stated = document.metadata.date
    day = date.fromisoformat(stated[:10]) if stated and is_day(stated) else None
    day = day if day and date.min.year < day.year < date.max.year else None
    line = dateline(document.text)
    if line and (month := month_number(line["month"] or line["month2"] or "")):
        written = calendar_day(line["year"] or YEAR_UNKNOWN, month, line["day"] or line["day2"])
        if written and day and not line["year"]:
            written = _nearest(written, [day])
        if written and (day is None or 0 <= (day - written).days <= _MAX_DAYS_TO_PRINT):
            day = written
    elif line and line["weekday"] and day is not None:
        written = weekday_near(WEEKDAYS[line["weekday"].lower()], "", day)
        day = written if (day - written).days <= _MAX_DAYS_TO_PRINT else day
    return day


def publication_days(documents: Iterable[Document]) -> list[date | None]:
    """Return the day of each document; a dateline without a year takes one from the others."""
    days = [publication_day(document) for document in documents]
    known = [day for day in days if day is not None and day.year != YEAR_UNKNOWN]
    return [
        _nearest(day, known) if known and day is not None and day.year == YEAR_UNKNOWN else day
        for day in days
    ]


def _nearest(day: date, known: Sequence[date]) -> date | None:
    """Return the same day and month in the year that is nearest to one of the known days."""
    candidates = []
    for other in known:
        for year in (other.year - 1, other.year, other.year + 1):
            if (day.month, day.day) != (2, 29) or isleap(year):
                written = day.replace(year=year)
                candidates.append((abs(written - other), written))
    return min(candidates)[1] if candidates else None
