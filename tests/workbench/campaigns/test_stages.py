"""Training, pass marks, hidden test questions and suggestions."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tatian.workbench.campaigns import items, people, progress
from tatian.workbench.errors import Refused
from tatian.workbench.settings import CampaignSettings, CampaignStage
from tatian.workbench.storage.database import Database

from .conftest import RIGHT, WRONG, Trial

Begin = Callable[..., Trial]
TRAINED = (
    CampaignStage("first", feedback=True, pass_mark=0.5),
    CampaignStage("second"),
    CampaignStage("production"),
)


def trained(begin: Begin, **settings: object) -> Trial:
    trial = begin(stages=TRAINED, **settings)
    trial.items(2, "first", gold=RIGHT, stage=0)
    trial.items(1, "second", gold=RIGHT, stage=1)
    trial.items(2)
    return trial


def test_stages_come_one_after_the_other_each_in_its_given_order(begin: Begin) -> None:
    trial = trained(begin, shuffled=False)
    came = [assignment.key for assignment in trial.work(trial.person())]
    assert came == ["first-0", "first-1", "second-0", "item-0", "item-1"]


def test_training_items_go_to_everybody(begin: Begin) -> None:
    trial = trained(begin)
    trial.work(trial.person())
    assert [assignment.key for assignment in trial.work(trial.person())] == [
        "first-0",
        "first-1",
        "second-0",
    ]


def test_a_mean_at_the_pass_mark_passes(begin: Begin) -> None:
    trial = trained(begin)
    ann = trial.person()
    assert trial.submit(trial.take(ann), RIGHT).stage_change is None
    change = trial.submit(trial.take(ann), WRONG).stage_change
    assert change is not None
    assert (change.stage, change.passed, change.to) == ("first", True, "second")
    assert (change.mean, change.needed) == (0.5, 0.5)


def test_a_mean_below_the_pass_mark_fails(begin: Begin) -> None:
    trial = trained(begin)
    ann = trial.person()
    trial.work(ann, WRONG)
    assert (trial.state(ann), trial.work_state(ann)) == ("failed", "failed")
    assert trial.next(ann) is None


def test_a_manager_promotes_a_person_who_failed(begin: Begin) -> None:
    trial = trained(begin)
    ann = trial.person()
    trial.work(ann, WRONG)
    with trial.database.writing() as connection:
        people.set_state(connection, trial.campaign, ann, "active", "test")
    assert trial.take(ann).key == "second-0"


def test_gold_is_shown_only_in_stages_with_feedback(begin: Begin) -> None:
    trial = trained(begin)
    ann = trial.person()
    shown = [trial.submit(trial.take(ann)).feedback for _ in range(3)]
    assert shown == [{"gold": RIGHT}, {"gold": RIGHT}, None]


def test_a_training_item_cannot_be_given_back(begin: Begin) -> None:
    trial = trained(begin)
    assignment = trial.take(trial.person())
    with pytest.raises(Refused, match="training"):
        trial.give_back(assignment)


def test_a_retired_training_item_blocks_nobody(begin: Begin) -> None:
    trial = trained(begin)
    ann = trial.person()
    trial.submit(trial.take(ann))
    with trial.database.writing() as connection:
        items.change(connection, trial.campaign, "first-1", "test", retired=True)
    assert trial.take(ann).key == "second-0"


def test_a_stage_without_items_is_passed_over(begin: Begin) -> None:
    trial = begin(stages=TRAINED)
    trial.items(1)
    assert trial.take(trial.person()).key == "item-0"


def test_progress_is_that_of_the_current_stage(begin: Begin) -> None:
    trial = trained(begin, most=7)
    ann = trial.person()
    trial.submit(trial.take(ann))
    with trial.database.reading() as connection:
        own = progress.get_own_progress(connection, trial.campaign, ann)
    assert (own.done, own.stage, own.stage_done, own.stage_total, own.most) == (1, 0, 1, 2, 7)
    assert own.stages == ("first", "second", "production")


def with_hidden(database: Database, tests: int = 10, **settings: object) -> Trial:
    trial = Trial(database, CampaignSettings(test_every=3, **settings))
    trial.items(40)
    trial.items(tests, "hidden", gold=RIGHT, test=True)
    return trial


def test_hidden_tests_come_at_the_set_rate(database: Database) -> None:
    trial = with_hidden(database)
    came = [assignment.test for assignment in trial.work(trial.person(), most=15)]
    assert [sum(came[start : start + 3]) for start in range(0, 15, 3)] == [1] * 5


def test_hidden_tests_have_a_different_order_for_each_person(
    database: Database,
) -> None:
    trial = with_hidden(database, annotators=9)
    came = [tuple(m.key for m in trial.work(trial.person(), most=9) if m.test) for _ in range(5)]
    assert len(set(came)) > 1


def test_a_hidden_test_is_answered_like_any_other_item(database: Database) -> None:
    trial = with_hidden(database, most=9, stages=(CampaignStage("production", feedback=True),))
    ann = trial.person()
    done = []
    while (assignment := trial.next(ann)) is not None:
        assert trial.submit(assignment).feedback is None
        with trial.database.reading() as connection:
            done.append(progress.get_own_progress(connection, trial.campaign, ann).stage_done)
    assert done == list(range(1, 10))


def test_production_goes_on_when_the_hidden_tests_are_used_up(database: Database) -> None:
    trial = with_hidden(database, tests=1)
    came = trial.work(trial.person(), most=12)
    assert (len(came), sum(assignment.test for assignment in came)) == (12, 1)


def test_hidden_tests_end_with_the_other_items(begin: Begin) -> None:
    trial = begin(test_every=2)
    trial.items(5, "hidden", gold=RIGHT, test=True)
    assert trial.next(trial.person()) is None


def test_failing_hidden_tests_excludes_and_reopens_items(
    database: Database,
) -> None:
    trial = with_hidden(database, test_mark=0.6)
    ann = trial.person()
    came = trial.work(ann, WRONG)
    assert came[-1].test
    assert trial.state(ann) == "excluded"
    status = trial.status()
    assert (status.open, status.done) == (0, 0)
    assert status.annotators[0].void == len(came)


def test_passing_hidden_tests_keeps_a_person(database: Database) -> None:
    trial = with_hidden(database, test_mark=1.0)
    ann = trial.person()
    trial.work(ann, most=12)
    assert trial.state(ann) == "active"


@pytest.mark.parametrize("share", ["none", "all"])
def test_suggestions_go_to_nobody_or_to_everybody(begin: Begin, share: str) -> None:
    trial = begin(suggestions=share)
    trial.items(4)
    assert items.suggest(trial.database, trial.campaign, trial.task, "test") == 4
    came = trial.work(trial.person())
    assert [assignment.preannotated for assignment in came] == [share == "all"] * 4
    assert all(
        (assignment.suggestion is not None) == assignment.preannotated for assignment in came
    )


def test_suggestions_are_made_once(begin: Begin) -> None:
    trial = begin(suggestions="all")
    trial.items(3)
    items.suggest(trial.database, trial.campaign, trial.task, "test")
    assert items.suggest(trial.database, trial.campaign, trial.task, "test") == 0
