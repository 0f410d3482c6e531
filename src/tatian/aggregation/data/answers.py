"""Annotators' answers as they were written, of one annotator to one instance each.

JSONL of records, or what Mechanical Turk gives back: a CSV row for each assignment (TESA §3.3),
with the columns of the original campaign: ``WorkerId``, ``Input.id_``, ``Answer.utterance_1``,
``Answer.utterance_2``, ``Answer.box_impossible.on``.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec
from msgspec import Struct

from tatian.aggregation.annotation import MOST, AggregationAnswer
from tatian.aggregation.data.jsonl import LinePlace, filled, parse
from tatian.aggregation.data.records import Instance, check
from tatian.errors import EmptyInput, InputError, NotText
from tatian.text import Authorship
from tatian.text.layers import Record
from tatian.text.streams import Stream, open_stream

TASK = "aggregation"


class WrittenAnswer(Struct, frozen=True, omit_defaults=True):
    """What stands in an answer's form, before any rule: an `AggregationAnswer` and less tidy ones.

    Records made elsewhere may have "N/A" for a phrase, the same phrase twice, or empty ones; the
    clean-up counts what it mends.
    """

    phrases: tuple[str, ...] = ()
    not_applicable: bool = False
    """Whether the box "I can't find a relevant phrase" was ticked."""


class AnswerRecord(Record[WrittenAnswer], frozen=True, omit_defaults=True):
    """A record, with the instance it is about where the file has it."""

    instance: Instance | None = None


A = TypeVar("A", WrittenAnswer, AggregationAnswer)
_DECODER = msgspec.json.Decoder(AnswerRecord)


def read(path: str) -> Iterator[AnswerRecord]:
    """The answers of a file (``-``: standard input): JSONL of records, or Mechanical Turk's CSV."""
    for _, record in located(path):
        yield record


def located(path: str) -> Iterator[tuple[LinePlace, AnswerRecord]]:
    """As `read`, each with its place."""
    empty = True
    with open_stream(path) as stream:
        for number, found in _answers(stream):
            empty = False
            if not isinstance(found, AnswerRecord):
                raise InputError(str(found), path=stream.name, line=number) from found
            yield LinePlace(stream.name, number), found
    if empty:
        raise EmptyInput("no answer in it", path=path)


def _answers(stream: Stream) -> Iterator[tuple[int, AnswerRecord | ValueError]]:
    """What every line or row is, or why it is none."""
    if _turk_recognizes(stream.head(), stream.name):
        for number, row in _turk_rows(stream):
            yield number, _of_row(row, f"{stream.name} row {number}")
        return
    for number, line in filled(stream):
        yield number, _of_line(line)


def _of_line(line: bytes) -> AnswerRecord | ValueError:
    try:
        record = parse(line, _DECODER)
        if record.instance is not None:
            check(record.instance)
    except ValueError as error:
        return error
    if (count := len(record.answer.phrases)) > MOST:
        return ValueError(f"answer.phrases: {count} phrases: at most {MOST} are asked for")
    return record if record.task == TASK else ValueError(f"task: '{record.task}', not '{TASK}'")


def _of_row(row: _Row, name: str) -> AnswerRecord | ValueError:
    if missing := _missing(row):
        return ValueError(f"{missing}: empty")
    return AnswerRecord(
        row.get(_ASSIGNMENT) or name,
        TASK,
        row[_ITEM],
        Authorship(row[_WORKER], kind="person"),
        WrittenAnswer(_phrases(row), not_applicable=_ticked(row)),
    )


def write(records: Iterable[Record[A]]) -> Iterator[str]:
    """A line for each record, which `read` gives back."""
    for record in records:
        yield msgspec.json.encode(record).decode() + "\n"


_WORKER, _ITEM, _ASSIGNMENT = "WorkerId", "Input.id_", "AssignmentId"
_PHRASES = ("Answer.utterance_1", "Answer.utterance_2")
_TICKED = "Answer.box_impossible.on"
_NOT_TICKED = frozenset({"", "false", "0", "no", "nan"})

_Row = dict[str, str]


def _turk_recognizes(head: bytes, name: str = "") -> bool:
    """Whether a file begins as such a table does, or is called a table."""
    first = head.partition(b"\n")[0]
    called = name.lower().removesuffix(".gz").endswith(".csv")
    return called or any(
        column.encode() in first for column in ("HITId", _WORKER, _ITEM, *_PHRASES)
    )


def _turk_rows(stream: Stream) -> Iterator[tuple[int, _Row]]:
    """The rows by their columns, each with the number of its last line; blank ones are left out."""
    try:
        reader = csv.DictReader(_text(stream), restval="")
        there = reader.fieldnames or ()
        if absent := [name for name in (_WORKER, _ITEM, _PHRASES[0]) if name not in there]:
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


def _missing(row: _Row) -> str | None:
    """The first column that a row must fill and does not."""
    return next((name for name in (_WORKER, _ITEM) if not row.get(name, "").strip()), None)


def _phrases(row: _Row) -> tuple[str, ...]:
    """What stands in the cells for phrases."""
    return tuple(row[name] for name in _PHRASES if row.get(name, "").strip())


def _ticked(row: _Row) -> bool:
    """Whether the annotator said that there is no relevant phrase."""
    return row.get(_TICKED, "").strip().lower() not in _NOT_TICKED
