"""Side-by-side judging: blind, shuffled, each different union rated once."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.text.layers import Authorship, Record
from tatian.union.ratings import CRITERIA, SideBySide, parse
from tatian.workbench.tasks import NewItem
from tatian.workbench.tasks.judging import ADJACENT_CREDIT, JudgingTask

CONTENT = {
    "sentences": ["A ferry sank.", "The Alba sank in fog."],
    "reference": "The ferry Alba sank in fog.",
    "systems": {
        "zeta-large": "The ferry Alba sank in fog.",
        "omega": "A ferry sank.",
        "zeta-small": "The  ferry Alba sank in fog. ",
        "kappa": "<b>The Alba</b> sank & sank in fog.",
    },
}
ALL_FOUR = {criterion: [4, 4, 4] for criterion in CRITERIA}
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@pytest.fixture
def task():
    return JudgingTask()


def rated(task, seed, by_text, options=None):
    """Return the page's answer of a judge who rates unions by text."""
    shown = task.to_page(CONTENT, seed, options or {})
    return {
        "ratings": {
            criterion["name"]: [by_text[output["text"]] for output in shown["outputs"]]
            for criterion in shown["criteria"]
        }
    }


ALIKE = {
    "The ferry Alba sank in fog.": 4,
    "A ferry sank.": 2,
    "<b>The Alba</b> sank & sank in fog.": 3,
}


def test_no_name_of_a_system_reaches_the_browser(task):
    shown = json.dumps(task.to_page(CONTENT, 3, {"sources": True}))
    assert not any(name in shown for name in CONTENT["systems"])


def test_equal_unions_are_shown_once(task):
    outputs = task.to_page(CONTENT, 1, {})["outputs"]
    assert sorted(output["text"] for output in outputs) == sorted(ALIKE)
    assert [output["label"] for output in outputs] == ["A", "B", "C"]


def test_the_order_depends_only_on_the_seed(task):
    orders = {
        seed: tuple(output["text"] for output in task.to_page(CONTENT, seed, {})["outputs"])
        for seed in range(40)
    }
    assert len(set(orders.values())) == 6
    backwards = dict(reversed(CONTENT["systems"].items()))
    again = task.to_page({**CONTENT, "systems": backwards}, 5, {})
    assert tuple(output["text"] for output in again["outputs"]) == orders[5]


def test_pages_come_in_the_papers_order_with_the_labels_of_its_table(task):
    criteria = task.to_page(CONTENT, 1, {})["criteria"]
    assert [one["name"] for one in criteria] == list(CRITERIA)
    assert [one["base"] for one in criteria] == ["reference", "output", None, None]
    assert [len(one["labels"]) for one in criteria] == [4, 4, 4, 5]
    assert criteria[0]["labels"] == [
        "Substantial information is missing.",
        "Some information is missing.",
        "Minor details are missing.",
        "Nothing is missing.",
    ]
    assert criteria[2]["labels"][0] == "Substantial information is repeated."


def test_a_campaign_may_ask_for_some_criteria_in_its_own_order(task):
    options = {"criteria": ["fluency", "coverage"]}
    shown = task.to_page(CONTENT, 1, options)
    assert [one["name"] for one in shown["criteria"]] == ["fluency", "coverage"]
    stored = task.from_page(CONTENT, 1, options, rated(task, 1, ALIKE, options))
    assert stored["systems"]["omega"] == {"coverage": 2, "fluency": 2}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"criteria": []}, "name each criterion once"),
        ({"criteria": ["coverage", "coverage"]}, "name each criterion once"),
        ({"criteria": ["beauty"]}, "Invalid enum value 'beauty'"),
        ({"critera": ["coverage"]}, "unknown field 'critera'"),
    ],
)
def test_invalid_options_are_refused(task, options, message):
    with pytest.raises(InputError, match=message):
        task.to_page(CONTENT, 1, options)


def test_source_sentences_are_shown_only_on_request(task):
    assert task.to_page(CONTENT, 1, {})["sentences"] == []
    assert task.to_page(CONTENT, 1, {"sources": True})["sentences"] == CONTENT["sentences"]


@given(seed=st.integers(0, 2**31 - 1))
def test_ratings_go_to_the_systems_that_wrote_the_unions(seed):
    task = JudgingTask()
    stored = task.from_page(CONTENT, seed, {}, rated(task, seed, ALIKE))
    ratings = {name: judged["coverage"] for name, judged in stored["systems"].items()}
    assert ratings == {"zeta-large": 4, "omega": 2, "zeta-small": 4, "kappa": 3}
    assert list(stored["systems"]) == list(CONTENT["systems"])
    msgspec.convert(stored, SideBySide)


@given(
    systems=st.dictionaries(texts.filter(str.strip), texts, min_size=1, max_size=6),
    seed=st.integers(0, 2**31 - 1),
    data=st.data(),
)
def test_an_answer_comes_back_as_the_judge_gave_it(systems, seed, data):
    task = JudgingTask()
    content = task.content({**CONTENT, "systems": systems})
    count = len(task.to_page(content, seed, {})["outputs"])
    marks = st.lists(st.integers(1, 4), min_size=count, max_size=count)
    answer = {"ratings": {criterion: data.draw(marks) for criterion in CRITERIA}}
    stored = task.from_page(content, seed, {}, answer)
    assert task.answer_to_page(content, seed, {}, stored) == answer


def test_an_answer_that_comes_back_names_no_system(task):
    stored = task.from_page(CONTENT, 2, {}, rated(task, 2, ALIKE))
    restored = json.dumps(task.answer_to_page(CONTENT, 2, {}, stored))
    assert not any(name in restored for name in CONTENT["systems"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"coverage": [4, 4]}, "coverage: 2 ratings of 3 unions"),
        ({"coverage": [4, 4, 5]}, "coverage is rated from 1 to 4, not 5"),
        ({"fluency": [0, 4, 5]}, "fluency is rated from 1 to 5, not 0"),
        ({"fluency": [None, 4, 5]}, "not an answer of this page"),
        ({"fluency": [True, 4, 5]}, "not an answer of this page"),
        ({"beauty": [1, 1, 1]}, "not an answer of this page"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused(task, change, message):
    answer = {"ratings": {**ALL_FOUR, **change}}
    with pytest.raises(InputError, match=message):
        task.from_page(CONTENT, 1, {}, answer)


@pytest.mark.parametrize("answer", [None, [], "x", 3, {}, {"ratings": []}, {"ratings": {}}])
def test_malformed_answers_are_refused(task, answer):
    with pytest.raises(InputError):
        task.from_page(CONTENT, 1, {}, answer)


def test_an_unrequested_criterion_is_refused(task):
    answer = {"ratings": ALL_FOUR}
    with pytest.raises(InputError, match="is not asked for in this campaign"):
        task.from_page(CONTENT, 1, {"criteria": ["fluency"]}, answer)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"systems": {}}, "no system to judge"),
        ({"systems": {" ": "x"}}, "a system has an empty name"),
        ({"reference": " "}, "the reference is empty"),
        ({"sentences": [""]}, "no source sentences"),
        ({"systems": {"a": 3}}, "Expected 'str'"),
    ],
)
def test_an_invalid_item_is_refused(task, change, message):
    with pytest.raises(InputError, match=message):
        task.content({**CONTENT, **change})


def gold(**systems):
    return {"systems": {name: {"coverage": value} for name, value in systems.items()}}


def make_answer(**systems):
    return gold(**systems)


def test_ratings_one_step_off_score_half(task):
    content = {**CONTENT, "systems": {"a": "A sank.", "b": "B sank.", "c": "C sank."}}
    right = gold(a=4, b=4, c=4)
    assert task.score(content, right, make_answer(a=4, b=4, c=4)) == 1
    assert task.score(content, right, make_answer(a=4, b=3, c=2)) == pytest.approx(
        (1 + ADJACENT_CREDIT) / 3
    )


def test_unions_that_systems_share_count_once(task):
    content = {**CONTENT, "systems": {"a": "A sank.", "b": "A  sank.", "c": "C sank."}}
    assert task.score(content, gold(a=4, b=4, c=4), make_answer(a=4, b=4, c=1)) == 0.5


def test_feedback_names_unions_by_text_in_a_neutral_order(task):
    stored = task.from_page(CONTENT, 2, {}, rated(task, 2, ALIKE))
    right = {**stored, "note": "Because."}
    found = task.feedback(CONTENT, right, stored)
    assert [output["text"] for output in found["outputs"]] == sorted(ALIKE)
    assert found["outputs"][1]["ratings"]["coverage"] == {"own": 2, "gold": 2}
    assert found["note"] == "Because."
    assert not any(name in json.dumps(found) for name in CONTENT["systems"])


def test_rating_everything_with_the_best_does_not_pass_the_training(task):
    stage = task.demo_stages[1]
    scores = []
    for item in (one for one in task.demo() if one.stage == 1):
        best = {"coverage": 4, "faithfulness": 4, "redundancy": 4, "fluency": 5}
        answer = {"systems": dict.fromkeys(item.content["systems"], best)}
        scores.append(task.score(item.content, item.gold, answer))
    assert sum(scores) / len(scores) < stage.pass_mark


def record(id, answer, by="ann", item="1", replaces=None):
    return Record(id, "union.judge", item, Authorship(by, kind="person"), answer, replaces)


def test_both_exports_are_what_the_ratings_command_reads(task):
    stored = task.from_page(CONTENT, 1, {}, rated(task, 1, ALIKE))
    exported = task.export([NewItem("1", CONTENT)], [record("r1", stored)])
    table, lines = (parse(one.data.decode(), path=one.name) for one in exported)
    assert table == lines
    assert [(one.item, one.system, one.judge, one.coverage) for one in table] == [
        ("1", "zeta-large", "ann", 4),
        ("1", "omega", "ann", 2),
        ("1", "zeta-small", "ann", 4),
        ("1", "kappa", "ann", 3),
    ]


def test_exports_contain_only_the_requested_criteria(task):
    options = {"criteria": ["fluency"]}
    stored = task.from_page(CONTENT, 1, options, rated(task, 1, ALIKE, options))
    exported = task.export([NewItem("1", CONTENT)], [record("r1", stored)])
    table, lines = (parse(one.data.decode(), path=one.name) for one in exported)
    assert table == lines
    assert table[0].coverage is None
    assert table[0].fluency == 4


def test_a_corrected_answer_is_exported_in_its_last_form(task):
    first = task.from_page(CONTENT, 1, {}, rated(task, 1, dict.fromkeys(ALIKE, 1)))
    second = task.from_page(CONTENT, 1, {}, rated(task, 1, ALIKE))
    records = [record("r1", first), record("r2", second, replaces="r1")]
    for exported in task.export([NewItem("1", CONTENT)], records):
        assert parse(exported.data.decode())[0].coverage == 4
