"""Wording of counts and lists, and text that is safe to print."""

from __future__ import annotations

import re
from collections.abc import Sequence

NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()
"""Numbers from 0 to 12 in words."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""Matches control characters and others that terminals or XML cannot show."""


def format_count(number: int, thing: str) -> str:
    """Return a number with its noun: ``1 chain``, ``2,000 chains``."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def spell_count(number: int, thing: str) -> str:
    """Return a number in words: ``no chains``, ``one chain``, ``twelve chains``, ``13 chains``."""
    words = NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"
    return f"{words} {thing}{'' if number == 1 else 's'}"


def join_items(items: Sequence[str]) -> str:
    """Join items as in English: "1", "1 and 2", "1, 2 and 3"."""
    return " and ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))


def squeeze(text: str) -> str:
    """Replace each run of white space, such as a line end, by one blank."""
    return " ".join(text.split())


def one_line(text: str) -> str:
    """Return the text on one line, safe to print."""
    return printable(squeeze(text))


def short(text: str, most: int) -> str:
    """Return the text, cut to `most` characters with an ellipsis at the end if it is longer."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def printable(text: str) -> str:
    """Replace control characters, so that a text is safe in terminals and XML."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)
