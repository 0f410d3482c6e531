"""Marks as elements inside each other, whatever they do: nest, cross, repeat or stand empty."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape

from tatian.coreference.views.marks import Mark

Opening = Callable[[Mark, int, bool], str]
"""Makes the opening tag of a mark, given how many levels lie inside it and whether it goes on."""


def nested(text: str, start: int, end: int, marks: Sequence[Mark], opening: Opening) -> str:
    """The text from `start` to `end` with the marks in it, which all lie inside.

    An element cannot cross another: a mark that does is closed there and goes on after it.
    """
    html: list[str] = []
    stack: list[_Level] = []
    position = start
    waiting = list(reversed(marks))
    for place in _places(marks, end):
        html.append(escape(text[position:place]))
        position = place
        reopened: list[Mark] = []
        while any(level.mark.end <= place for level in stack):
            level = stack.pop()
            html[level.at] = opening(level.mark, level.inside, level.goes_on)
            html.append("</mark>")
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
                html.append(f"{opening(mark, 0, False)}</mark>")
                continue
            stack.append(_Level(mark, len(html)))
            html.append("")
    return "".join(html)


class _Level:
    """An element that is open."""

    def __init__(self, mark: Mark, at: int, goes_on: bool = False) -> None:
        self.mark = mark
        self.at = at
        """Where its opening tag belongs once it is known how much lies inside."""
        self.goes_on = goes_on
        self.inside = 0


def _places(marks: Sequence[Mark], end: int) -> Iterator[int]:
    places = {place for mark in marks for place in (mark.start, mark.end)}
    yield from sorted(places | {end})
