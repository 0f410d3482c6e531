"""Annotators' answers as they were written, of one annotator to one instance each: JSONL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec
from msgspec import Struct

from tatian.aggregation.annotation import MOST, AggregationAnswer
from tatian.aggregation.data.jsonl import LinePlace, filled, parse
from tatian.aggregation.data.records import Instance, check
from tatian.errors import EmptyInput, InputError
from tatian.text.layers import Record
from tatian.text.streams import open_stream

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
    """The answers of a file (``-``: standard input): JSONL of records."""
    for _, record in located(path):
        yield record


def located(path: str) -> Iterator[tuple[LinePlace, AnswerRecord]]:
    """As `read`, each with its place."""
    empty = True
    with open_stream(path) as stream:
        for number, line in filled(stream):
            empty, found = False, _of_line(line)
            if not isinstance(found, AnswerRecord):
                raise InputError(str(found), path=stream.name, line=number) from found
            yield LinePlace(stream.name, number), found
    if empty:
        raise EmptyInput("no answer in it", path=path)


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


def write(records: Iterable[Record[A]]) -> Iterator[str]:
    """A line for each record, which `read` gives back."""
    for record in records:
        yield msgspec.json.encode(record).decode() + "\n"
