"""Highlighted spans of a text in HTML; spans may nest and overlap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from tatian.views.palette import SERIES

LINE_STYLES = 4
"""Number of line styles; colours are reused with another line style."""


class _SpanLike(Protocol):
    """Anything with a start and an end in a text."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


S = TypeVar("S", bound=_SpanLike)


def series_classes(series: int | None) -> str:
    """Return the CSS classes of a series, given its number; None has a neutral colour."""
    if series is None:
        return "cn"
    line = series // len(SERIES) % LINE_STYLES
    return f"c{series % len(SERIES)}" + (f" l{line}" if line else "")


def highlight(
    text: str,
    start: int,
    end: int,
    marks: Sequence[S],
    opening: Callable[[S, int, bool], str],
    closing: str = "</mark>",
) -> str:
    """Return the text from `start` to `end` with `marks`, which must be sorted and lie inside it.

    HTML elements cannot overlap, so a mark that crosses another is closed and reopened. `opening`
    returns a mark's opening tag, given the levels nested in it and whether it was reopened.
    """
    html: list[str] = []
    stack: list[_OpenElement[S]] = []
    position = start
    waiting = list(reversed(marks))
    for boundary in sorted({end}.union(*((mark.start, mark.end) for mark in marks))):
        html.append(escape(text[position:boundary]))
        position = boundary
        to_reopen: list[S] = []
        while any(element.mark.end <= boundary for element in stack):
            element = stack.pop()
            html[element.index] = opening(element.mark, element.depth, element.is_reopened)
            html.append(closing)
            if stack:
                stack[-1].depth = max(stack[-1].depth, element.depth + 1)
            if element.mark.end > boundary:
                to_reopen.append(element.mark)
        for mark in reversed(to_reopen):
            stack.append(_OpenElement(mark, len(html), is_reopened=True))
            html.append("")
        while waiting and waiting[-1].start <= boundary:
            mark = waiting.pop()
            if mark.end <= boundary:
                html.append(f"{opening(mark, 0, False)}{closing}")
                continue
            stack.append(_OpenElement(mark, len(html)))
            html.append("")
    return "".join(html)


class _OpenElement(Struct, Generic[S]):
    """An element that is not closed yet."""

    mark: S
    index: int
    """Index in the output of its opening tag, which depends on its content."""
    is_reopened: bool = False
    depth: int = 0
    """Number of levels nested in it."""
