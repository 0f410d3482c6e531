"""What a MUC document says about itself: headline, date, source."""

from __future__ import annotations

import re
from datetime import date

from tatian.coreference.data.headers import find_date
from tatian.coreference.data.muc.elements import ScannedDocument
from tatian.text import Metadata

_AMERICAN = re.compile(r"\b(\d{1,2})/(\d{1,2})/(\d{2}|\d{4})\b")
_ISO = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_DIGITS = re.compile(r"\b((?:\d\d)?\d\d)(\d\d)(\d\d)\b")
_CENTURY = 50
"""Two digits from here on are a year of the twentieth century."""
_TABLE_MARK = re.compile(r"^[ \t]*@+", re.MULTILINE)


def describe(document: ScannedDocument, path: str | None) -> Metadata:
    """The headline, the date that is annotated (the second of two) and the source."""
    headline = _TABLE_MARK.sub(" ", _content(document, "HL"))
    dates = [part for part in document.parts if part.name == "DD" and part.annotated]
    written = dates[0].of(document.text) if dates else _content(document, "DATE")
    return Metadata(
        title=" ".join(headline.split()) or None,
        date=read_date(written),
        source=" ".join(_content(document, "SO").split()) or None,
        path=path,
    )


def read_date(written: str) -> str | None:
    """A date as ISO 8601; ``01/05/94`` is read the American way, as in the articles of MUC-6."""
    if found := _AMERICAN.search(written):
        month, day, year = found.groups()
    elif found := _ISO.search(written) or _DIGITS.search(written):
        year, month, day = found.groups()
    else:
        return find_date(written.split())
    century = (1900 if int(year) >= _CENTURY else 2000) if len(year) == 2 else 0
    try:
        return date(century + int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None


def _content(document: ScannedDocument, name: str) -> str:
    for element in document.elements:
        if element.name == name:
            return element.content.of(document.text)
    return ""
