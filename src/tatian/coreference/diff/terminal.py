"""Comparisons as text: brackets say what colours say, so that a pipe loses nothing.

``[3: the ferry]`` is a mention of chain 3 on both sides, ``[-3: the ferry-]`` was missed,
``[?3: the ship?]`` is optional and was not found, ``[+3b: the fog+]`` is spurious, ``[3→5: it]``
belongs to chain 3 and stands in 5, and in ``[~3: the {ferry} off Halverne~]`` the braces hold what
the response marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
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
from tatian.views.palette import TERMINAL
from tatian.views.wording import printable, some, squeeze

if TYPE_CHECKING:
    from rich.text import Text

    from tatian.coreference.diff.documents import ChainDiff

_ALARM = "bold red"
_MANY = 12


Line = list[tuple[str, str]]
"""Stretches of a line, each with how it looks on a terminal."""


def plain(lines: Iterable[Line]) -> str:
    """The lines without colours."""
    return "".join("".join(text for text, _ in line) + "\n" for line in lines)


def styled(line: Line) -> Text:
    """One line in colours."""
    from rich.text import Text

    return Text.assemble(*line)


def comparison_lines(comparison: ChainDiff, *, everything: bool = False) -> Iterator[Line]:
    """Each document: the sentences with errors (or all), then chains gone wrong."""
    for number, one in enumerate(comparison.documents):
        if number:
            yield []
        yield from _compared_lines(one, everything)
    yield []
    if comparison.scores:
        figures = [f"{METRICS[name]} {100 * f1:.1f}" for name, f1 in comparison.scores.items()]
        yield [("F1: ", "bold"), ("  ".join(figures), "")]


def _compared_lines(compared: DocumentDiff, everything: bool) -> Iterator[Line]:
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
        yield [(listing.title, "bold")]
        for item in listing.items:
            if not listing.verb:
                yield _labelled(item.label, item.groups[0].words, indent=2)
                continue
            yield [("  ", ""), (item.label, "bold"), (f" {listing.verb}", "")]
            for group in item.groups:
                yield _labelled(group.label, group.words, indent=4)


class _Bracket(Struct, frozen=True):
    """What stands before and after a mention."""

    start: int
    end: int
    before: str
    after: str
    style: str
    name: str = ""
    """Stands at the end where mentions cross, to say which of them ends."""

    @classmethod
    def of(cls, mark: DrawnMention, before: str = "", after: str = "", label: str = "") -> _Bracket:
        dots = ("…" if mark.piece else "", "…" if mark.piece < mark.pieces - 1 else "")
        name = f"{dots[0]}{label or mark.label}{dots[1]}"
        style = TERMINAL[mark.colour % len(TERMINAL)] if mark.colour is not None else "bold"
        return cls(mark.start, mark.end, f"[{before}{name}: ", f"{after}]", style, name)


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
            found.append(_Bracket(mark.start, mark.end, "{", "}", _ALARM))
        elif not mark.key:
            found.append(_Bracket.of(mark, "+", "+"))
    return found


def _moved(mark: DrawnMention) -> str:
    return mark.label if mark.key == mark.response else f"{mark.key}→{mark.response}"


def _sentence(text: str, row: SentenceRow, brackets: Sequence[_Bracket]) -> Line:
    """A sentence on one line, with its number."""
    line = [(f"{row.number:>4}  ", "dim")]
    opened: list[_Bracket] = []
    blank = len(text[row.start : row.end]) - len(text[row.start : row.end].lstrip())
    position = min([row.start + blank, *(one.start for one in brackets)])
    for place, _, bracket, opens in _events(brackets):
        line.append(_words(text[position:place], opened))
        position = place
        mark = bracket.before if opens else bracket.after
        if not opens and opened[-1] is not bracket:
            mark += bracket.name
        alarm = mark.strip("[]")[:1] in ("-", "+", "~", "{", "}")
        line.append((mark, _ALARM if alarm else f"dim {bracket.style}"))
        if opens:
            opened.append(bracket)
        else:
            opened.remove(bracket)
    line.append(_words(text[position : row.end].rstrip(), opened))
    return line


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


def _words(text: str, opened: Sequence[_Bracket]) -> tuple[str, str]:
    shown = re.sub(r"\s+", " ", text)
    return (printable(shown), opened[-1].style if opened else "")


def _heading(name: str, note: str) -> Line:
    return [("document ", ""), (_clean(name), "bold underline"), (f": {note}", "")]


def _gap(sentences: int) -> Line:
    return [(f"      ({some(sentences, 'sentence')} without errors)", "dim")]


def _labelled(label: str, words: Sequence[str], indent: int) -> Line:
    rest = f" and {len(words) - _MANY} more" if len(words) > _MANY else ""
    shown = "; ".join(_clean(word) for word in words[:_MANY])
    return [(" " * indent, ""), (label, "bold"), (f": {shown}{rest}", "")]


def _clean(text: str) -> str:
    return printable(squeeze(text))
