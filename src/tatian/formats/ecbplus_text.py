"""The text of an ECB+ article: its header, and the blanks between its tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tatian.text.dates import written_day
from tatian.text.lexicon import CLITICS, MONTHS, PREPOSITIONS, STOP_WORDS, WEEKDAYS

_MONTH_NAMES = sorted({name.rstrip(".") for name in MONTHS}, key=len, reverse=True)
_AROUND_MARKS = re.compile(r" ?([/-]) ?| (?=[,.])")
_SHORT_YEAR = re.compile(r"\b(\d{1,2}/\d{1,2})/(\d\d)\b")
_ABOUT_DATES = re.compile(
    r"originally|first|last|story|time|published|updated|posted|created|edited|modified|released?|"
    r"on|at|in|a|p|m|am|pm|noon|hrs|uk|"
    r"(?:[acemp]|ak)[sd]?t|gmt(?:\+\d+)?|bst|utc|cest|ist|hkt|aest|"
    r"\d+(?:st|nd|rd|th|am|pm|t\d+z?)?|\W+|"
    rf"{'|'.join(_MONTH_NAMES)}|{'|'.join(name.rstrip('.') for name in WEEKDAYS)}",
    re.IGNORECASE,
)
HEADER_LINES = 5
"""Number of lines from the top that may hold the date."""


def is_address(words: Sequence[str]) -> bool:
    """Return whether the line is the address of the article."""
    return tuple(words[:2]) in (("http", ":"), ("https", ":"))


def find_date(words: Sequence[str]) -> str | None:
    """Return the first date in the line, as ISO 8601; ``3/4/05`` is read the American way."""
    line = _AROUND_MARKS.sub(r"\1", " ".join(words))
    day = written_day(_SHORT_YEAR.sub(r"\1/20\2", line))
    return day.isoformat() if day is not None else None


def is_date_line(words: Sequence[str]) -> bool:
    """Return whether the line is only a publication date."""
    return all(_ABOUT_DATES.fullmatch(word) for word in words) and find_date(words) is not None


_OPENING = frozenset("([{“‘")
_CLOSING = frozenset(".,:;?!)]}…”’%")
_STOPS = frozenset(".,?!…")
_DOMAINS = frozenset({"com", "org", "net", "gov", "edu", "co", "uk", "au", "html"})
_CLITICS = frozenset(clitic[1:] for clitic in CLITICS if clitic[0] == "’") | {"t"}
_NOT_AFTER_HYPHEN = STOP_WORDS - PREPOSITIONS - {"all", "half", "no", "one", "other"}


def spaces_after(words: Sequence[str]) -> list[bool]:
    """Return whether a blank follows each of `words`, the tokens of one ECB+ sentence."""
    quotes = 0
    spaces = []
    for index, word in enumerate(words):
        quotes += word.count('"')
        spaces.append(index + 1 < len(words) and _space(words, index, quotes % 2 == 1))
    return spaces


def _space(words: Sequence[str], index: int, quoting: bool) -> bool:
    """Return whether a blank stands between `words[index]` and the next one."""
    left, right = words[index], words[index + 1]
    before = words[index - 1] if index else ""
    after = words[index + 2] if index + 2 < len(words) else ""
    if left in _OPENING or (left == '"' and quoting):
        return False
    if right in ('"', "'", "''"):
        return not (quoting or right != '"' or left in _STOPS)
    if right in _CLOSING:
        return left in ("-", "–", "—")
    match left:
        case ".":
            is_inside = _initials(before, right, after) or _number(before, right)
            return not (is_inside or right in _DOMAINS)
        case ",":
            return not (_number(before, right) and len(right) == 3)
        case ":":
            return not (_number(before, right) and len(right) >= 2)
        case "’":
            return not (right in _CLITICS or before in ("O", "D", "d"))
        case "/" | "_":
            return False
        case "-":
            return not (right == "-" or _hyphen(before, right, after))
    if right == "-":
        beyond = words[index + 3] if index + 3 < len(words) else ""
        return not _hyphen(left, after, beyond)
    return right not in ("/", "_")


def _initials(before: str, right: str, after: str) -> bool:
    """Return whether the words are like ``U . S .`` and ``a . m .``."""
    single = len(before) == len(right) == 1 and before.isalpha() and right.isalpha()
    return single and after == "."


def _number(before: str, right: str) -> bool:
    return before[-1:].isdigit() and right[:1].isdigit()


def _hyphen(left: str, right: str, after: str) -> bool:
    """Return whether the hyphen between the two words joins them ("hit - and - run")."""
    if not (left[-1:].isalnum() and right[:1].isalnum()):
        return False
    return after == "-" or right.lower() not in _NOT_AFTER_HYPHEN
