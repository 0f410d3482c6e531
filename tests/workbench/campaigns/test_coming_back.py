"""What was taken away, given back or overruled stays so."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tatian.workbench.campaigns import items, people
from tatian.workbench.campaigns.stages import promote
from tatian.workbench.errors import Gone
from tatian.workbench.settings import CampaignSettings, CampaignStage
from tatian.workbench.storage.database import Database

from .conftest import RIGHT, WRONG, Clock, Room

Open = Callable[..., Room]
TRAINED = (CampaignStage("training"), CampaignStage("production"))


def trained(room: Open, **settings: object) -> Room:
    here = room(stages=TRAINED, **settings)
    here.items(2, "training", gold=RIGHT, stage=0)
    here.items(2)
    return here


def moved_on(here: Room, annotator: str) -> None:
    with here.database.writing() as connection:
        promote(connection, here.campaign, annotator, "test")


def readmitted(here: Room, annotator: str) -> None:
    with here.database.writing() as connection:
        people.reinstate(connection, here.campaign, annotator, "test")


def retired(here: Room, key: str, retired: bool = True) -> None:
    with here.database.writing() as connection:
        items.change(connection, here.campaign, key, "test", retired=retired)


def states(here: Room, annotator: str) -> list[str]:
    with here.database.writing() as connection:
        known = ("open", "done", "returned", "void")
        return [
            state
            for state in known
            for _ in people.lock_assignments(connection, annotator, (state,))
        ]


def test_a_late_draft_does_not_undo_a_promotion(room: Open) -> None:
    here = trained(room)
    ann = here.person()
    training = here.take(ann)
    moved_on(here, ann)
    with pytest.raises(Gone, match="no longer yours"):
        here.draft(training, {"text": "late"}, 0)
    assert here.take(ann).stage == 1


def test_a_late_draft_does_not_undo_a_return(room: Open) -> None:
    here = room()
    here.items(2)
    ann = here.person()
    first = here.take(ann)
    here.give_back(first)
    with pytest.raises(Gone, match="no longer yours"):
        here.draft(first, {"text": "late"}, 0)
    with pytest.raises(Gone, match="no longer yours"):
        here.submit(first)
    assert here.take(ann).key != first.key


def test_a_training_item_that_lapsed_before_a_promotion_does_not_come_after_it(
    room: Open, clock: Clock
) -> None:
    here = trained(room, lease=10)
    ann, ben = here.person(), here.person()
    training = here.take(ann)
    clock.minutes(11)
    here.take(ben)
    assert states(here, ann) == ["returned"]
    moved_on(here, ann)
    assert here.take(ann).stage == 1
    with pytest.raises(Gone):
        here.draft(training, {"text": "late"}, 0)


def test_readmitted_people_are_judged_by_later_tests(database: Database, clock: Clock) -> None:
    here = Room(database, CampaignSettings(test_every=2, test_mark=0.6))
    here.items(20)
    here.items(9, "hidden", gold=RIGHT, test=True)
    ann = here.person()

    def after_a_test(answer: object) -> str:
        while not (mine := here.take(ann)).test:
            here.submit(mine)
        clock.minutes(1)
        here.submit(mine, answer)
        clock.minutes(1)
        return here.state(ann)

    assert after_a_test(WRONG) == "excluded"
    readmitted(here, ann)
    assert after_a_test(RIGHT) == "active"
    assert after_a_test(WRONG) == "excluded"


def test_answers_to_retired_items_count_again_after_readmission(room: Open) -> None:
    here = room()
    (key,) = here.items(1)
    ann = here.person()
    here.work(ann)
    retired(here, key)
    here.exclude(ann)
    readmitted(here, ann)
    assert states(here, ann) == ["done"]


def test_replaced_answers_do_not_count_after_readmission(
    room: Open,
) -> None:
    here = room(annotators=1)
    (key,) = here.items(1)
    ann, ben = here.person(), here.person()
    here.work(ann)
    here.exclude(ann)
    here.work(ben)
    retired(here, key)
    readmitted(here, ann)
    assert states(here, ann) == ["void"]


def test_a_repeated_training_item_blocks_nobody(room: Open) -> None:
    here = trained(room)
    ann = here.person()
    first = here.take(ann)
    here.submit(first)
    retired(here, first.key)
    here.exclude(ann)
    readmitted(here, ann)
    retired(here, first.key, False)
    here.submit(here.take(ann))
    assert here.take(ann).stage == 1
