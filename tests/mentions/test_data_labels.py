"""Labelers' records of the two rounds, as files."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from msgspec.structs import replace

from tatian.errors import EmptyInput, InputError
from tatian.formats import Losses, find, recognize
from tatian.formats.labels import (
    confirmation,
    confirmed,
    detected,
    detection,
    read_confirmations,
    read_detections,
    terms,
    write_records,
)
from tatian.formats.records import LinkedMention, LinkedText
from tatian.text import Authorship

from .data_samples import CUSTOMS, linked_texts

ANNA = Authorship(by="anna", kind="person", at="2026-01-01T00:00:00Z")
BARE = LinkedText(
    CUSTOMS.id,
    CUSTOMS.text,
    CUSTOMS.topic,
    tuple(LinkedMention(one.start, one.end, one.term, one.titles) for one in CUSTOMS.mentions),
)


def test_a_term_with_two_pages_is_two_answers() -> None:
    assert [one.title for one in terms(CUSTOMS) if one.term == "customs"] == [
        "Convention (norm)",
        "Tradition",
    ]


def test_detections_come_back_from_a_file_and_from_texts() -> None:
    record = detection(CUSTOMS, ANNA)
    assert list(read_detections("".join(write_records([record])))) == [record]
    assert list(detected([record], {CUSTOMS.id: CUSTOMS})) == [BARE]


def test_confirmations_judge_each_candidate_by_the_text() -> None:
    without = replace(CUSTOMS, mentions=CUSTOMS.mentions[:2])
    record = confirmation(without, terms(CUSTOMS), ANNA)
    assert [one.confirmed for one in record.answer.verdicts] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]
    assert list(read_confirmations("".join(write_records([record])))) == [record]
    (text,) = confirmed([record], {CUSTOMS.id: CUSTOMS})
    assert text.mentions == BARE.mentions[:2]


def test_what_the_guidelines_rule_out_is_no_answer() -> None:
    listed = replace(CUSTOMS, mentions=(LinkedMention(0, 4, "Comp", ("List of queens",)),))
    with pytest.raises(InputError, match="text 'customs': 'List of queens' is a list"):
        detection(listed, ANNA)


def test_a_broken_record_is_named() -> None:
    with pytest.raises(InputError, match=r"answers.jsonl:2: "):
        list(read_detections('\n{"id":"1"}', "answers.jsonl"))
    with pytest.raises(EmptyInput):
        list(read_confirmations("\n"))


def test_a_record_needs_its_text() -> None:
    record = detection(CUSTOMS, ANNA)
    with pytest.raises(InputError, match="about 'customs', which no text is called"):
        list(detected([record], {}))
    with pytest.raises(InputError, match=r"record 'anna/mentions\.detect/customs': the text has"):
        list(detected([record], {"customs": LinkedText("customs", "x" * 80)}))


@pytest.mark.parametrize("name", ["detections", "confirmations"])
def test_both_rounds_are_formats_of_texts(name: str) -> None:
    format = find(name, "mention")
    written = "".join(format.write([CUSTOMS]))
    assert recognize(written).name == name
    assert list(format.read(written)) == [BARE]


@given(linked_texts())
def test_pages_that_labelers_may_give_come_back(text: LinkedText) -> None:
    assume(all(one.term.strip() for one in text.mentions))
    losses = Losses()
    (again,) = find("detections").read("".join(find("detections").write([text], losses)))
    left_out = losses.counts["pages that the guidelines rule out: left out"]
    assert left_out == sum(len(one.titles) for one in text.mentions) - sum(
        len(one.titles) for one in again.mentions
    )
    kept = {(one.start, one.end, title) for one in text.mentions for title in one.titles}
    assert {(one.start, one.end, title) for one in again.mentions for title in one.titles} <= kept


def test_a_line_without_its_text_is_named() -> None:
    (line,) = write_records([detection(CUSTOMS, ANNA)])
    with pytest.raises(InputError, match=r"a\.jsonl:1: the record does not say the text"):
        list(find("detections").read(line, "a.jsonl"))


def test_pages_that_the_guidelines_rule_out_are_left_out_and_reported() -> None:
    listed = replace(CUSTOMS, mentions=(LinkedMention(0, 4, "Comp", ("List of queens",)),))
    losses = Losses()
    (again,) = find("detections").read("".join(find("detections").write([listed], losses)))
    assert again.mentions == ()
    assert losses.counts["pages that the guidelines rule out: left out"] == 1
