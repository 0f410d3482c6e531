"""Days that a text names, so that "yesterday" meets "Monday" and "March 14"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from tatian.text.documents import Document
from tatian.text.lexicon import MONTHS, RELATIVE_DATES, WEEKDAYS
from tatian.text.spans import Token

YEAR_UNKNOWN = 4
"""Stands for the year where a text gives only month and day; a leap year, so every day exists."""

_DATELINE = re.compile(
    r"^[ \t]*(?P<place>[A-Z][A-Z .,'’-]{2,40}?)(?: ?\([\w ]+\))?"
    r"(?:,? (?P<month>[A-Z][a-z]{2,8}\.?) (?P<day>\d{1,2})(?:,? (?P<year>\d{4}))?)?"
    r"(?: \([\w ]+\))?(?: (?:-{1,2}|–) | ?— ?)(?=\S)",
    re.MULTILINE,
)
_FAR = 600
"""A dateline stands within so many characters of the start."""


def dateline(text: str) -> re.Match[str] | None:
    """The "HALVERNE, March 14 - " that opens a report, if there is one."""
    return _DATELINE.search(text, 0, _FAR)


def published(document: Document) -> date | None:
    """The day a document was published: from its metadata, else from its dateline."""
    if document.metadata.date:
        try:
            return date.fromisoformat(document.metadata.date[:10])
        except ValueError:
            return None
    found = dateline(document.text)
    month = MONTHS.get((found["month"] or "").lower()) if found else None
    if found is None or month is None:
        return None
    try:
        return date(int(found["year"] or YEAR_UNKNOWN), month, int(found["day"]))
    except ValueError:
        return None


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
        elif word in MONTHS and index + 1 < len(tokens) and tokens[index + 1].text.isdigit():
            number = int(tokens[index + 1].text)
            try:
                written = date(day.year, MONTHS[word], number)
            except ValueError:
                continue
            if written - day > timedelta(days=180):
                written = written.replace(year=day.year - 1)
            found[index] = found[index + 1] = written
    return found
