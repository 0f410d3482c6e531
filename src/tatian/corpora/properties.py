"""Credible metadata of a file: title, date, source."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta
from unicodedata import normalize

from tatian.corpora.web import iso_date
from tatian.text import Document, Metadata
from tatian.text.dates import YEAR_UNKNOWN, calendar_day, published, written_day

_NO_TITLE = re.compile(
    r"microsoft (word|powerpoint) - |untitled|(document|dokument|book|presentation)\s*\d*$|"
    r"no title|\(?(anonymous|unspecified)\)?$|.*\.(docx?|odt|rtf|pdf|indd|qxd|tex|html?)$",
    re.IGNORECASE,
)
"""Fillers that programs write for a missing title."""
_NOBODY = re.compile(
    r"\W*((microsoft|ms|open)? ?office ?(user)?|user|owner|admin(istrator)?|author|unknown|root|pc|"
    r"anonymous|unspecified|default|python-docx)\W*$",
    re.IGNORECASE,
)
_HEAD = 600
"""Characters at the head of a text that may hold its date."""
_SOON = timedelta(days=31)
"""Longest time between the dateline of a text and the making of its file."""
_PDF_DATE = re.compile(r"D:(\d{4})(\d\d)(\d\d)")
_LONGEST = 300
_LETTERS = str.maketrans(
    {
        **{ligature: normalize("NFKC", ligature) for ligature in "ﬀﬁﬂﬃﬄﬅﬆ"},
        **dict.fromkeys("\u00ad\u200b\ufeff", ""),
        **dict.fromkeys("\u2028\u2029\u0085", "\n"),
        "\u00a0": " ",
    }
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def build_document(
    paragraphs: Iterable[str],
    *,
    titles: Iterable[str | None] = (),
    source: str | None = None,
    created: str | None = None,
) -> Document:
    """Return a document without an id from paragraphs and metadata, without fillers.

    The first title that a person gave counts. The day on which a file was made counts only if the
    text has none at its head, or for the year of a dateline shortly before it.
    """
    text = "\n\n".join(filter(None, map(plain, paragraphs)))
    day = _day(text[:_HEAD], _PDF_DATE.sub(r"\1-\2-\3", created)[:10]) if created else None
    title = next(filter(None, (_line(title, _NO_TITLE) for title in titles)), None)
    about = Metadata(title=title, date=day, source=_line(source, _NOBODY))
    return Document("", text, about)


def _day(head: str, created: str) -> str | None:
    """Return the day on which a file was made or, if the text names a day, its year for that."""
    day = iso_date(created)
    written = published(Document("", head))
    if day is None or (written is None and written_day(head) is None):
        return day
    if written is None or written.year != YEAR_UNKNOWN:
        return None
    last = date.fromisoformat(day)
    years = (calendar_day(year, written.month, written.day) for year in (last.year, last.year - 1))
    near = (year for year in years if year and timedelta() <= last - year <= _SOON)
    return next((day_near.isoformat() for day_near in near), None)


def plain(paragraph: str) -> str:
    """Return its lines without blanks at their ends, ligatures, soft hyphens and controls."""
    whole = _CONTROLS.sub("", paragraph.translate(_LETTERS))
    lines = (" ".join(line.split()) for line in whole.split("\n"))
    return "\n".join(filter(None, lines))


def _line(written: str | None, filler: re.Pattern[str]) -> str | None:
    line = " ".join(plain(written or "").split())[:_LONGEST]
    return line if line and not filler.match(line) else None
