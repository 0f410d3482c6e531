"""Marking words of a union as missing, unfaithful or redundant."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.text.layers import Authorship, Record
from tatian.union.metrics import content_spans, parse_marks, quality
from tatian.workbench.tasks import NewItem
from tatian.workbench.tasks.marking import MarkingTask

SENTENCES = ["Harbour master Ines Tal closed the port.", "The port was closed at noon."]
UNION = "The harbour master closed the port at noon."
CONTENT = {"sentences": SENTENCES, "merged": UNION, "dataset": "ours"}
INES_TAL = {"start": 15, "end": 23, "sentence": 0}
NOON = {"start": 38, "end": 42}


@pytest.fixture
def task():
    return MarkingTask()


def test_the_page_gets_the_texts_and_their_content_words_but_not_the_dataset(task):
    shown = task.to_page(CONTENT, 1, {})
    assert shown["sentences"] == SENTENCES
    assert shown["union"] == UNION
    assert [UNION[start:end] for start, end in shown["content"]["union"]] == [
        "harbour", "master", "closed", "port", "noon"
    ]  # fmt: skip
    assert "ours" not in json.dumps(shown)


def test_marks_are_stored_in_the_order_of_the_texts_and_once(task):
    answer = {"missing": [INES_TAL, INES_TAL], "unfaithful": [NOON, {"start": 4, "end": 11}]}
    assert task.from_page(CONTENT, 1, {}, answer) == {
        "missing": [INES_TAL],
        "unfaithful": [{"start": 4, "end": 11}, NOON],
    }


def test_a_union_without_fault_is_an_answer(task):
    assert task.from_page(CONTENT, 1, {}, {}) == {}
    assert task.answer_to_page(CONTENT, 1, {}, {}) == {}


def spans(text):
    return st.lists(
        st.sampled_from([{"start": s.start, "end": s.end} for s in content_spans(text)]),
        unique_by=lambda span: span["start"],
    )


@given(unfaithful=spans(UNION), redundant=spans(UNION), unfluent=st.booleans())
def test_an_answer_comes_back_as_the_expert_gave_it(unfaithful, redundant, unfluent):
    task = MarkingTask()
    answer = {"unfaithful": unfaithful, "redundant": redundant, "unfluent": unfluent}
    stored = task.from_page(CONTENT, 1, {}, answer)
    again = task.from_page(CONTENT, 1, {}, task.answer_to_page(CONTENT, 1, {}, stored))
    assert again == stored
    assert task.score(CONTENT, answer, stored) == 1


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"missing": [{"start": 0, "end": 3, "sentence": 2}]}, "sentence 2, which is not there"),
        ({"missing": [{"start": 0, "end": 300, "sentence": 0}]}, "lies outside sentence 0"),
        ({"unfaithful": [{"start": 0, "end": 300}]}, "lies outside the union"),
        ({"redundant": [{"start": 5, "end": 2}]}, "not an answer of this page"),
        ({"redundant": [{"start": -1, "end": 2}]}, "not an answer of this page"),
        ({"note": "x" * 2001}, "longer than 2000"),
        ([], "not an answer of this page"),
        (None, "not an answer of this page"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused(task, answer, message):
    with pytest.raises(InputError, match=message):
        task.from_page(CONTENT, 1, {}, answer)


def test_the_score_is_the_f1_of_marked_content_words(task):
    right = {"missing": [INES_TAL]}
    assert task.score(CONTENT, right, right) == 1
    assert task.score(CONTENT, right, {}) == 0
    half = {"missing": [{"start": 15, "end": 19, "sentence": 0}]}
    assert task.score(CONTENT, right, half) == pytest.approx(2 / 3)
    assert task.score(CONTENT, {}, {}) == 1


def test_stop_words_in_a_mark_change_nothing(task):
    the_port = {"start": 31, "end": 39, "sentence": 0}
    port = {"start": 35, "end": 39, "sentence": 0}
    assert task.score(CONTENT, {"missing": [the_port]}, {"missing": [port]}) == 1


def test_another_kind_of_mark_on_the_right_word_is_wrong(task):
    assert task.score(CONTENT, {"unfaithful": [NOON]}, {"redundant": [NOON]}) == 0


def test_feedback_has_the_right_marks_and_why(task):
    found = task.feedback(CONTENT, {"missing": [INES_TAL], "note": "The name."}, {})
    assert found["gold"]["missing"] == [INES_TAL]
    assert found["note"] == "The name."
    assert found["score"] == 0


def test_a_programs_count_can_be_suggested(task):
    found = task.suggest(CONTENT)
    assert [SENTENCES[0][m["start"] : m["end"]] for m in found["missing"]] == ["Ines", "Tal"]
    assert task.from_page(CONTENT, 1, {}, found) == found


def test_pairs_and_lines_are_read(task):
    table = b"sentence1Text,sentence2Text,mergedText\nA.,B.,A and B.\n"
    (item,) = task.read("f.csv", table, {})
    assert item == NewItem("1", {"sentences": ["A.", "B."], "merged": "A and B."})
    line = json.dumps({"id": 7, **CONTENT, "gold": {"missing": [INES_TAL]}, "stage": 0})
    (item,) = task.read("f.jsonl", line.encode(), {})
    assert (item.key, item.stage, item.gold) == ("7", 0, {"missing": [INES_TAL]})
    assert item.content == CONTENT


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"sentences": ["A."]}, "f:1: not a union to mark: no union to mark"),
        ({"sentences": [], "merged": "A."}, "no source sentences"),
        ({**CONTENT, "gold": {"unfaithful": [{"start": 0, "end": 99}]}}, "lies outside the union"),
    ],
)
def test_invalid_items_are_named_by_file_and_line(task, line, message):
    with pytest.raises(InputError, match=message):
        list(task.read("f", json.dumps(line).encode(), {}))


def test_the_export_is_what_the_marks_command_reads(task):
    author = Authorship("ann", kind="person")
    records = [
        Record("r1", "union.mark", "1", author, {"unfaithful": [NOON]}),
        Record("r2", "union.mark", "1", author, {"missing": [INES_TAL]}, "r1"),
    ]
    (exported,) = task.export([NewItem("1", CONTENT)], records)
    marked = parse_marks(exported.data.decode(), path=exported.name)
    assert [(one.id, one.by, one.dataset) for one in marked] == [("1", "ann", "ours")]
    scores = quality(marked).scores
    assert scores["coverage"].value == pytest.approx(5 / 7)
    assert scores["faithfulness"].value == 1


def test_marking_nothing_does_not_pass_the_training(task):
    subtle = [item for item in task.demo() if item.stage == 1]
    scores = [task.score(item.content, item.gold, {}) for item in subtle]
    assert sum(scores) / len(scores) < task.demo_stages[1].pass_mark
