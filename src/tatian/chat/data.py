"""Text that a model is shown as data, and what is its answer in what it says."""

from __future__ import annotations

import re

OPEN, CLOSE = "<<<", ">>>"
"""Between these stands what a model gets; nothing in it can be taken for them."""
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_LABEL = re.compile(
    r"^\W*(?:here(?:['’]s|\s+is)\s+)?"
    r"(?:(?:an?|the|one|single|correct|right|merged|final|unified|combined|rewritten|edited|fluent)"
    r"\s+)*(?:union|sentence|answer|passage|paragraph|text)(?:\s+(?:\d+|is))?\W*:[\s*]*",
    re.IGNORECASE,
)
_MARKS = re.compile(r"^<{2,3}\s*|\s*>{2,3}\W*$")


def defused(text: str) -> str:
    """On one line, and without the marks between which data stands."""
    line = " ".join(text.split())
    return line.replace(OPEN, "‹‹‹").replace(CLOSE, "›››")


def lines(answer: str) -> list[str]:
    """The lines of an answer that have words, without thoughts, labels and marks."""
    found = [_LABEL.sub("", line).strip() for line in _THOUGHT.sub("", answer).splitlines()]
    return [_MARKS.sub("", line) for line in found if any(map(str.isalnum, line))]


def unwrapped(answer: str) -> str:
    """All that an answer says, on one line."""
    return " ".join(" ".join(lines(answer)).split())
