"""A stretch of text on one line, and where its mentions stand in it then."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tatian.text import Span

_SPACE = re.compile(r"\s+")


def excerpt(text: str, span: Span, marks: Iterable[Span] = ()) -> tuple[str, list[Span]]:
    """What `span` covers with single spaces, and those of `marks` that lie wholly inside it."""
    begin, end = span.start, span.end
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    written = text[begin:end]
    cuts = [
        (begin + run.start(), len(run[0]) - 1) for run in _SPACE.finditer(written) if run[0] != " "
    ]

    def place(position: int) -> int:
        lost = sum(min(length, max(0, position - at - 1)) for at, length in cuts if at < position)
        return position - begin - lost

    inside = [
        Span(place(mark.start), place(mark.end))
        for mark in marks
        if begin <= mark.start <= mark.end <= end
    ]
    return _SPACE.sub(" ", written), inside
