"""The confirmation task: reading, judging, scoring, agreement, export."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.formats.labels import read_confirmations
from tatian.formats.links import links_of
from tatian.formats.mentions_jsonl import read as read_mentions
from tatian.mentions.annotation import agreement
from tatian.text.layers import Authorship, Record
from tatian.workbench.quality.cases import get_rule, settle_answers
from tatian.workbench.tasks import NewItem
from tatian.workbench.tasks.agreement import VotingRule
from tatian.workbench.tasks.confirmation import ConfirmationTask

TEXT = "As fewer choices are offered to voters, voters stay at home."
SIX_IN_TEN = VotingRule(0.6, reached=True)


def candidate(start, end, title):
    return {"start": start, "end": end, "term": TEXT[start:end], "title": title}


CHOICES = candidate(9, 16, "Choice")
VOTERS = candidate(32, 38, "Voting")
AGAIN = candidate(40, 46, "Voting")
PEOPLE = candidate(40, 46, "Electorate")
CONTENT = {"text": TEXT, "topic": "Voting", "candidates": [CHOICES, VOTERS, PEOPLE, AGAIN]}


def verdicts(*yes):
    return {
        "verdicts": [
            {"mention": one, "confirmed": said}
            for one, said in zip(CONTENT["candidates"], yes, strict=True)
        ]
    }


@pytest.fixture
def task():
    return ConfirmationTask()


def test_the_page_gets_every_candidate_with_what_its_page_is_about(task):
    shown = task.to_page(CONTENT, 1, {})["candidates"]
    assert [(one["start"], one["title"]) for one in shown] == [
        (9, "Choice"), (32, "Voting"), (40, "Electorate"), (40, "Voting")
    ]  # fmt: skip
    assert shown[1]["description"].startswith("Voting is")


def test_candidates_are_shown_without_the_base(task, tmp_path):
    shown = task.to_page(CONTENT, 1, {"base": str(tmp_path / "gone.db")})["candidates"]
    assert [one["description"] for one in shown] == [""] * 4


@given(st.lists(st.booleans(), min_size=4, max_size=4))
def test_verdicts_come_back_as_the_judge_gave_them(given):
    task = ConfirmationTask()
    stored = task.from_page(CONTENT, 1, {}, {"verdicts": given})
    assert stored == verdicts(*given)
    assert task.answer_to_page(CONTENT, 1, {}, stored) == {"verdicts": given}
    assert task.score(CONTENT, stored, stored) == 1


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"verdicts": [True]}, "1 verdicts on 4 candidates"),
        ({"verdicts": [True, None, True, True]}, "not an answer of this page"),
        ({}, "not an answer of this page"),
        (7, "not an answer of this page"),
    ],
)
def test_an_incomplete_answer_is_refused(task, answer, message):
    with pytest.raises(InputError, match=message):
        task.from_page(CONTENT, 1, {}, answer)


def test_the_score_is_the_share_of_right_verdicts(task):
    gold = verdicts(False, True, False, True)
    assert task.score(CONTENT, gold, verdicts(False, True, True, True)) == 0.75


def test_feedback_has_the_reasons(task):
    gold = verdicts(False, True, False, True)
    gold["verdicts"][0]["why"] = "Not the topic."
    found = task.feedback(CONTENT, gold, verdicts(True, True, True, True))
    assert found["gold"][0] == {"confirmed": False, "why": "Not the topic."}
    assert found["score"] == 0.5


def test_all_pages_of_a_mention_are_candidates(task):
    mentions = [{"start": 40, "end": 46, "titles": ["Electorate", "Voting"]}]
    line = {"id": "v", "text": TEXT, "mentions": mentions}
    (item,) = task.read("f", json.dumps(line).encode(), {})
    assert item.content["candidates"] == [PEOPLE, AGAIN]
    assert item.gold is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"text": TEXT}, "f:1: no field 'mentions'"),
        ({"text": TEXT, "mentions": [{"start": 9, "end": 16, "titles": ["List of x"]}]}, "a list"),
        (
            {"text": TEXT, "mentions": [{"start": 9, "end": 16, "term": "no", "titles": ["A"]}]},
            "the text has 'choices' at 9..16, not 'no'",
        ),
        (
            {"text": TEXT, "mentions": [{"start": 9, "end": 16, "titles": ["Choice"]}],
             "gold": {"verdicts": []}},
            "'choices' at 9..16 .Choice. has no verdict",
        ),
        (
            {"text": TEXT, "mentions": [{"start": 9, "end": 16, "titles": ["Choice"]}],
             "gold": {"verdicts": [{"mention": VOTERS, "confirmed": True}]}},
            "'voters' at 32..38 .Voting. is no candidate",
        ),
    ],
)  # fmt: skip
def test_invalid_candidates_are_named_by_file_and_line(task, line, message):
    with pytest.raises(InputError, match=message):
        list(task.read("f", json.dumps(line).encode(), {}))


def test_six_in_ten_confirmations_settle_a_link(task):
    answers = {f"p{number}": verdicts(number < 5, number < 6, False, True) for number in range(10)}
    settled = task.settle(CONTENT, answers, SIX_IN_TEN)
    assert settled.answer == verdicts(False, True, False, True)
    assert [one.where for one in settled.differences] == [
        "“choices” (9–16): Choice", "“voters” (32–38): Voting"
    ]  # fmt: skip
    assert settled.differences[0].choices["p0"] == "yes"
    assert task.settle(CONTENT, {}, SIX_IN_TEN).answer is None


@pytest.mark.parametrize(
    ("rule", "yes", "judges", "confirmed"),
    [
        ("six-of-ten", 6, 10, True),
        ("six-of-ten", 5, 10, False),
        ("six-of-ten", 4, 7, False),
        ("majority", 4, 7, True),
        ("majority", 5, 10, False),
        ("two-of-three", 2, 3, True),
        ("two-of-three", 4, 7, False),
    ],
)
def test_links_with_too_few_confirmations_are_rejected(task, rule, yes, judges, confirmed):
    answers = {
        f"p{number}": verdicts(number < yes, False, False, False) for number in range(judges)
    }
    found = settle_answers(task, CONTENT, answers, get_rule(rule))
    assert found.settled
    assert found.answer == verdicts(confirmed, False, False, False)
    assert found.differences[0].winner == ("yes" if confirmed else "no")


@pytest.mark.parametrize(("yes", "judges", "there"), [(3, 5, True), (5, 9, False), (4, 7, False)])
def test_the_exported_ground_truth_takes_six_in_ten(task, yes, judges, there):
    records = [
        record(f"r{number}", f"p{number}", verdicts(number < yes, False, False, False))
        for number in range(judges)
    ]
    _, truth = task.export([NewItem("v", CONTENT)], records)
    (text,) = read_mentions(truth.data.decode(), truth.name)
    assert bool(links_of(text)) is there


def record(id, by, answer):
    return Record(id, "mentions.confirm", "v", Authorship(by, kind="person"), answer)


def test_the_export_has_the_ground_truth_and_what_agreement_is_computed_of(task):
    answers = {
        "ann": verdicts(True, True, False, True),
        "bob": verdicts(False, True, True, True),
        "eve": verdicts(False, True, True, True),
    }
    records = [record(f"r-{by}", by, answer) for by, answer in answers.items()]
    confirmations, truth = task.export([NewItem("v", CONTENT), NewItem("w", CONTENT)], records)
    (text,) = read_mentions(truth.data.decode(), truth.name)
    assert [(one.start, one.titles) for one in links_of(text)] == [
        (32, ("Voting",)), (40, ("Voting", "Electorate"))
    ]  # fmt: skip
    read = list(read_confirmations(confirmations.data.decode(), confirmations.name))
    (measure,) = task.agreement({"v": CONTENT}, {"v": answers})
    assert measure.value == pytest.approx(agreement((), read).confirmation.value)
    assert measure.pairs["bob eve"] == 1


def test_the_linker_suggests_verdicts(task):
    draft = task.suggest(CONTENT)
    assert len(draft["verdicts"]) == 4
    assert task.from_page(CONTENT, 1, {}, {"verdicts": draft["verdicts"]})


@pytest.mark.parametrize("always", [True, False])
def test_constant_verdicts_do_not_pass_the_training(task, always):
    hard = [item for item in task.demo() if item.stage == 1]
    scores = []
    for item in hard:
        same = {"verdicts": [always] * len(item.content["candidates"])}
        answer = task.from_page(item.content, 1, {}, same)
        scores.append(task.score(item.content, item.gold, answer))
    assert sum(scores) / len(scores) < task.demo_stages[1].pass_mark
