"""The two rounds of annotation as files: a record of one labeler a line.

`tatian.mentions.ground_truth` makes a benchmark of them; here they are read, written, and turned
into texts and back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

import msgspec

from tatian.errors import EmptyInput, InputError
from tatian.mentions.annotation import Confirmation, Detection, LinkedTerm, Verdict
from tatian.mentions.data.jsonl import lines, place, reason
from tatian.mentions.data.records import LinkedMention, LinkedText
from tatian.text.layers import Authorship
from tatian.text.records import Record

DETECTION = "mentions.detect"
CONFIRMATION = "mentions.confirm"
A = TypeVar("A")


def read_detections(text: str, path: str | None = None) -> Iterator[Record[Detection]]:
    """The records of the first round."""
    return _records(text, path, msgspec.json.Decoder(Record[Detection]))


def read_confirmations(text: str, path: str | None = None) -> Iterator[Record[Confirmation]]:
    """The records of the second round."""
    return _records(text, path, msgspec.json.Decoder(Record[Confirmation]))


def _records(
    text: str, path: str | None, decoder: msgspec.json.Decoder[Record[A]]
) -> Iterator[Record[A]]:
    found = False
    for number, line in lines(text):
        found = True
        try:
            yield decoder.decode(line)
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
            raise InputError(reason(error), path=path, line=number) from error
    if not found:
        raise EmptyInput("no record in it", path=path)


def write_records(records: Iterable[Record[A]]) -> Iterator[str]:
    """A line for each record, which `read_detections` or `read_confirmations` reads again."""
    for record in records:
        yield msgspec.json.encode(record).decode() + "\n"


def terms(text: LinkedText) -> tuple[LinkedTerm, ...]:
    """A text's mentions as labelers give them: a term for each page, in the order of the text.

    InputError if one links what the guidelines rule out (a section, a list, a disambiguation page).
    """
    try:
        found = [
            LinkedTerm(one.start, one.end, one.term, title)
            for one in text.mentions
            for title in one.titles
        ]
    except ValueError as error:
        raise InputError(f"text '{text.id}': {error}") from error
    return tuple(sorted(found, key=lambda one: (one.start, one.end)))


def detection(text: LinkedText, made: Authorship) -> Record[Detection]:
    """A text's mentions as one labeler's answer to the first round."""
    id = f"{made.by}/{DETECTION}/{text.id}"
    return Record(id, DETECTION, text.id, made, Detection(terms(text)))


def confirmation(
    text: LinkedText, candidates: Iterable[LinkedTerm], made: Authorship
) -> Record[Confirmation]:
    """One labeler's verdicts on `candidates`: those among the text's mentions are right."""
    right = set(terms(text))
    verdicts = tuple(Verdict(one, one in right) for one in candidates)
    id = f"{made.by}/{CONFIRMATION}/{text.id}"
    return Record(id, CONFIRMATION, text.id, made, Confirmation(verdicts))


def detected(
    records: Iterable[Record[Detection]], texts: Mapping[str, LinkedText]
) -> Iterator[LinkedText]:
    """What each labeler found, as a text of its own; `texts` are the annotated ones, by id."""
    for record in records:
        yield annotated(record, record.answer.mentions, texts)


def confirmed(
    records: Iterable[Record[Confirmation]], texts: Mapping[str, LinkedText]
) -> Iterator[LinkedText]:
    """What each labeler confirmed, as a text of its own."""
    for record in records:
        yield annotated(record, sorted(record.answer.confirmed), texts)


def annotated(
    record: Record[A], found: Iterable[LinkedTerm], texts: Mapping[str, LinkedText]
) -> LinkedText:
    """The text that a record is about, with the terms of its answer as mentions."""
    text = texts.get(record.item)
    if text is None:
        raise InputError(f"record '{record.id}' is about '{record.item}', which no text is called")
    pages: dict[tuple[int, int, str], list[str]] = {}
    for one in found:
        try:
            one.check(text.text)
        except InputError as error:
            raise InputError(f"record '{record.id}': {error}") from error
        pages.setdefault((one.start, one.end, one.term), []).append(one.title)
    mentions = (
        LinkedMention(start, end, term=term, titles=tuple(titles))
        for (start, end, term), titles in pages.items()
    )
    return LinkedText(text.id, text.text, text.topic, tuple(sorted(mentions, key=place)))
