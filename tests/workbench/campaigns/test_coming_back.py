"""Returned, promoted and readmitted people and their items."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tatian.workbench.campaigns import items, people
from tatian.workbench.campaigns.stages import promote
from tatian.workbench.errors import Gone
from tatian.workbench.settings import CampaignSettings, CampaignStage
from tatian.workbench.storage.database import Database

from .conftest import RIGHT, WRONG, Clock, Trial

Begin = Callable[..., Trial]
TRAINED = (CampaignStage("training"), CampaignStage("production"))


def trained(begin: Begin, **settings: object) -> Trial:
    trial = begin(stages=TRAINED, **settings)
    trial.items(2, "training", gold=RIGHT, stage=0)
    trial.items(2)
    return trial


def promote_person(trial: Trial, annotator: str) -> None:
    with trial.database.writing() as connection:
        promote(connection, trial.campaign, annotator, "test")


def readmitted(trial: Trial, annotator: str) -> None:
    with trial.database.writing() as connection:
        people.reinstate(connection, trial.campaign, annotator, "test")


def retired(trial: Trial, key: str, retired: bool = True) -> None:
    with trial.database.writing() as connection:
        items.change(connection, trial.campaign, key, "test", retired=retired)


def states(trial: Trial, annotator: str) -> list[str]:
    with trial.database.writing() as connection:
        known = ("open", "done", "returned", "void")
        return [
            state
            for state in known
            for _ in people.lock_assignments(connection, annotator, (state,))
        ]


def test_a_late_draft_does_not_undo_a_promotion(begin: Begin) -> None:
    trial = trained(begin)
    ann = trial.person()
    training = trial.take(ann)
    promote_person(trial, ann)
    with pytest.raises(Gone, match="no longer yours"):
        trial.draft(training, {"text": "late"}, 0)
    assert trial.take(ann).stage == 1


def test_a_late_draft_does_not_undo_a_return(begin: Begin) -> None:
    trial = begin()
    trial.items(2)
    ann = trial.person()
    first = trial.take(ann)
    trial.give_back(first)
    with pytest.raises(Gone, match="no longer yours"):
        trial.draft(first, {"text": "late"}, 0)
    with pytest.raises(Gone, match="no longer yours"):
        trial.submit(first)
    assert trial.take(ann).key != first.key


def test_a_training_item_that_lapsed_before_a_promotion_does_not_come_after_it(
    begin: Begin, clock: Clock
) -> None:
    trial = trained(begin, lease=10)
    ann, ben = trial.person(), trial.person()
    training = trial.take(ann)
    clock.minutes(11)
    trial.take(ben)
    assert states(trial, ann) == ["returned"]
    promote_person(trial, ann)
    assert trial.take(ann).stage == 1
    with pytest.raises(Gone):
        trial.draft(training, {"text": "late"}, 0)


def test_readmitted_people_are_judged_by_later_tests(database: Database, clock: Clock) -> None:
    trial = Trial(database, CampaignSettings(test_every=2, test_mark=0.6))
    trial.items(20)
    trial.items(9, "hidden", gold=RIGHT, test=True)
    ann = trial.person()

    def after_a_test(answer: object) -> str:
        while not (assignment := trial.take(ann)).test:
            trial.submit(assignment)
        clock.minutes(1)
        trial.submit(assignment, answer)
        clock.minutes(1)
        return trial.state(ann)

    assert after_a_test(WRONG) == "excluded"
    readmitted(trial, ann)
    assert after_a_test(RIGHT) == "active"
    assert after_a_test(WRONG) == "excluded"


def test_answers_to_retired_items_count_again_after_readmission(begin: Begin) -> None:
    trial = begin()
    (key,) = trial.items(1)
    ann = trial.person()
    trial.work(ann)
    retired(trial, key)
    trial.exclude(ann)
    readmitted(trial, ann)
    assert states(trial, ann) == ["done"]


def test_replaced_answers_do_not_count_after_readmission(
    begin: Begin,
) -> None:
    trial = begin(annotators=1)
    (key,) = trial.items(1)
    ann, ben = trial.person(), trial.person()
    trial.work(ann)
    trial.exclude(ann)
    trial.work(ben)
    retired(trial, key)
    readmitted(trial, ann)
    assert states(trial, ann) == ["void"]


def test_a_repeated_training_item_blocks_nobody(begin: Begin) -> None:
    trial = trained(begin)
    ann = trial.person()
    first = trial.take(ann)
    trial.submit(first)
    retired(trial, first.key)
    trial.exclude(ann)
    readmitted(trial, ann)
    retired(trial, first.key, False)
    trial.submit(trial.take(ann))
    assert trial.take(ann).stage == 1
