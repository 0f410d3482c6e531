"""Assignment of items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from msgspec import structs

from tatian.workbench.campaigns import allocation, guidelines, items, people
from tatian.workbench.errors import Conflict, Gone, NotFound
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage.database import Database

from .conftest import Clock, Trial

Begin = Callable[..., Trial]


def test_an_item_comes_once_to_a_person(begin: Begin) -> None:
    trial = begin(annotators=3)
    keys = trial.items(5)
    ann = trial.person()
    assert Counter(assignment.key for assignment in trial.work(ann)) == Counter(keys)


def test_asking_again_gives_the_same_item(begin: Begin) -> None:
    trial = begin()
    trial.items(2)
    ann = trial.person()
    assert trial.take(ann).id == trial.take(ann).id


def test_items_are_given_to_no_more_people_than_set(begin: Begin) -> None:
    trial = begin(annotators=2)
    trial.items(1)
    first, second, third = (trial.person() for _ in range(3))
    trial.take(first)
    trial.take(second)
    assert trial.next(third) is None
    assert trial.work_state(third) == "waiting"


def test_a_person_without_further_items_is_finished(begin: Begin) -> None:
    trial = begin()
    trial.items(1)
    ann, bob = trial.person(), trial.person()
    trial.work(ann)
    assert trial.next(bob) is None
    assert trial.work_state(ann) == trial.work_state(bob) == "finished"


def test_a_finished_person_continues_with_added_items(begin: Begin) -> None:
    trial = begin()
    trial.items(1)
    ann = trial.person()
    trial.work(ann)
    trial.items(1, "more")
    assert trial.take(ann).key == "more-0"
    assert trial.state(ann) == "active"


def test_an_abandoned_item_goes_to_somebody_else(begin: Begin, clock: Clock) -> None:
    trial = begin(lease=10)
    trial.items(1)
    ann, bob = trial.person(), trial.person()
    trial.take(ann)
    clock.minutes(9)
    assert trial.next(bob) is None
    clock.minutes(1)
    assert trial.take(bob).key == "item-0"


def test_an_abandoned_item_returns_with_its_draft_while_free(begin: Begin, clock: Clock) -> None:
    trial = begin(lease=10, annotators=1)
    trial.items(2)
    ann, bob = trial.person(), trial.person()
    assignment = trial.take(ann)
    trial.draft(assignment, {"so": "far"}, 0)
    clock.minutes(11)
    other = trial.take(bob)
    if other.key == assignment.key:
        trial.give_back(other)
    again = trial.take(ann)
    assert (again.id, again.draft) == (assignment.id, {"so": "far"})


def test_an_abandoned_item_stays_with_its_next_person(begin: Begin, clock: Clock) -> None:
    trial = begin(lease=10)
    trial.items(1)
    ann, bob = trial.person(), trial.person()
    assignment = trial.take(ann)
    clock.minutes(11)
    trial.take(bob)
    assert trial.next(ann) is None
    with pytest.raises(Gone, match="somebody else"):
        trial.submit(assignment)


def test_a_late_answer_is_accepted_while_the_item_is_free(begin: Begin, clock: Clock) -> None:
    trial = begin(lease=10, annotators=2)
    trial.items(1)
    ann, bob = trial.person(), trial.person()
    assignment = trial.take(ann)
    clock.minutes(11)
    trial.take(bob)
    trial.submit(assignment)
    assert trial.status().done == 1


def test_a_lease_under_a_fast_clock_lasts_no_longer(begin: Begin, clock: Clock) -> None:
    trial = begin(lease=10)
    trial.items(1)
    ann, bob = trial.person(), trial.person()
    clock.minutes(365 * 24 * 60)
    trial.take(ann)
    clock.minutes(-365 * 24 * 60)
    allocation.shorten_leases(trial.database)
    assert trial.next(bob) is None
    clock.minutes(10)
    assert trial.take(bob).key == "item-0"


def test_a_draft_extends_the_lease(begin: Begin, clock: Clock) -> None:
    trial = begin(lease=10)
    trial.items(1)
    ann, bob = trial.person(), trial.person()
    assignment = trial.take(ann)
    clock.minutes(9)
    trial.draft(assignment, {}, 0)
    clock.minutes(9)
    assert trial.next(bob) is None


def test_an_item_given_back_goes_to_others_only(begin: Begin) -> None:
    trial = begin()
    trial.items(1)
    ann, bob = trial.person(), trial.person()
    trial.give_back(trial.take(ann))
    assert trial.next(ann) is None
    assert trial.take(bob).key == "item-0"


def test_giving_back_twice_is_giving_back_once(begin: Begin) -> None:
    trial = begin()
    assignment = trial.given()
    trial.give_back(assignment)
    trial.give_back(assignment)
    assert trial.take(trial.person()).key == "item-0"
    assert trial.next(trial.person()) is None


def test_an_answered_item_cannot_be_given_back(begin: Begin) -> None:
    trial = begin()
    assignment = trial.given()
    trial.submit(assignment)
    with pytest.raises(Conflict):
        trial.give_back(assignment)


def test_another_persons_assignment_is_not_found(begin: Begin) -> None:
    trial = begin()
    trial.items(2)
    stolen = structs.replace(trial.take(trial.person()), annotator=trial.person())
    with pytest.raises(NotFound):
        trial.submit(stolen)
    with pytest.raises(NotFound):
        trial.give_back(stolen)
    with pytest.raises(NotFound):
        trial.draft(stolen, {}, 0)


@pytest.mark.parametrize("id", [0, -1, 1 << 63, 1 << 80])
def test_a_number_that_no_assignment_has_is_not_found(begin: Begin, id: int) -> None:
    trial = begin()
    trial.items(1)
    with pytest.raises(NotFound):
        trial.submit(structs.replace(trial.take(trial.person()), id=id))


def test_nothing_is_given_out_before_a_campaign_opens_or_after_it_closes(begin: Begin) -> None:
    trial = begin()
    trial.items(1)
    ann = trial.person()
    trial.change(state="closed")
    assert trial.next(ann) is None
    assert trial.work_state(ann) == "closed"


def test_a_retired_item_is_given_out_no_more_but_may_be_answered(begin: Begin) -> None:
    trial = begin(annotators=2)
    trial.items(1)
    ann, bob = trial.person(), trial.person()
    assignment = trial.take(ann)
    with trial.database.writing() as connection:
        items.change(connection, trial.campaign, "item-0", "test", retired=True)
    assert trial.next(bob) is None
    trial.submit(assignment)
    assert trial.state(ann) == "active"


def test_consent_comes_before_the_first_item(begin: Begin) -> None:
    trial = begin(consent="May we?")
    trial.items(1)
    ann = trial.person()
    assert trial.next(ann) is None
    assert trial.work_state(ann) == "consent"
    with trial.database.writing() as connection:
        people.consent(connection, trial.campaign, ann)
    assert trial.take(ann).key == "item-0"


def test_items_are_assigned_only_within_their_campaign(begin: Begin, database: Database) -> None:
    trial, there = begin(), Trial(database, CampaignSettings(), "elsewhere")
    trial.items(1)
    assert there.next(there.person()) is None
    with pytest.raises(NotFound):
        there.next(trial.person())


def test_the_order_follows_the_seed(database: Database) -> None:
    orders = []
    for number, seed in enumerate((1, 1, 2)):
        trial = Trial(database, CampaignSettings(seed=seed), f"room-{number}")
        trial.items(20)
        orders.append([assignment.key for assignment in trial.work(trial.person())])
    assert orders[0] == orders[1] != orders[2]
    assert orders[0] != sorted(orders[0])


def test_the_order_is_as_given_where_nothing_is_shuffled(begin: Begin) -> None:
    trial = begin(shuffled=False)
    keys = trial.items(12)
    assert [assignment.key for assignment in trial.work(trial.person())] == keys


def test_nobody_gets_more_items_than_the_limit(begin: Begin) -> None:
    trial = begin(most=2)
    trial.items(5)
    ann = trial.person()
    assert len(trial.work(ann)) == 2
    assert trial.work_state(ann) == "finished"


def test_a_returned_item_does_not_count_towards_the_limit(begin: Begin) -> None:
    trial = begin(most=2)
    trial.items(5)
    ann = trial.person()
    trial.give_back(trial.take(ann))
    assert len(trial.work(ann)) == 2


def test_nothing_is_assigned_or_accepted_after_the_deadline(begin: Begin, clock: Clock) -> None:
    trial = begin(deadline=clock.moment + 60_000)
    trial.items(2)
    ann = trial.person()
    assignment = trial.take(ann)
    clock.minutes(1)
    with pytest.raises(Gone, match="closed"):
        trial.submit(assignment)
    assert trial.next(ann) is None
    assert trial.work_state(ann) == "closed"


def test_the_guidelines_that_were_shown_last_are_recorded(begin: Begin) -> None:
    trial = begin()
    trial.items(1)
    ann = trial.person()
    assert trial.take(ann).guideline == 1
    with trial.database.writing() as connection:
        guidelines.add(connection, trial.campaign.id, "# Read again", "test")
    assert trial.take(ann).guideline == 2
