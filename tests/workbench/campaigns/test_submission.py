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

from .conftest import RIGHT, WRONG, Room

Open = Callable[..., Room]


def stored(here: Room) -> list[Any]:
    with here.database.reading() as connection:
        return list(connection.execute(select(answers).order_by(answers.c.submitted)))


def test_an_answer_is_stored_with_what_is_known_of_it(room: Open) -> None:
    here = room()
    mine = here.given(gold=RIGHT)
    sent = here.submit(mine, WRONG, "once")
    (row,) = stored(here)
    assert (row.id, row.assignment, row.annotator) == (sent.id, mine.id, mine.annotator)
    assert (row.nonce, row.score, row.seconds, row.guideline) == ("once", 0.0, 1.5, 1)
    assert (row.preannotated, row.replaces) == (False, None)


def test_the_same_submission_twice_is_stored_once(room: Open) -> None:
    here = room()
    mine = here.given()
    assert here.submit(mine, RIGHT, "n").id == here.submit(mine, WRONG, "n").id
    assert len(stored(here)) == 1


def test_a_submission_is_acknowledged_again_after_the_campaign_has_closed(room: Open) -> None:
    here = room()
    mine = here.given()
    sent = here.submit(mine, nonce="n")
    here.change(state="closed")
    assert here.submit(mine, nonce="n").id == sent.id


def test_a_second_answer_under_another_nonce_is_refused(room: Open) -> None:
    here = room()
    mine = here.given()
    here.submit(mine)
    with pytest.raises(Conflict, match="already"):
        here.submit(mine)


def test_a_closed_campaign_takes_no_answer(room: Open) -> None:
    here = room()
    mine = here.given()
    here.change(state="closed")
    with pytest.raises(Gone):
        here.submit(mine)


def test_an_excluded_person_can_answer_nothing(room: Open) -> None:
    here = room()
    mine = here.given()
    here.exclude(mine.annotator)
    with pytest.raises(Refused):
        here.submit(mine)
    with pytest.raises(Refused):
        here.draft(mine, {}, 0)


def test_an_answer_that_the_task_refuses_leaves_the_item_open(room: Open) -> None:
    here = room()
    mine = here.given()
    with pytest.raises(InputError):
        here.submit(mine, "no object")
    assert here.take(mine.annotator).id == mine.id


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
    room: Open, broken: dict[str, Any], said: str
) -> None:
    here = room()
    mine = here.given()
    with pytest.raises(BadRequest, match=said):
        here.submit(mine, broken)
    with pytest.raises(BadRequest, match=said):
        here.draft(mine, broken, 0)
    here.submit(mine)


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf"), 1e9])
def test_an_impossible_time_at_work_is_refused(room: Open, seconds: float) -> None:
    here = room()
    mine = here.given()
    with pytest.raises(BadRequest, match="time"), here.database.writing() as connection:
        submission.submit(
            connection, here.campaign, here.task, mine.annotator, mine.id, "n", RIGHT, seconds
        )


@pytest.mark.parametrize("nonce", ["", "x" * 101, "a\0b"])
def test_a_nonce_that_cannot_be_stored_is_refused(room: Open, nonce: str) -> None:
    here = room()
    here.items(1)
    with pytest.raises(BadRequest, match="nonce"):
        here.submit(here.take(here.person()), nonce=nonce)


def test_drafts_are_numbered_and_come_back_with_the_item(room: Open) -> None:
    here = room()
    mine = here.given()
    assert here.draft(mine, {"step": 1}, 0) == 1
    assert here.draft(mine, {"step": 2}, 1) == 2
    again = here.take(mine.annotator)
    assert (again.draft, again.revision) == ({"step": 2}, 2)


def test_a_stale_draft_is_refused_with_the_newer_one(room: Open) -> None:
    here = room()
    mine = here.given()
    here.draft(mine, {"page": "one"}, 0)
    with pytest.raises(Conflict) as refused:
        here.draft(mine, {"page": "two"}, 0)
    assert refused.value.detail == {"draft": {"page": "one"}, "revision": 1}


def test_the_same_draft_sent_again_is_no_conflict(room: Open) -> None:
    here = room()
    mine = here.given()
    here.draft(mine, {"page": "one"}, 0)
    assert here.draft(mine, {"page": "one"}, 0) == 1


def test_no_draft_is_taken_after_the_answer(room: Open) -> None:
    here = room()
    mine = here.given()
    here.submit(mine)
    with pytest.raises(Conflict):
        here.draft(mine, {}, 0)


def test_a_correction_is_added_and_the_first_answer_stays(room: Open) -> None:
    here = room()
    mine = here.given(gold=RIGHT)
    first = here.submit(mine, WRONG)
    second = here.correct(mine, first.id, RIGHT)
    rows = {row.id: row for row in stored(here)}
    assert rows.keys() == {first.id, second.id}
    assert rows[second.id].replaces == first.id
    assert (rows[first.id].score, rows[second.id].score) == (0.0, 1.0)


def test_only_the_last_answer_can_be_corrected(room: Open) -> None:
    here = room()
    mine = here.given()
    first = here.submit(mine)
    second = here.correct(mine, first.id)
    with pytest.raises(Conflict) as refused:
        here.correct(mine, first.id)
    assert refused.value.detail is not None
    assert refused.value.detail["id"] == second.id


def test_people_see_their_answers_and_which_are_correctable(room: Open) -> None:
    here = room(stages=(CampaignStage("training", feedback=True), CampaignStage("production")))
    here.items(1, "trial", stage=0, gold=RIGHT)
    here.items(1)
    ann = here.person()
    trial, item = here.work(ann)
    with here.database.reading() as connection:
        own = submission.list_own_items(connection, here.campaign, ann)
        one = submission.get_own_answer(connection, here.campaign, ann, item.id)
    assert {o.key: o.correctable for o in own} == {trial.key: False, item.key: True}
    assert (one.answer, one.correctable) == (RIGHT, True)


def test_an_item_without_an_answer_has_none_to_look_at(room: Open) -> None:
    here = room()
    mine = here.given()
    with pytest.raises(Conflict), here.database.reading() as connection:
        submission.get_own_answer(connection, here.campaign, mine.annotator, mine.id)


def test_nothing_is_corrected_once_gold_was_shown(room: Open) -> None:
    here = room(stages=(CampaignStage("training", feedback=True), CampaignStage("production")))
    here.items(2, "trial", stage=0, gold=RIGHT)
    mine = here.take(here.person())
    sent = here.submit(mine, WRONG)
    with pytest.raises(Refused):
        here.correct(mine, sent.id)


def test_nothing_is_corrected_where_the_campaign_does_not_allow_it(room: Open) -> None:
    here = room(corrections=False)
    mine = here.given()
    sent = here.submit(mine)
    with pytest.raises(Refused):
        here.correct(mine, sent.id)


def test_nothing_is_corrected_after_the_end(room: Open) -> None:
    here = room()
    mine = here.given()
    sent = here.submit(mine)
    here.change(state="closed")
    with pytest.raises(Gone):
        here.correct(mine, sent.id)


def test_nothing_is_corrected_by_somebody_excluded(room: Open) -> None:
    here = room()
    mine = here.given()
    sent = here.submit(mine)
    with here.database.writing() as connection:
        people.exclude(connection, here.campaign, mine.annotator, "test")
    with pytest.raises(Refused):
        here.correct(mine, sent.id)


def test_an_answer_names_the_instructions_that_its_page_showed(room: Open) -> None:
    here = room()
    here.items(1)
    ann = here.person()
    here.take(ann)
    with here.database.writing() as connection:
        guidelines.add(connection, here.campaign.id, "# Read again", "test")
    mine = here.take(ann)
    about = (here.campaign, here.task, mine.annotator, mine.id)
    with here.database.writing() as connection:
        first = submission.submit(connection, *about, "first", RIGHT, 1.5, guideline=1)
        submission.correct(connection, *about, "second", WRONG, 1.5, first.id, guideline=1)
    assert [row.guideline for row in stored(here)] == [1, 1]


@pytest.mark.parametrize("version", [0, 2])
def test_an_answer_cannot_name_missing_instructions(room: Open, version: int) -> None:
    here = room()
    mine = here.given()
    about = (here.campaign, here.task, mine.annotator, mine.id)
    with here.database.writing() as connection, pytest.raises(BadRequest, match="no version"):
        submission.submit(connection, *about, "first", RIGHT, 1.5, guideline=version)
    assert stored(here) == []
