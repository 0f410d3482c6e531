"""From answers to a dataset: whose answers count, which instances stay, and how many of each."""

from __future__ import annotations

import gzip
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tatian.aggregation.data import Instance, cleanup
from tatian.aggregation.data.cleanup import (
    Annotation,
    AnswerRecord,
    CleanedAnswers,
    Sizes,
    WrittenAnswer,
    by_id,
    clean,
    dataset,
)
from tatian.aggregation.data.records import AggregationAnswer
from tatian.errors import EmptyInput, InputError
from tatian.text import Authorship
from tatian.text.layers import Record

from .data_samples import CITIES, answer


def counts(cleaned: CleanedAnswers) -> dict[str, int]:
    return {one.rule.name: one.count for one in cleaned.applied if one.count}


def test_the_papers_example_becomes_three_phrases() -> None:
    records = [
        answer("i", "ann", "french politicians"),
        answer("i", "bob", "the French politicians", "the French presidential candidates"),
        answer("i", "eve", "the politicians"),
    ]
    cleaned = clean(records, assignments=1)
    expected = ("french politicians", "french presidential candidates", "politicians")
    assert cleaned.phrases == {"i": expected}
    assert counts(cleaned) == {"case": 2, "the": 3}


def test_an_instance_that_only_one_annotator_named_is_discarded() -> None:
    records = [
        answer("i", "ann", "cities"),
        answer("i", "bob"),
        answer("i", "eve", "N/A"),
        answer("j", "ann", "ports"),
        answer("j", "bob", "towns"),
        answer("j", "eve"),
    ]
    cleaned = clean(records, assignments=1)
    assert set(cleaned.phrases) == {"j"}
    assert counts(cleaned) == {"few-answers": 1, "n/a": 1}
    assert cleaned.collected == Sizes(instances=2, workers=3, annotations=6)
    assert cleaned.kept == Sizes(instances=1, workers=2, annotations=2)


def test_workers_with_fewer_than_five_answers_are_discarded() -> None:
    busy = [answer(f"i{at}", worker, "cities") for at in range(5) for worker in ("ann", "bob")]
    idle = [answer(f"i{at}", "eve", "towns") for at in range(4)]
    naming_nothing = [answer(f"i{at}", "una") for at in range(5)]
    cleaned = clean([*busy, *idle, *naming_nothing])
    assert {one.worker for one in cleaned.annotations} == {"ann", "bob"}
    assert {one.worker for one in cleaned.judged} == {"ann", "bob", "una"}
    assert counts(cleaned) == {"few-assignments": 1, "n/a": 5}


def test_an_instance_loses_the_answers_of_discarded_workers_before_they_are_counted() -> None:
    busy = [answer(f"i{at}", "ann", "cities") for at in range(5)]
    cleaned = clean([*busy, answer("i0", "bob", "towns")])
    assert cleaned.annotations == ()
    assert counts(cleaned) == {"few-assignments": 1, "few-answers": 5}


@pytest.mark.parametrize(
    "one", [answer("i", "w", "cities", "N/A"), answer("i", "w", "cities", ticked=True)]
)
def test_a_phrase_given_together_with_not_applicable_is_none(one: AnswerRecord) -> None:
    cleaned = clean([one], assignments=1, answers=1)
    assert cleaned.judged == (Annotation("i", "w", ()),)
    assert counts(cleaned) == {"beside-n/a": 1, "few-answers": 1}


@pytest.mark.parametrize("written", ["NA", "n/a", " N/A. ", "N.A."])
def test_not_applicable_can_be_written_in_several_ways(written: str) -> None:
    assert clean([answer("i", "w", written)], assignments=1).judged[0].phrases == ()


def test_a_phrase_that_equals_the_first_after_the_clean_up_is_a_repeat() -> None:
    cleaned = clean([answer("i", "w", "Cities", "the two cities.")], assignments=1, answers=1)
    assert cleaned.phrases == {"i": ("cities",)}
    assert counts(cleaned)["repeat"] == 1


def test_an_answer_with_no_phrase_left_is_not_applicable() -> None:
    records = [answer("i", "ann", "people"), answer("i", "bob", "cities")]
    cleaned = clean(records, assignments=1, answers=1)
    assert [one.worker for one in cleaned.annotations] == ["bob"]
    assert counts(cleaned) == {"generic": 1, "n/a": 1}


def test_a_correction_takes_the_place_of_the_earlier_record() -> None:
    records = [
        answer("i", "ann", "towns", id="r1"),
        answer("i", "ann", "cities", id="r2", replaces="r1"),
        answer("j", "ann", "ports", id="r3"),
        answer("j", "ann", "harbours", id="r4"),
    ]
    cleaned = clean(records, assignments=1, answers=1)
    assert cleaned.phrases == {"i": ("cities",), "j": ("harbours",)}
    assert cleaned.collected.annotations == 2
    assert counts(cleaned)["corrected"] == 2


@given(st.lists(st.tuples(*map(st.sampled_from, ("ijk", "abc", ["cities", "people", "n/a"])))))
def test_kept_answers_are_a_part_of_the_collected_ones(given_answers) -> None:
    records = [answer(*one, id=str(at)) for at, one in enumerate(given_answers)]
    cleaned = clean(records, assignments=2)
    for name in Sizes.__struct_fields__:
        assert getattr(cleaned.kept, name) <= getattr(cleaned.collected, name)
    discarded = counts(cleaned).get("few-answers", 0)
    assert cleaned.kept.instances == cleaned.collected.instances - discarded
    assert all(one.phrases for one in cleaned.annotations)


def test_the_dataset_has_the_instances_that_were_named_in_their_order() -> None:
    known = {id: replace(CITIES, id=id) for id in ("z", "i", "j")}
    records = [answer("j", "ann", "ports"), answer("i", "ann", "towns"), answer("i", "bob")]
    found = dataset(clean(records, assignments=1, answers=1), known)
    assert [(one.id, one.aggregations, one.candidates) for one in found] == [
        ("i", ("towns",), ()),
        ("j", ("ports",), ()),
    ]
    assert found[0].context == CITIES.context


def test_an_answer_about_an_unknown_instance_is_an_error() -> None:
    cleaned = clean([answer("nowhere", "ann", "towns")], assignments=1, answers=1)
    with pytest.raises(InputError, match="refers to 'nowhere', but no instance has this id"):
        dataset(cleaned, {CITIES.id: CITIES})


def test_records_can_have_their_instances_with_them() -> None:
    enclosed = replace(answer("i1", "ann", "towns"), instance=CITIES)
    assert by_id([enclosed, answer("i1", "bob")]) == {"i1": CITIES}
    other = replace(CITIES, title="Another")
    with pytest.raises(InputError, match="two different instances have the id 'i1'"):
        by_id([enclosed], [other])


def test_records_of_the_annotation_page_are_read(tmp_path: Path) -> None:
    made = Authorship("ann", kind="person")
    record = Record("r", "aggregation", "i1", made, AggregationAnswer(("cities", "ports")))
    file = tmp_path / "answers.jsonl.gz"
    file.write_bytes(gzip.compress(msgspec.json.encode(record) + b"\n"))
    ((_, read),) = cleanup.read_located_answers(str(file))
    assert (read.item, read.made.by, read.answer) == (
        "i1",
        "ann",
        WrittenAnswer(("cities", "ports")),
    )


def lines(*records: str) -> str:
    return "\n".join(records) + "\n"


GOOD = '{"id":"r","task":"aggregation","item":"i","made":{"by":"ann"},"answer":{"phrases":["a"]}}'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        (GOOD.replace('["a"]', '"a"'), "answer.phrases: Expected `array`, got `str`"),
        (GOOD.replace('"by":"ann"', ""), "made: Object missing required field `by`"),
        (GOOD.replace("aggregation", "union"), "task: 'union', not 'aggregation'"),
        (
            GOOD[:-1] + ',"instance":{"id":"i","entities":["a"],"type":"person"}}',
            "entities: only 'a'",
        ),
    ],
)
def test_an_error_in_a_record_names_line_and_field(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(lines(GOOD, line))
    with pytest.raises(InputError) as raised:
        list(cleanup.read_located_answers(str(file)))
    assert str(raised.value).startswith(f"{file}:2: {message}")


def test_a_file_without_records_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("\n")
    with pytest.raises(EmptyInput, match="contains no answer"):
        list(cleanup.read_located_answers(str(tmp_path / "a.jsonl")))


def test_dataset_without_answers_is_empty() -> None:
    assert dataset(clean([]), {"i": Instance("i", ("a", "b"), "person")}) == []
