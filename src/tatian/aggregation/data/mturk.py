"""Answers as Mechanical Turk gives them back: a CSV row for each assignment (TESA §3.3).

The columns are those of the original campaign: ``WorkerId``, ``Input.id_``, ``Answer.utterance_1``,
``Answer.utterance_2``, ``Answer.box_impossible.on``.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator

from tatian.errors import InputError, NotText
from tatian.text.streams import Stream

WORKER, ITEM, ASSIGNMENT = "WorkerId", "Input.id_", "AssignmentId"
_PHRASES = ("Answer.utterance_1", "Answer.utterance_2")
_TICKED = "Answer.box_impossible.on"
_NOT_TICKED = frozenset({"", "false", "0", "no", "nan"})

Row = dict[str, str]


def recognizes(head: bytes, name: str = "") -> bool:
    """Whether a file begins as such a table does, or is called a table."""
    first = head.partition(b"\n")[0]
    called = name.lower().removesuffix(".gz").endswith(".csv")
    return called or any(column.encode() in first for column in ("HITId", WORKER, ITEM, *_PHRASES))


def rows(stream: Stream) -> Iterator[tuple[int, Row]]:
    """The rows by their columns, each with the number of its last line; blank ones are left out."""
    try:
        reader = csv.DictReader(_text(stream), restval="")
        there = reader.fieldnames or ()
        if absent := [name for name in (WORKER, ITEM, _PHRASES[0]) if name not in there]:
            listed = ", ".join(f"'{name}'" for name in absent)
            raise InputError(f"no column {listed}", path=stream.name, line=1)
        for row in reader:
            plain = {name: value for name, value in row.items() if isinstance(value, str)}
            if any(plain.values()):
                yield reader.line_num, plain
    except csv.Error as error:
        raise InputError(f"not CSV: {error}", path=stream.name) from error


def _text(stream: Stream) -> Iterator[str]:
    for number, line in stream.lines():
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise NotText("not UTF-8", path=stream.name, line=number) from error


def missing(row: Row) -> str | None:
    """The first column that a row must fill and does not."""
    return next((name for name in (WORKER, ITEM) if not row.get(name, "").strip()), None)


def phrases(row: Row) -> tuple[str, ...]:
    """What stands in the cells for phrases."""
    return tuple(row[name] for name in _PHRASES if row.get(name, "").strip())


def ticked(row: Row) -> bool:
    """Whether the annotator said that there is no relevant phrase."""
    return row.get(_TICKED, "").strip().lower() not in _NOT_TICKED
