"""Labelers' records of the two rounds, as files."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tatian.errors import EmptyInput, InputError
from tatian.formats import find, recognize
from tatian.formats.labels import (
    CONFIRMATION,
    Confirmation,
    MentionVerdict,
    detection,
    read_confirmations,
    read_detections,
    terms_of,
)
from tatian.formats.links import build_document, links_of, replace_links, topic_of
from tatian.text import Authorship, Link
from tatian.text.layers import Record

from .link_samples import CUSTOMS

ANNA = Authorship(by="anna", kind="person", at="2026-01-01T00:00:00Z")
BARE = build_document(
    CUSTOMS.id,
    CUSTOMS.text,
    tuple(Link(one.start, one.end, one.titles) for one in links_of(CUSTOMS)),
    topic=topic_of(CUSTOMS),
)


DETECTED = detection(CUSTOMS, ANNA)
CONFIRMED = Record(
    "1",
    CONFIRMATION,
    CUSTOMS.id,
    ANNA,
    Confirmation(tuple(MentionVerdict(one, at < 3) for at, one in enumerate(terms_of(CUSTOMS)))),
)


def line(record: Record[Any], **more: str) -> str:
    """A record as its line, with what else a line has."""
    return msgspec.json.encode({**msgspec.to_builtins(record), **more}).decode()


def test_a_term_with_two_pages_is_two_answers() -> None:
    assert [one.title for one in terms_of(CUSTOMS) if one.term == "customs"] == [
        "Convention (norm)",
        "Tradition",
    ]


def test_records_come_back_from_a_file() -> None:
    assert list(read_detections(line(DETECTED))) == [DETECTED]
    assert list(read_confirmations(line(CONFIRMED))) == [CONFIRMED]


def test_detections_and_confirmations_are_read_as_texts() -> None:
    (found,) = find("detections").read(line(DETECTED, text=CUSTOMS.text, topic=topic_of(CUSTOMS)))
    assert found == BARE
    (right,) = find("confirmations").read(line(CONFIRMED, text=CUSTOMS.text))
    assert links_of(right) == links_of(BARE)[:2]


def test_both_rounds_are_recognised() -> None:
    assert recognize(line(DETECTED)).name == "detections"
    assert recognize(line(CONFIRMED)).name == "confirmations"


def test_links_against_the_guidelines_are_refused() -> None:
    listed = replace_links(CUSTOMS, (Link(0, 4, ("List of queens",)),))
    with pytest.raises(InputError, match="text 'customs': 'List of queens' is a list"):
        detection(listed, ANNA)


def test_a_broken_record_is_named() -> None:
    with pytest.raises(InputError, match=r"answers.jsonl:2: "):
        list(read_detections('\n{"id":"1"}', "answers.jsonl"))
    with pytest.raises(EmptyInput):
        list(read_confirmations("\n"))


def test_an_answer_that_does_not_fit_its_text_is_named() -> None:
    with pytest.raises(InputError, match=r"a:1: record 'anna/.*/customs': the text has"):
        list(find("detections").read(line(DETECTED, text="x" * 80), "a"))


def test_a_line_without_its_text_is_named() -> None:
    with pytest.raises(InputError, match=r"a\.jsonl:1: the record does not say the text"):
        list(find("detections").read(line(DETECTED), "a.jsonl"))
