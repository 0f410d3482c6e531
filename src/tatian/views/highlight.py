"""Marks stretches of a text in HTML, even if they nest or overlap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from tatian.views.palette import SERIES

LINES = 4
"""Kinds of lines; each round of the colours has another."""


class _Stretch(Protocol):
    """Anything with offsets in a text."""

    @property
    def start(self) -> int:
        """Offset of the first character."""
        ...

    @property
    def end(self) -> int:
        """Offset after the last character."""
        ...


S = TypeVar("S", bound=_Stretch)


def tint(colour: int | None) -> str:
    """Return the classes of a colour of the palette; None is a quiet one that many share."""
    if colour is None:
        return "cn"
    line = colour // len(SERIES) % LINES
    return f"c{colour % len(SERIES)}" + (f" l{line}" if line else "")


def highlight(
    text: str,
    start: int,
    end: int,
    marks: Sequence[S],
    opening: Callable[[S, int, bool], str],
    closing: str = "</mark>",
) -> str:
    """Return the text from `start` to `end` with its marks, which all lie inside, in order.

    Elements cannot overlap, so a mark that crosses another is closed and opened again. `opening`
    makes a mark's tag, given the levels inside it and whether it is a continuation.
    """
    html: list[str] = []
    stack: list[_Level[S]] = []
    position = start
    waiting = list(reversed(marks))
    for place in sorted({end}.union(*((mark.start, mark.end) for mark in marks))):
        html.append(escape(text[position:place]))
        position = place
        reopened: list[S] = []
        while any(level.mark.end <= place for level in stack):
            level = stack.pop()
            html[level.at] = opening(level.mark, level.inside, level.goes_on)
            html.append(closing)
            if stack:
                stack[-1].inside = max(stack[-1].inside, level.inside + 1)
            if level.mark.end > place:
                reopened.append(level.mark)
        for mark in reversed(reopened):
            stack.append(_Level(mark, len(html), goes_on=True))
            html.append("")
        while waiting and waiting[-1].start <= place:
            mark = waiting.pop()
            if mark.end <= place:
                html.append(f"{opening(mark, 0, False)}{closing}")
                continue
            stack.append(_Level(mark, len(html)))
            html.append("")
    return "".join(html)


class _Level(Struct, Generic[S]):
    """An open element."""

    mark: S
    at: int
    """Index of its opening tag, which is written once its content is known."""
    goes_on: bool = False
    inside: int = 0
