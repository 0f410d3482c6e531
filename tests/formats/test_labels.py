"""Labelers' records of the two rounds, as files."""

from __future__ import annotations

import pytest
from hypothesis import assume, given

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
from tatian.formats.links import linked, links_of, relinked, topic_of
from tatian.text import Authorship, Document, Link

from .link_samples import CUSTOMS, linked_texts

ANNA = Authorship(by="anna", kind="person", at="2026-01-01T00:00:00Z")
BARE = linked(
    CUSTOMS.id,
    CUSTOMS.text,
    tuple(Link(one.start, one.end, one.titles) for one in links_of(CUSTOMS)),
    topic=topic_of(CUSTOMS),
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
    without = relinked(CUSTOMS, links_of(CUSTOMS)[:2])
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
    assert links_of(text) == links_of(BARE)[:2]


def test_what_the_guidelines_rule_out_is_no_answer() -> None:
    listed = relinked(CUSTOMS, (Link(0, 4, ("List of queens",)),))
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
        list(detected([record], {"customs": linked("customs", "x" * 80)}))


@pytest.mark.parametrize("name", ["detections", "confirmations"])
def test_both_rounds_are_formats_of_texts(name: str) -> None:
    format = find(name, "mention")
    written = "".join(format.write([CUSTOMS]))
    assert recognize(written).name == name
    assert list(format.read(written)) == [BARE]


@given(linked_texts())
def test_pages_that_labelers_may_give_come_back(text: Document) -> None:
    assume(all(one.of(text.text).strip() for one in links_of(text)))
    losses = Losses()
    (again,) = find("detections").read("".join(find("detections").write([text], losses)))
    left_out = losses.counts["pages that the guidelines rule out: left out"]
    assert left_out == sum(len(one.titles) for one in links_of(text)) - sum(
        len(one.titles) for one in links_of(again)
    )
    kept = {(one.start, one.end, title) for one in links_of(text) for title in one.titles}
    assert {(one.start, one.end, title) for one in links_of(again) for title in one.titles} <= kept


def test_a_line_without_its_text_is_named() -> None:
    (line,) = write_records([detection(CUSTOMS, ANNA)])
    with pytest.raises(InputError, match=r"a\.jsonl:1: the record does not say the text"):
        list(find("detections").read(line, "a.jsonl"))


def test_pages_that_the_guidelines_rule_out_are_left_out_and_reported() -> None:
    listed = relinked(CUSTOMS, (Link(0, 4, ("List of queens",)),))
    losses = Losses()
    (again,) = find("detections").read("".join(find("detections").write([listed], losses)))
    assert links_of(again) == ()
    assert losses.counts["pages that the guidelines rule out: left out"] == 1
