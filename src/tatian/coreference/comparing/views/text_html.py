"""The text of a document as rows of sentences, the key's beside the response's.

Class names that occur once for each mention are short, to keep large pages small: ``m`` a mention,
``g`` one that goes on after a mark that crosses it, ``h2`` one with two levels inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape

from tatian.coreference.comparing.kinds import KINDS
from tatian.coreference.comparing.views.marks import Mark, Row

COLOURS = 8
LINES = 4
"""Each round of the colours has another line."""


def tint(colour: int | None) -> str:
    """The classes of a chain's colour; chains of one mention share a quiet one."""
    if colour is None:
        return "cn"
    line = colour // COLOURS % LINES
    return f"c{colour % COLOURS}" + (f" l{line}" if line else "")


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


OPTIONAL = "?"
"""Before a mention that the response need not have."""
LEVELS = 6
"""Lines below the text that are told apart; deeper mentions share the last."""


def rows_html(text: str, rows: Iterable[Row], *, compared: bool = True) -> str:
    """All rows; where both sides are alike a sentence stands once, across both columns."""
    return "\n".join(_row_html(text, row, compared) for row in rows)


def _row_html(text: str, row: Row, compared: bool) -> str:
    classes = " ".join(["row", *(f"e-{kind}" for kind in row.kinds)])
    if not compared or row.is_same:
        cells = _cell("b", text, row, row.key)
    else:
        cells = _cell("k", text, row, row.key) + _cell("r", text, row, row.response)
    return f'<div class="{classes}"><span class="n">{row.number}</span>{cells}</div>'


def _cell(name: str, text: str, row: Row, marks: Sequence[Mark]) -> str:
    deepest = 0

    def opening(mark: Mark, inside: int, goes_on: bool) -> str:
        nonlocal deepest
        level = min(inside, LEVELS - 1)
        deepest = max(deepest, level)
        return _opening(mark, level, goes_on)

    inner = nested(text, row.start, row.end, marks, opening)
    deep = f" d{deepest}" if deepest > 1 else ""
    return f'<p class="{name}{deep}" dir="auto">{inner.strip()}</p>'


def _opening(mark: Mark, level: int, goes_on: bool) -> str:
    classes = ["m", tint(mark.colour)]
    if level:
        classes.append(f"h{level}")
    if goes_on:
        classes.append("g")
    classes += [f"e-{kind}" for kind in mark.kinds]
    attributes = "".join(
        f' data-{name}="{escape(value)}"'
        for name, value in (("k", mark.key), ("r", mark.response))
        if value
    )
    number = "" if goes_on else f' data-n="{escape(signed(mark))}"'
    return f'<mark class="{" ".join(classes)}"{attributes}{number}>'


def signed(mark: Mark) -> str:
    """What stands before a mention: signs of errors, the chain, and dots where it is in pieces."""
    signs = OPTIONAL if mark.unasked else "".join(KINDS[kind].sign for kind in mark.kinds)
    before = "…" if mark.piece else ""
    after = "…" if mark.piece < mark.pieces - 1 else ""
    return f"{signs}{before}{mark.label}{after}"
