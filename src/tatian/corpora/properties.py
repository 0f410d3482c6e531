"""Title, date and source of a file from its metadata, without fillers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta
from unicodedata import normalize

from tatian.corpora.web import iso_date
from tatian.text import Document, Metadata
from tatian.text.datelines import publication_day
from tatian.text.dates import YEAR_UNKNOWN, calendar_day, written_day

_TITLE_FILLER = re.compile(
    r"microsoft (word|powerpoint) - |untitled|(document|dokument|book|presentation)\s*\d*$|"
    r"no title|\(?(anonymous|unspecified)\)?$|.*\.(docx?|odt|rtf|pdf|indd|qxd|tex|html?)$",
    re.IGNORECASE,
)
"""Fillers that programs write for a missing title."""
_AUTHOR_FILLER = re.compile(
    r"\W*((microsoft|ms|open)? ?office ?(user)?|user|owner|admin(istrator)?|author|unknown|root|pc|"
    r"anonymous|unspecified|default|python-docx)\W*$",
    re.IGNORECASE,
)
_HEAD_CHARACTERS = 600
"""Characters at the head of a text that may hold its date."""
_MAX_DELAY = timedelta(days=31)
"""Longest time between the dateline of a text and the creation of its file."""
_PDF_DATE = re.compile(r"D:(\d{4})(\d\d)(\d\d)")
_MAX_VALUE_CHARACTERS = 300
"""Maximum number of characters of a title or source."""
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
    """Return a document without an id from paragraphs and metadata.

    The first title that is not a filler is used. The file's creation date is used if the text has
    no date at its head; if it has a dateline without a year, it gives the year.
    """
    text = "\n\n".join(filter(None, map(clean_text, paragraphs)))
    head = text[:_HEAD_CHARACTERS]
    day = _day(head, _PDF_DATE.sub(r"\1-\2-\3", created)[:10]) if created else None
    title = next(filter(None, (_clean_value(title, _TITLE_FILLER) for title in titles)), None)
    metadata = Metadata(title=title, date=day, source=_clean_value(source, _AUTHOR_FILLER))
    return Document("", text, metadata)


def _day(head: str, created: str) -> str | None:
    """Return the creation date; for a dateline without a year, that day in a near year."""
    day = iso_date(created)
    written = publication_day(Document("", head))
    if day is None or (written is None and written_day(head) is None):
        return day
    if written is None or written.year != YEAR_UNKNOWN:
        return None
    last = date.fromisoformat(day)
    years = (calendar_day(year, written.month, written.day) for year in (last.year, last.year - 1))
    candidates = (year for year in years if year and timedelta() <= last - year <= _MAX_DELAY)
    return next((candidate.isoformat() for candidate in candidates), None)


def clean_text(paragraph: str) -> str:
    """Return a paragraph without extra blanks, ligatures, soft hyphens and controls."""
    cleaned = _CONTROLS.sub("", paragraph.translate(_LETTERS))
    lines = (" ".join(line.split()) for line in cleaned.split("\n"))
    return "\n".join(filter(None, lines))


def _clean_value(written: str | None, filler: re.Pattern[str]) -> str | None:
    line = " ".join(clean_text(written or "").split())[:_MAX_VALUE_CHARACTERS]
    return line if line and not filler.match(line) else None
