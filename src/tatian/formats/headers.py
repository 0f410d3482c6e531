"""What stands above an ECB+ article: its web address and the line that dates it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tatian.text.dates import calendar_day
from tatian.text.lexicon import MONTHS, WEEKDAYS

_MONTH_NAMES = sorted({name.rstrip(".") for name in MONTHS}, key=len, reverse=True)
_MONTH = rf"(?P<month>{'|'.join(_MONTH_NAMES)})\b[ .]*"
_DAY = r"\b(?P<day>\d{1,2})(?:st|nd|rd|th)?\b[ ,]*"
_YEAR = r"(?P<year>(?:19|20)\d\d)\b"
_DATES = (
    re.compile(_MONTH + _DAY + _YEAR, re.IGNORECASE),
    re.compile(_DAY + _MONTH + r",?[ ]*" + _YEAR, re.IGNORECASE),
    re.compile(r"\b(?P<month>\d{1,2}) ?/ ?(?P<day>\d{1,2}) ?/ ?(?P<year>(?:20)?\d\d)\b"),
    re.compile(_YEAR + r" ?[-/] ?(?P<month>\d{1,2}|[a-z]{3}) ?[-/] ?(?P<day>\d{1,2})\b"),
)
_ABOUT_DATES = re.compile(
    r"originally|first|last|story|time|published|updated|posted|created|edited|modified|released?|"
    r"on|at|in|a|p|m|am|pm|noon|hrs|uk|"
    r"(?:[acemp]|ak)[sd]?t|gmt(?:\+\d+)?|bst|utc|cest|ist|hkt|aest|"
    r"\d+(?:st|nd|rd|th|am|pm|t\d+z?)?|\W+|"
    rf"{'|'.join(_MONTH_NAMES)}|{'|'.join(name.rstrip('.') for name in WEEKDAYS)}",
    re.IGNORECASE,
)
LINES = 5
"""How far down from the top the date line may stand."""


def is_address(words: Sequence[str]) -> bool:
    """Whether the line is the address the article was found at."""
    return tuple(words[:2]) in (("http", ":"), ("https", ":"))


def find_date(words: Sequence[str]) -> str | None:
    """The first date in the line, as ISO 8601; ``3/4/05`` is read the American way."""
    line = " ".join(words)
    for pattern in _DATES:
        for found in pattern.finditer(line):
            year = f"20{found['year']}" if len(found["year"]) == 2 else found["year"]
            if (day := calendar_day(year, found["month"], found["day"])) is not None:
                return day.isoformat()
    return None


def is_date_line(words: Sequence[str]) -> bool:
    """Whether the line says when the article appeared and nothing else."""
    return all(_ABOUT_DATES.fullmatch(word) for word in words) and find_date(words) is not None
