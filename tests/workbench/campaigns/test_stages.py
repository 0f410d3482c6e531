"""Training, pass marks, hidden test questions and suggestions."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tatian.workbench.campaigns import items, people, progress
from tatian.workbench.errors import Refused
from tatian.workbench.settings import CampaignSettings, CampaignStage
from tatian.workbench.storage.database import Database

from .conftest import RIGHT, WRONG, Room

Open = Callable[..., Room]
TRAINED = (
    CampaignStage("first", feedback=True, pass_mark=0.5),
    CampaignStage("second"),
    CampaignStage("production"),
)


def trained(room: Open, **settings: object) -> Room:
    here = room(stages=TRAINED, **settings)
    here.items(2, "first", gold=RIGHT, stage=0)
    here.items(1, "second", gold=RIGHT, stage=1)
    here.items(2)
    return here


def test_stages_come_one_after_the_other_each_in_its_given_order(room: Open) -> None:
    here = trained(room, shuffled=False)
    came = [mine.key for mine in here.work(here.person())]
    assert came == ["first-0", "first-1", "second-0", "item-0", "item-1"]


def test_training_items_go_to_everybody(room: Open) -> None:
    here = trained(room)
    here.work(here.person())
    assert [mine.key for mine in here.work(here.person())] == ["first-0", "first-1", "second-0"]


def test_a_mean_at_the_pass_mark_passes(room: Open) -> None:
    here = trained(room)
    ann = here.person()
    assert here.submit(here.take(ann), RIGHT).stage_change is None
    change = here.submit(here.take(ann), WRONG).stage_change
    assert change is not None
    assert (change.stage, change.passed, change.to) == ("first", True, "second")
    assert (change.mean, change.needed) == (0.5, 0.5)


def test_a_mean_below_the_pass_mark_fails(room: Open) -> None:
    here = trained(room)
    ann = here.person()
    here.work(ann, WRONG)
    assert (here.state(ann), here.standing(ann)) == ("failed", "failed")
    assert here.next(ann) is None


def test_a_manager_promotes_a_person_who_failed(room: Open) -> None:
    here = trained(room)
    ann = here.person()
    here.work(ann, WRONG)
    with here.database.writing() as connection:
        people.set_state(connection, here.campaign, ann, "active", "test")
    assert here.take(ann).key == "second-0"


def test_gold_is_shown_only_in_stages_with_feedback(room: Open) -> None:
    here = trained(room)
    ann = here.person()
    shown = [here.submit(here.take(ann)).feedback for _ in range(3)]
    assert shown == [{"gold": RIGHT}, {"gold": RIGHT}, None]


def test_a_training_item_cannot_be_given_back(room: Open) -> None:
    here = trained(room)
    mine = here.take(here.person())
    with pytest.raises(Refused, match="training"):
        here.give_back(mine)


def test_a_retired_training_item_blocks_nobody(room: Open) -> None:
    here = trained(room)
    ann = here.person()
    here.submit(here.take(ann))
    with here.database.writing() as connection:
        items.change(connection, here.campaign, "first-1", "test", retired=True)
    assert here.take(ann).key == "second-0"


def test_a_stage_without_items_is_passed_over(room: Open) -> None:
    here = room(stages=TRAINED)
    here.items(1)
    assert here.take(here.person()).key == "item-0"


def test_progress_is_that_of_the_current_stage(room: Open) -> None:
    here = trained(room, most=7)
    ann = here.person()
    here.submit(here.take(ann))
    with here.database.reading() as connection:
        own = progress.get_own_progress(connection, here.campaign, ann)
    assert (own.done, own.stage, own.stage_done, own.stage_total, own.most) == (1, 0, 1, 2, 7)
    assert own.stages == ("first", "second", "production")


def with_hidden(database: Database, tests: int = 10, **settings: object) -> Room:
    here = Room(database, CampaignSettings(test_every=3, **settings))
    here.items(40)
    here.items(tests, "hidden", gold=RIGHT, test=True)
    return here


def test_one_of_every_so_many_items_is_a_hidden_test(database: Database) -> None:
    here = with_hidden(database)
    came = [mine.test for mine in here.work(here.person(), most=15)]
    assert [sum(came[start : start + 3]) for start in range(0, 15, 3)] == [1] * 5


def test_hidden_tests_have_a_different_order_for_each_person(
    database: Database,
) -> None:
    here = with_hidden(database, annotators=9)
    came = [tuple(m.key for m in here.work(here.person(), most=9) if m.test) for _ in range(5)]
    assert len(set(came)) > 1


def test_a_hidden_test_is_answered_like_any_other_item(database: Database) -> None:
    here = with_hidden(database, most=9, stages=(CampaignStage("production", feedback=True),))
    ann = here.person()
    done = []
    while (mine := here.next(ann)) is not None:
        assert here.submit(mine).feedback is None
        with here.database.reading() as connection:
            done.append(progress.get_own_progress(connection, here.campaign, ann).stage_done)
    assert done == list(range(1, 10))


def test_production_goes_on_when_the_hidden_tests_are_used_up(database: Database) -> None:
    here = with_hidden(database, tests=1)
    came = here.work(here.person(), most=12)
    assert (len(came), sum(mine.test for mine in came)) == (12, 1)


def test_no_hidden_test_comes_where_no_other_item_is_left(room: Open) -> None:
    here = room(test_every=2)
    here.items(5, "hidden", gold=RIGHT, test=True)
    assert here.next(here.person()) is None


def test_failing_hidden_tests_excludes_and_reopens_items(
    database: Database,
) -> None:
    here = with_hidden(database, test_mark=0.6)
    ann = here.person()
    came = here.work(ann, WRONG)
    assert came[-1].test
    assert here.state(ann) == "excluded"
    status = here.status()
    assert (status.open, status.done) == (0, 0)
    assert status.annotators[0].void == len(came)


def test_passing_hidden_tests_keeps_a_person(database: Database) -> None:
    here = with_hidden(database, test_mark=1.0)
    ann = here.person()
    here.work(ann, most=12)
    assert here.state(ann) == "active"


@pytest.mark.parametrize("share", ["none", "all"])
def test_suggestions_go_to_nobody_or_to_everybody(room: Open, share: str) -> None:
    here = room(suggestions=share)
    here.items(4)
    assert items.suggest(here.database, here.campaign, here.task, "test") == 4
    came = here.work(here.person())
    assert [mine.preannotated for mine in came] == [share == "all"] * 4
    assert all((mine.suggestion is not None) == mine.preannotated for mine in came)


def test_suggestions_are_made_once(room: Open) -> None:
    here = room(suggestions="all")
    here.items(3)
    items.suggest(here.database, here.campaign, here.task, "test")
    assert items.suggest(here.database, here.campaign, here.task, "test") == 0
