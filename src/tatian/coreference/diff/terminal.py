"""Comparisons as text: brackets say what the page says in colours.

``[3: the ferry]`` is a mention of chain 3 on both sides, ``[-3: the ferry-]`` was missed,
``[?3: the ship?]`` is optional and was not found, ``[+3b: the fog+]`` is spurious, ``[3→5: it]``
belongs to chain 3 and stands in 5, and in ``[~3: the {ferry} off Halverne~]`` the braces hold what
the response marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from tatian.coreference.diff.marks import (
    DrawnMention,
    SentenceRow,
    compared_rows,
    listings,
)
from tatian.coreference.diff.result import (
    METRICS,
    DocumentDiff,
)
from tatian.views.wording import printable, some, squeeze

if TYPE_CHECKING:
    from tatian.coreference.diff.documents import ChainDiff

_MANY = 12


def comparison_lines(comparison: ChainDiff, *, everything: bool = False) -> Iterator[str]:
    """Each document: the sentences with errors (or all), then chains gone wrong."""
    for number, one in enumerate(comparison.documents):
        if number:
            yield ""
        yield from _compared_lines(one, everything)
    yield ""
    if comparison.scores:
        figures = [f"{METRICS[name]} {100 * f1:.1f}" for name, f1 in comparison.scores.items()]
        yield f"F1: {'  '.join(figures)}"


def _compared_lines(compared: DocumentDiff, everything: bool) -> Iterator[str]:
    errors = len(compared.errors)
    yield _heading(compared.id, some(errors, "error"))
    skipped = 0
    for row in compared_rows(compared):
        if not (row.kinds or everything):
            skipped += 1
            continue
        if skipped:
            yield _gap(skipped)
            skipped = 0
        yield _sentence(compared.text, row, _brackets(row))
    if skipped and errors:
        yield _gap(skipped)
    for listing in listings(compared):
        yield listing.title
        for item in listing.items:
            if not listing.verb:
                yield _labelled(item.label, item.groups[0].words, indent=2)
                continue
            yield f"  {item.label} {listing.verb}"
            for group in item.groups:
                yield _labelled(group.label, group.words, indent=4)


class _Bracket(Struct, frozen=True):
    """What stands before and after a mention."""

    start: int
    end: int
    before: str
    after: str
    name: str = ""
    """Stands at the end where mentions cross, to say which of them ends."""

    @classmethod
    def of(cls, mark: DrawnMention, before: str = "", after: str = "", label: str = "") -> _Bracket:
        dots = ("…" if mark.piece else "", "…" if mark.piece < mark.pieces - 1 else "")
        name = f"{dots[0]}{label or mark.label}{dots[1]}"
        return cls(mark.start, mark.end, f"[{before}{name}: ", f"{after}]", name)


def _brackets(row: SentenceRow) -> list[_Bracket]:
    """Both sides on one line."""
    found = []
    for mark in row.key:
        if "span" in mark.kinds:
            found.append(_Bracket.of(mark, "~", "~", _moved(mark)))
        elif not mark.response:
            sign = "?" if mark.unasked else "-"
            found.append(_Bracket.of(mark, sign, sign))
        else:
            found.append(_Bracket.of(mark, label=_moved(mark)))
    for mark in row.response:
        if "span" in mark.kinds:
            found.append(_Bracket(mark.start, mark.end, "{", "}"))
        elif not mark.key:
            found.append(_Bracket.of(mark, "+", "+"))
    return found


def _moved(mark: DrawnMention) -> str:
    return mark.label if mark.key == mark.response else f"{mark.key}→{mark.response}"


def _sentence(text: str, row: SentenceRow, brackets: Sequence[_Bracket]) -> str:
    """A sentence on one line, with its number."""
    line = [f"{row.number:>4}  "]
    opened: list[_Bracket] = []
    blank = len(text[row.start : row.end]) - len(text[row.start : row.end].lstrip())
    position = min([row.start + blank, *(one.start for one in brackets)])
    for place, _, bracket, opens in _events(brackets):
        line.append(_words(text[position:place]))
        position = place
        if opens:
            line.append(bracket.before)
            opened.append(bracket)
        else:
            line.append(bracket.after + (bracket.name if opened[-1] is not bracket else ""))
            opened.remove(bracket)
    line.append(_words(text[position : row.end].rstrip()))
    return "".join(line)


Event = tuple[int, tuple[int, int, int], _Bracket, bool]


def _events(brackets: Sequence[_Bracket]) -> list[Event]:
    """Openings and closings: what ends, ends before what begins; long ones begin first."""
    events: list[Event] = []
    for number, one in enumerate(brackets):
        empty = one.start == one.end
        events.append((one.start, (1 if empty else 2, -one.end, number), one, True))
        last = (1, -one.end, number) if empty else (0, -one.start, -number)
        events.append((one.end, last, one, False))
    return sorted(events, key=lambda event: (event[0], event[1], not event[3]))


def _words(text: str) -> str:
    return printable(re.sub(r"\s+", " ", text))


def _heading(name: str, note: str) -> str:
    return f"document {_clean(name)}: {note}"


def _gap(sentences: int) -> str:
    return f"      ({some(sentences, 'sentence')} without errors)"


def _labelled(label: str, words: Sequence[str], indent: int) -> str:
    rest = f" and {len(words) - _MANY} more" if len(words) > _MANY else ""
    shown = "; ".join(_clean(word) for word in words[:_MANY])
    return f"{' ' * indent}{label}: {shown}{rest}"


def _clean(text: str) -> str:
    return printable(squeeze(text))
