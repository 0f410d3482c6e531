"""Annotators' answers as they were written, of one annotator to one instance each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec
from msgspec import Struct

from tatian.aggregation.annotation import MOST, AggregationAnswer
from tatian.aggregation.data import mturk
from tatian.aggregation.data.jsonl import LinePlace, filled, parse
from tatian.aggregation.data.records import Instance, check
from tatian.errors import EmptyInput, InputError
from tatian.formats import Losses
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


def read(path: str, *, skipped: Losses | None = None) -> Iterator[AnswerRecord]:
    """The answers of a file (``-`` is standard input): JSONL of records, or Mechanical Turk's CSV.

    With `skipped`, lines that are no answer to this task are left out and counted there.
    """
    for _, record in located(path, skipped=skipped):
        yield record


def located(
    path: str, *, skipped: Losses | None = None
) -> Iterator[tuple[LinePlace, AnswerRecord]]:
    """As `read`, each with its place."""
    empty = True
    with open_stream(path) as stream:
        for number, found in _answers(stream):
            empty = False
            if isinstance(found, AnswerRecord):
                yield LinePlace(stream.name, number), found
            elif skipped is None:
                raise InputError(str(found), path=stream.name, line=number) from found
            else:
                skipped.add(str(found), f"{stream.name}:{number}")
    if empty:
        raise EmptyInput("no answer in it", path=path)


def _answers(stream: Stream) -> Iterator[tuple[int, AnswerRecord | ValueError]]:
    """What every line or row is, or why it is none."""
    if mturk.recognizes(stream.head(), stream.name):
        for number, row in mturk.rows(stream):
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


def _of_row(row: mturk.Row, name: str) -> AnswerRecord | ValueError:
    if missing := mturk.missing(row):
        return ValueError(f"{missing}: empty")
    return AnswerRecord(
        row.get(mturk.ASSIGNMENT) or name,
        TASK,
        row[mturk.ITEM],
        Authorship(row[mturk.WORKER], kind="person"),
        WrittenAnswer(mturk.phrases(row), not_applicable=mturk.ticked(row)),
    )


def write(records: Iterable[Record[A]]) -> Iterator[str]:
    """A line for each record, which `read` gives back."""
    for record in records:
        yield msgspec.json.encode(record).decode() + "\n"
