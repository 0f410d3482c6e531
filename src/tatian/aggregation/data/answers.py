"""Annotators' raw answers as JSONL: one line per annotator and instance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec
from msgspec import Struct

from tatian.aggregation.annotation import MOST, AggregationAnswer
from tatian.aggregation.data.jsonl import LinePlace, lines, parse
from tatian.aggregation.data.records import Instance, check
from tatian.errors import InputError
from tatian.text.layers import Record

TASK = "aggregation"


class WrittenAnswer(Struct, frozen=True, omit_defaults=True):
    """Raw content of an answer's form, before any rule: a less tidy `AggregationAnswer`.

    Records from elsewhere may have "N/A" for a phrase, a phrase twice, or empty phrases. The
    clean-up mends these and counts what it mends.
    """

    phrases: tuple[str, ...] = ()
    not_applicable: bool = False
    """True if the box "I can't find a relevant phrase" was ticked."""


class AnswerRecord(Record[WrittenAnswer], frozen=True, omit_defaults=True):
    """A record, with its instance where the file has it."""

    instance: Instance | None = None


A = TypeVar("A", WrittenAnswer, AggregationAnswer)
_DECODER = msgspec.json.Decoder(AnswerRecord)


def read(path: str) -> Iterator[AnswerRecord]:
    """Yield the answers of a file of JSONL records; ``-`` is standard input."""
    for _, record in read_located_answers(path):
        yield record


def read_located_answers(path: str) -> Iterator[tuple[LinePlace, AnswerRecord]]:
    """Yield what `read` yields, each with its place in the file."""
    for place, line in lines(path, "no answer in it"):
        try:
            yield place, _of_line(line)
        except ValueError as error:
            raise InputError(str(error), path=place.path, line=place.line) from error


def _of_line(line: bytes) -> AnswerRecord:
    record = parse(line, _DECODER)
    if record.instance is not None:
        check(record.instance)
    if (count := len(record.answer.phrases)) > MOST:
        raise ValueError(f"answer.phrases: {count} phrases: at most {MOST} are asked for")
    if record.task != TASK:
        raise ValueError(f"task: '{record.task}', not '{TASK}'")
    return record


def write(records: Iterable[Record[A]]) -> Iterator[str]:
    """Yield a line for each record, in the form that `read` reads."""
    for record in records:
        yield msgspec.json.encode(record).decode() + "\n"
