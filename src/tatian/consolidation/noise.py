"""What in an account is no part of its story: date lines, headlines, addresses, asides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tatian.text import Document
from tatian.text.dates import written_day
from tatian.text.quotations import MARKS as _MARKS

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?"
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?"
_ZONE = r"(?:gmt|utc|bst|[ecmp][sd]?t|[ap]\.?m\.?)"
_DATED = re.compile(
    rf"\b(?:{_MONTH}|{_WEEKDAY}|{_ZONE}|(?:first|last)?\s*(?:posted|published|updated)|created|on|at|by"
    r"|\d+(?:st|nd|rd|th)?)(?!\w)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"https?:|www\.|\w@\w|\.\s?(?:com|org|net|ca|uk|nz|au)\b\S*/\S|/\w+/\S*[/-]\S+"
)
_ENDS = re.compile(r"[.!?…:;,][\"'”’)\]]*$|[\"”]$")
_GREETING = re.compile(
    r"(?:Dear|To)\b[^.!?]{1,60},$"
    r"|(?:Yours|Sincerely|Regards|(?:Best|Kind) (?:wishes|regards))\b.{0,40},?$"
)
_POINTS = re.compile(
    r"(?:click|read|watch|see|share|follow|subscribe|related|copyright|contact|video|photos?|image)\b"
    r"|all rights reserved|advertisement\b",
    re.IGNORECASE,
)
_AUTHOR = re.compile(r"(?<![\w.])(?:I|I['’](?:m|ve|d|ll)|me|myself)(?![\w.])")
_TO_READER = re.compile(
    r"\b(?:you|your)\b.*\?$|\byou (?:can|could|may|should|will|might)\b"
    r"|\b(?:lie|trust|tell) (?:to )?you\b",
    re.IGNORECASE,
)
_HEADLINE_WORDS = 16
"""A line without a full stop that has more words than this is a sentence whose end was lost."""
_DATE_WORDS = 9
"""Words of a line that gives a date and little else, at most."""
_BYLINE = re.compile(r"(?:By|Posted by|Reported by|Written by) [A-Z]")
_POINTER_WORDS = 14
_CRY_WORDS = 8
ASIDES = frozenset(
    (
        "the writer speaking of himself",
        "a word to the reader",
        "an exclamation",
        "it goes on from what was set aside",
    )
)
"""Reasons after which the writer may go on in the same vein."""
_DIARY = 0.6
"""The share of sentences from which the writer is part of the story."""


def reasons(document: Document, quoted: Sequence[bool]) -> dict[int, str]:
    """Why sentences of a document are set aside, by their index.

    `quoted` tells of each sentence whether it begins inside a quotation, where everything is
    somebody's own words.
    """
    found = {}
    for line in _lines(document):
        if not quoted[line[0]] and (why := _line_reason(document, line)):
            found.update(dict.fromkeys(line, why))
    personal = []
    for index, sentence in enumerate(document.sentences):
        text = sentence.of(document.text)
        if index in found or quoted[index] or not _MARKS.isdisjoint(text):
            continue
        if why := _reason(text):
            found[index] = why
        elif _AUTHOR.search(text):
            personal.append(index)
    rest = [index for index in range(len(document.sentences)) if index not in found]
    if len(personal) < _DIARY * len(rest) and personal[:1] != rest[:1]:
        found.update(dict.fromkeys(personal, "the writer speaking of himself"))
    return found


def _lines(document: Document) -> Iterator[list[int]]:
    """The sentences of a document by the lines they stand on."""
    line: list[int] = []
    for index, sentence in enumerate(document.sentences):
        if line and "\n" in document.text[document.sentences[index - 1].end : sentence.start]:
            yield line
            line = []
        line.append(index)
    if line:
        yield line


def _line_reason(document: Document, line: Sequence[int]) -> str:
    first, last = document.sentences[line[0]], document.sentences[line[-1]]
    text = document.text[first.start : last.end].strip()
    words = text.split()
    if _is_date(text):
        return "a date line"
    if _GREETING.match(text):
        return "a greeting"
    if _ADDRESS.search(text) and len(words) <= _HEADLINE_WORDS:
        return "an address"
    if not _ENDS.search(text) and len(words) <= _HEADLINE_WORDS:
        dated = len(words) <= _DATE_WORDS and written_day(text) is not None
        return "a byline" if _BYLINE.match(text) else "a date line" if dated else "a headline"
    if text.upper() == text and len(words) > 2 and _MARKS.isdisjoint(text):
        return "a headline"
    return ""


def _is_date(text: str) -> bool:
    return len(re.sub(r"[\W\d_]+", "", _DATED.sub(" ", text))) <= 3 and bool(re.search(r"\d", text))


def _reason(text: str) -> str:
    words = text.split()
    if _is_date(text):
        return "a date line"
    if _POINTS.match(text) and len(words) <= _POINTER_WORDS:
        return "a pointer to something else"
    if text.endswith("!") and len(words) <= _CRY_WORDS:
        return "an exclamation"
    if _TO_READER.search(text):
        return "a word to the reader"
    return ""
