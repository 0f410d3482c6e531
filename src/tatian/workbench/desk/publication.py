"""Find the publisher and date of a source in its first lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from pathlib import PurePath

from msgspec.structs import replace

from tatian.corpora.reading import PAPER_NAME
from tatian.text import Document
from tatian.text.datelines import publication_day, publication_days
from tatian.text.dates import YEAR_UNKNOWN, written_day

_HEAD_LINES = 5
"""Number of lines at the start of a source that are searched for its day and publisher."""
_MAX_DAY_WORDS, _MAX_IMPRINT_WORDS = 5, 12
"""Maximum number of words of a line with a day, and of one with day and publisher."""
_SEPARATOR = re.compile(r"\s*(?:[|·•–—,]|\s-\s)\s*")
"""Separator between the name of a newspaper and its day on one line."""
_AUTHORED = frozenset((".pdf", ".docx", ".odt", ".rtf", ".epub"))
"""Suffixes of files whose author may be a user name or a device."""
_LOGIN = re.compile(r"[a-z][\w.-]*|.*(?:\d|\bscan|\bprinter|\bcopier).*", re.DOTALL)
"""Matches names of users and devices."""


def add_publication(document: Document) -> Document:
    """Add publisher and day from the first lines to a source; remove a title that is only a day."""
    metadata = document.metadata
    head = [line.strip() for line in document.text.splitlines() if line.strip()][:_HEAD_LINES]
    paper, printed = read_masthead(head)
    stated = publication_day(document)
    if stated is None or stated.year == YEAR_UNKNOWN:
        lines = (line for line in head if len(line.split()) <= _MAX_DAY_WORDS)
        stated = next(filter(None, map(written_day, lines)), printed)
    day = metadata.date or (stated.isoformat() if stated else None)
    title, source = metadata.title, metadata.source
    if title and len(title.split()) <= _MAX_DAY_WORDS and written_day(title):
        title = None
    if PurePath(metadata.path or "").suffix.lower() in _AUTHORED:
        is_login = source is not None and _LOGIN.fullmatch(source.strip())
        source = paper or (None if is_login else source)
    metadata = replace(metadata, date=day, title=title, source=source or paper)
    return replace(document, metadata=metadata)


def read_masthead(head: Sequence[str]) -> tuple[str | None, date | None]:
    """Return the newspaper and the day in the first lines; the newspaper is None without a day."""
    lines = [line for line in head if len(line.split()) <= _MAX_IMPRINT_WORDS]
    day = next(filter(None, map(written_day, lines)), None)
    if day is None:
        return None, None
    for line in lines:
        name = _SEPARATOR.split(line)[0] if written_day(line) else line
        name = name.title() if name.isupper() else name
        if PAPER_NAME.fullmatch(name):
            return name, day
    return None, None


def find_missing_days(documents: Sequence[Document]) -> dict[str, str]:
    """Return the publication days found for documents without a date, by id.

    A dateline without a year takes one from the other documents.
    """
    days = zip(documents, publication_days(documents), strict=True)
    return {
        document.id: day.isoformat()
        for document, day in days
        if document.metadata.date is None and day is not None and day.year != YEAR_UNKNOWN
    }
