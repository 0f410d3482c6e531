"""The few sentences that say what a page is about, as the papers cut them."""

from __future__ import annotations

import re

from tatian.text.splitter import split

LONGEST = 600
"""Characters of a description."""

_READ = 10 * LONGEST
"""Characters of the paragraph that are looked at; more cannot matter."""
_OPENING, _CLOSING = "(（", ")）"
_SPACES = re.compile(r"\s+")
_BEFORE_MARK = re.compile(r"\s+([,;.:!?])(?!\w)")
_DOUBLED = re.compile(r"([,;:])(?:\s*[,;:])+")
_MARK_BEFORE_STOP = re.compile(r"[,;:]+(?=[.!?])")
_EMPTY_QUOTES = re.compile(r"\"\s*\"|“\s*”")


def description_of(paragraph: str) -> str:
    """A paragraph without parentheses, at most 600 characters of whole sentences."""
    text = clean(without_parentheses(paragraph[:_READ]))[: 2 * LONGEST]
    if len(text) <= LONGEST:
        return text
    end = 0
    for sentence in split(text):
        if sentence.end > LONGEST:
            break
        end = sentence.end
    return text[:end] if end else _shortened(text)


def without_parentheses(text: str) -> str:
    """Leave out what stands in round brackets, brackets in brackets too; a lone one just goes."""
    opened: list[int] = []
    spans: list[tuple[int, int]] = []
    lone: list[int] = []
    for index, character in enumerate(text):
        if character in _OPENING:
            opened.append(index)
        elif character in _CLOSING:
            if opened:
                spans.append((opened.pop(), index + 1))
            else:
                lone.append(index)
    dropped = sorted([*spans, *((index, index + 1) for index in [*opened, *lone])])
    kept: list[str] = []
    at = 0
    for start, end in dropped:
        if end <= at:
            continue
        kept.append(text[at:start])
        at = end
    kept.append(text[at:])
    return " ".join(kept)


def clean(text: str) -> str:
    """Mend the spacing and punctuation around what was left out."""
    text = _EMPTY_QUOTES.sub(" ", text)
    text = _SPACES.sub(" ", text).strip()
    text = _BEFORE_MARK.sub(r"\1", text)
    text = _DOUBLED.sub(r"\1", text)
    return _MARK_BEFORE_STOP.sub("", text).lstrip(",;:.!?) ")


def _shortened(text: str) -> str:
    """A first sentence that is too long, up to its last comma or word that fits."""
    fitting = text[: LONGEST - 1]
    comma = max(fitting.rfind(", "), fitting.rfind("; "))
    space = fitting.rfind(" ")
    end = comma if comma > LONGEST // 2 else space if space > 0 else len(fitting)
    return fitting[:end].rstrip(" ,;:") + "…"
