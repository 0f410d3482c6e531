"""Stretches of a text marked on it, as HTML, also where they lie in or across each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from tatian.views.palette import SERIES

LINES = 4
"""Each round of the colours has another line."""


class _Stretch(Protocol):
    """Anything that lies somewhere in a text."""

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def end(self) -> int:
        """Where it ends, exclusive."""
        ...


S = TypeVar("S", bound=_Stretch)


def tint(colour: int | None) -> str:
    """The classes of a colour of the palette; None is a quiet one that many share."""
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
    """The text from `start` to `end` with the marks in it, which all lie inside, in their order.

    An element cannot cross another: a mark that does is closed there and goes on after it.
    `opening` makes a mark's tag, given how many levels lie inside it and whether it goes on.
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
    """An element that is open."""

    mark: S
    at: int
    """Where its opening tag belongs once it is known how much lies inside."""
    goes_on: bool = False
    inside: int = 0
