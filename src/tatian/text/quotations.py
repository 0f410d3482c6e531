"""Quotations: somebody's own words between quotation marks, which nobody may change."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tatian.text.spans import Token
from tatian.text.tokenizer import BLANK_LINE

MARKS = frozenset({'"', "“", "”", "``", "''"})
_MARK = re.compile("[\"“”]|``|''")
_OPENING = frozenset({"“", "``"})
_BEFORE_OPENING = frozenset("([{-–—‘")
_AFTER_CLOSING = frozenset(".,;:!?)]}-–—’")
_CLOSES_SPEECH = frozenset(".,!?…")
_FAR = 4000
"""Characters before a token, within its paragraph, in which a quotation is sought."""


def quoted_tokens(text: str, tokens: Sequence[Token]) -> list[bool]:
    """Return for some neighbouring tokens of `text` whether each is inside quotation marks.

    The marks count as inside. A quotation may have begun in an earlier sentence. It ends with the
    paragraph at the latest, so that an unclosed mark does no harm further on.
    """
    flags: list[bool] = []
    if not tokens:
        return flags
    inside = _is_inside(text, tokens[0].start)
    position = tokens[0].start
    outside_since = 0
    for token in tokens:
        if token.start > position + 1 and BLANK_LINE.search(text, position, token.start):
            inside = False
            outside_since = len(flags)
        position = token.end
        if token.text not in MARKS:
            flags.append(inside)
            continue
        opens = _opens(text, token.start, token.end, inside)
        if not inside and not opens and text[token.start - 1 : token.start] in _CLOSES_SPEECH:
            flags[outside_since:] = [True] * (len(flags) - outside_since)
            inside = True
        flags.append(inside or opens)
        inside = opens
        outside_since = len(flags)
    return flags


def _is_inside(text: str, position: int) -> bool:
    """Check whether a quotation opened earlier in the paragraph is still open at `position`."""
    start = max(0, position - _FAR)
    inside = False
    if marks := [*_MARK.finditer(text, start, position)]:
        for end in BLANK_LINE.finditer(text, start, position):
            start = end.end()
        for mark in marks:
            if mark.start() >= start:
                inside = _opens(text, mark.start(), mark.end(), inside)
    return inside


def _opens(text: str, start: int, end: int, inside: bool) -> bool:
    """Check whether the mark opens a quotation; a straight one by the blanks around it."""
    mark = text[start:end]
    if mark != '"':
        return mark in _OPENING
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    free_before = not before or before.isspace() or before in _BEFORE_OPENING
    free_after = not after or after.isspace() or after in _AFTER_CLOSING
    return free_before if free_before != free_after else not inside
