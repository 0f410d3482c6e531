"""The text of a document as rows of sentences, the key's beside the response's.

Class names that occur once for each mention are short, to keep large pages small: ``m`` a mention,
``g`` one that goes on after a mark that crosses it, ``h2`` one with two levels inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from tatian.coreference.comparing.kinds import KINDS
from tatian.coreference.views.marks import Mark, Row
from tatian.coreference.views.nesting import nested
from tatian.coreference.views.palette import tint

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
