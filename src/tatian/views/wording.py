"""Small phrases that every view writes the same way, and text that is safe to print."""

from __future__ import annotations

import re
from collections.abc import Sequence

NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def some(number: int, thing: str) -> str:
    """``1 chain``, ``2,000 chains``."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def count(number: int, thing: str) -> str:
    """``no chains``, ``one chain``, ``twelve chains``, ``13 chains``."""
    words = NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"
    return f"{words} {thing}{'' if number == 1 else 's'}"


def listed(items: Sequence[str]) -> str:
    """Items as English lists them: "1", "1 and 2", "1, 2 and 3"."""
    return " and ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))


def squeeze(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split())


def short(text: str, most: int) -> str:
    """A text of at most so many characters; what is left out is an ellipsis."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def printable(text: str) -> str:
    """Text that cannot steer the terminal and that XML can hold: an account may hold anything."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)
