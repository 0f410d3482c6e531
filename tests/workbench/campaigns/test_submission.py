"""Drafts, answers and corrections."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from tatian.errors import InputError
from tatian.workbench.campaigns import guidelines, people, submission
from tatian.workbench.errors import BadRequest, Conflict, Gone, Refused
from tatian.workbench.settings import CampaignStage
from tatian.workbench.storage.tables import answers

from .conftest import RIGHT, WRONG, Trial

Begin = Callable[..., Trial]


def read_answers(trial: Trial) -> list[Any]:
    with trial.database.reading() as connection:
        return list(connection.execute(select(answers).order_by(answers.c.submitted)))


def test_an_answer_is_stored_with_what_is_known_of_it(begin: Begin) -> None:
    trial = begin()
    assignment = trial.given(gold=RIGHT)
    sent = trial.submit(assignment, WRONG, "once")
    (row,) = read_answers(trial)
    assert (row.id, row.assignment, row.annotator) == (sent.id, assignment.id, assignment.annotator)
    assert (row.nonce, row.score, row.seconds, row.guideline) == ("once", 0.0, 1.5, 1)
    assert (row.preannotated, row.replaces) == (False, None)


def test_repeated_submission_is_stored_once(begin: Begin) -> None:
    trial = begin()
    assignment = trial.given()
    assert trial.submit(assignment, RIGHT, "n").id == trial.submit(assignment, WRONG, "n").id
    assert len(read_answers(trial)) == 1


def test_a_submission_is_acknowledged_again_after_the_campaign_has_closed(begin: Begin) -> None:
    trial = begin()
    assignment = trial.given()
    sent = trial.submit(assignment, nonce="n")
    trial.change(state="closed")
    assert trial.submit(assignment, nonce="n").id == sent.id


def test_a_second_answer_under_another_nonce_is_refused(begin: Begin) -> None:
    trial = begin()
    assignment = trial.given()
    trial.submit(assignment)
    with pytest.raises(Conflict, match="already"):
        trial.submit(assignment)


def test_a_closed_campaign_takes_no_answer(begin: Begin) -> None:
    trial = begin()
    assignment = trial.given()
    trial.change(state="closed")
    with pytest.raises(Gone):
        trial.submit(assignment)


def test_an_excluded_person_can_answer_nothing(begin: Begin) -> None:
    trial = begin()
    assignment = trial.given()
    trial.exclude(assignment.annotator)
    with pytest.raises(Refused):
        trial.submit(assignment)
    with pytest.raises(Refused):
        trial.draft(assignment, {}, 0)


def test_an_answer_that_the_task_refuses_leaves_the_item_open(begin: Begin) -> None:
    trial = begin()
    assignment = trial.given()
    with pytest.raises(InputError):
        trial.submit(assignment, "no object")
    assert trial.take(assignment.annotator).id == assignment.id


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"a": "b\0c"}, "NUL"),
        ({"a\0": 1}, "NUL"),
        ({"a": "\ud800"}, "surrogate"),
        ({"a": float("nan")}, "number"),
        ({"a": 1 << 60}, "integer"),
        ({"a": nested(100_000)}, "deep"),
        ({"a": "x" * (1 << 20)}, "large"),
    ],
    ids=["nul", "nul-in-key", "surrogate", "nan", "integer", "deep", "large"],
)
def test_unstorable_answers_are_refused_with_a_reason(
    begin: Begin, broken: dict[str, Any], said: str
) -> None:
    trial = begin()
    assignment = trial.given()
    with pytest.raises(BadRequest, match=said):
        trial.submit(assignment, broken)
    with pytest.raises(BadRequest, match=said):
        trial.draft(assignment, broken, 0)
    trial.submit(assignment)


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf"), 1e9])
def test_an_impossible_time_at_work_is_refused(begin: Begin, seconds: float) -> None:
    trial = begin()
    assignment = trial.given()
    with pytest.raises(BadRequest, match="time"), trial.database.writing() as connection:
        submission.submit(
            connection,
            trial.campaign,
            trial.task,
            assignment.annotator,
            assignment.id,
            "n",
            RIGHT,
            seconds,
        )


@pytest.mark.parametrize("nonce", ["", "x" * 101, "a\0b"])
def test_a_nonce_that_cannot_be_stored_is_refused(begin: Begin, nonce: str) -> None:
    trial = begin()
    trial.items(1)
    with pytest.raises(BadRequest, match="nonce"):
        trial.submit(trial.take(trial.person()), nonce=nonce)


def test_drafts_are_numbered_and_come_back_with_the_item(begin: Begin) -> None:
    trial = begin()
    assignment = trial.given()
    assert trial.draft(assignment, {"step": 1}, 0) == 1
    assert trial.draft(assignment, {"step": 2}, 1) == 2
    again = trial.take(assignment.annotator)
    assert (again.draft, again.revision) == ({"step": 2}, 2)


def test_a_stale_draft_is_refused_with_the_newer_one(begin: Begin) -> None:
    trial = begin()
    assignment = trial.given()
    trial.draft(assignment, {"page": "one"}, 0)
    with pytest.raises(Conflict) as refused:
        trial.draft(assignment, {"page": "two"}, 0)
    assert refused.value.detail == {"draft": {"page": "one"}, "revision": 1}


def test_resending_a_draft_is_no_conflict(begin: Begin) -> None:
    trial = begin()
    assignment = trial.given()
    trial.draft(assignment, {"page": "one"}, 0)
    assert trial.draft(assignment, {"page": "one"}, 0) == 1


def test_draft_after_the_answer_is_refused(begin: Begin) -> None:
    trial = begin()
    assignment = trial.given()
    trial.submit(assignment)
    with pytest.raises(Conflict):
        trial.draft(assignment, {}, 0)


def test_a_correction_is_added_and_the_first_answer_stays(begin: Begin) -> None:
    trial = begin()
    assignment = trial.given(gold=RIGHT)
    first = trial.submit(assignment, WRONG)
    second = trial.correct(assignment, first.id, RIGHT)
    rows = {row.id: row for row in read_answers(trial)}
    assert rows.keys() == {first.id, second.id}
    assert rows[second.id].replaces == first.id
    assert (rows[first.id].score, rows[second.id].score) == (0.0, 1.0)


def test_only_the_last_answer_can_be_corrected(begin: Begin) -> None:
    trial = begin()
    assignment = trial.given()
    first = trial.submit(assignment)
    second = trial.correct(assignment, first.id)
    with pytest.raises(Conflict) as refused:
        trial.correct(assignment, first.id)
    assert refused.value.detail is not None
    assert refused.value.detail["id"] == second.id


def test_people_see_their_answers_and_which_are_correctable(begin: Begin) -> None:
    trial = begin(stages=(CampaignStage("training", feedback=True), CampaignStage("production")))
    trial.items(1, "trial", stage=0, gold=RIGHT)
    trial.items(1)
    ann = trial.person()
    training_item, item = trial.work(ann)
    with trial.database.reading() as connection:
        own = submission.list_own_items(connection, trial.campaign, ann)
        one = submission.get_own_answer(connection, trial.campaign, ann, item.id)
    assert {o.key: o.correctable for o in own} == {training_item.key: False, item.key: True}
    assert (one.answer, one.correctable) == (RIGHT, True)


def test_an_item_without_an_answer_has_none_to_look_at(begin: Begin) -> None:
    trial = begin()
    assignment = trial.given()
    with pytest.raises(Conflict), trial.database.reading() as connection:
        submission.get_own_answer(connection, trial.campaign, assignment.annotator, assignment.id)


def test_correction_after_feedback_is_refused(begin: Begin) -> None:
    trial = begin(stages=(CampaignStage("training", feedback=True), CampaignStage("production")))
    trial.items(2, "trial", stage=0, gold=RIGHT)
    assignment = trial.take(trial.person())
    sent = trial.submit(assignment, WRONG)
    with pytest.raises(Refused):
        trial.correct(assignment, sent.id)


def test_correction_is_refused_unless_the_campaign_allows_it(begin: Begin) -> None:
    trial = begin(corrections=False)
    assignment = trial.given()
    sent = trial.submit(assignment)
    with pytest.raises(Refused):
        trial.correct(assignment, sent.id)


def test_correction_after_the_end_is_refused(begin: Begin) -> None:
    trial = begin()
    assignment = trial.given()
    sent = trial.submit(assignment)
    trial.change(state="closed")
    with pytest.raises(Gone):
        trial.correct(assignment, sent.id)


def test_correction_by_an_excluded_person_is_refused(begin: Begin) -> None:
    trial = begin()
    assignment = trial.given()
    sent = trial.submit(assignment)
    with trial.database.writing() as connection:
        people.exclude(connection, trial.campaign, assignment.annotator, "test")
    with pytest.raises(Refused):
        trial.correct(assignment, sent.id)


def test_an_answer_names_the_instructions_that_its_page_showed(begin: Begin) -> None:
    trial = begin()
    trial.items(1)
    ann = trial.person()
    trial.take(ann)
    with trial.database.writing() as connection:
        guidelines.add(connection, trial.campaign.id, "# Read again", "test")
    assignment = trial.take(ann)
    about = (trial.campaign, trial.task, assignment.annotator, assignment.id)
    with trial.database.writing() as connection:
        first = submission.submit(connection, *about, "first", RIGHT, 1.5, guideline=1)
        submission.correct(connection, *about, "second", WRONG, 1.5, first.id, guideline=1)
    assert [row.guideline for row in read_answers(trial)] == [1, 1]


@pytest.mark.parametrize("version", [0, 2])
def test_an_answer_cannot_name_missing_instructions(begin: Begin, version: int) -> None:
    trial = begin()
    assignment = trial.given()
    about = (trial.campaign, trial.task, assignment.annotator, assignment.id)
    with trial.database.writing() as connection, pytest.raises(BadRequest, match="no version"):
        submission.submit(connection, *about, "first", RIGHT, 1.5, guideline=version)
    assert read_answers(trial) == []
