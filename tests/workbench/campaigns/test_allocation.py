"""Who gets which item next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from msgspec import structs

from tatian.workbench.campaigns import allocation, guidelines, items, people
from tatian.workbench.errors import Conflict, Gone, NotFound
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage.database import Database

from .conftest import Clock, Room

Open = Callable[..., Room]


def test_an_item_comes_once_to_a_person(room: Open) -> None:
    here = room(annotators=3)
    keys = here.items(5)
    ann = here.person()
    assert Counter(mine.key for mine in here.work(ann)) == Counter(keys)


def test_asking_again_gives_the_same_item(room: Open) -> None:
    here = room()
    here.items(2)
    ann = here.person()
    assert here.take(ann).id == here.take(ann).id


def test_no_more_people_than_wanted_get_an_item(room: Open) -> None:
    here = room(annotators=2)
    here.items(1)
    first, second, third = (here.person() for _ in range(3))
    here.take(first)
    here.take(second)
    assert here.next(third) is None
    assert here.standing(third) == "waiting"


def test_a_person_without_further_items_is_finished(room: Open) -> None:
    here = room()
    here.items(1)
    ann, bob = here.person(), here.person()
    here.work(ann)
    assert here.next(bob) is None
    assert here.standing(ann) == here.standing(bob) == "finished"


def test_a_finished_person_continues_with_added_items(room: Open) -> None:
    here = room()
    here.items(1)
    ann = here.person()
    here.work(ann)
    here.items(1, "more")
    assert here.take(ann).key == "more-0"
    assert here.state(ann) == "active"


def test_an_abandoned_item_goes_to_somebody_else(room: Open, clock: Clock) -> None:
    here = room(lease=10)
    here.items(1)
    ann, bob = here.person(), here.person()
    here.take(ann)
    clock.minutes(9)
    assert here.next(bob) is None
    clock.minutes(1)
    assert here.take(bob).key == "item-0"


def test_an_abandoned_item_returns_with_its_draft_while_free(room: Open, clock: Clock) -> None:
    here = room(lease=10, annotators=1)
    here.items(2)
    ann, bob = here.person(), here.person()
    mine = here.take(ann)
    here.draft(mine, {"so": "far"}, 0)
    clock.minutes(11)
    other = here.take(bob)
    if other.key == mine.key:
        here.give_back(other)
    again = here.take(ann)
    assert (again.id, again.draft) == (mine.id, {"so": "far"})


def test_an_abandoned_item_stays_with_its_next_person(room: Open, clock: Clock) -> None:
    here = room(lease=10)
    here.items(1)
    ann, bob = here.person(), here.person()
    mine = here.take(ann)
    clock.minutes(11)
    here.take(bob)
    assert here.next(ann) is None
    with pytest.raises(Gone, match="somebody else"):
        here.submit(mine)


def test_a_late_answer_is_accepted_while_the_item_is_free(room: Open, clock: Clock) -> None:
    here = room(lease=10, annotators=2)
    here.items(1)
    ann, bob = here.person(), here.person()
    mine = here.take(ann)
    clock.minutes(11)
    here.take(bob)
    here.submit(mine)
    assert here.status().done == 1


def test_a_lease_under_a_fast_clock_lasts_no_longer(room: Open, clock: Clock) -> None:
    here = room(lease=10)
    here.items(1)
    ann, bob = here.person(), here.person()
    clock.minutes(365 * 24 * 60)
    here.take(ann)
    clock.minutes(-365 * 24 * 60)
    allocation.shorten_leases(here.database)
    assert here.next(bob) is None
    clock.minutes(10)
    assert here.take(bob).key == "item-0"


def test_a_draft_extends_the_lease(room: Open, clock: Clock) -> None:
    here = room(lease=10)
    here.items(1)
    ann, bob = here.person(), here.person()
    mine = here.take(ann)
    clock.minutes(9)
    here.draft(mine, {}, 0)
    clock.minutes(9)
    assert here.next(bob) is None


def test_an_item_given_back_goes_to_others_only(room: Open) -> None:
    here = room()
    here.items(1)
    ann, bob = here.person(), here.person()
    here.give_back(here.take(ann))
    assert here.next(ann) is None
    assert here.take(bob).key == "item-0"


def test_giving_back_twice_is_giving_back_once(room: Open) -> None:
    here = room()
    mine = here.given()
    here.give_back(mine)
    here.give_back(mine)
    assert here.take(here.person()).key == "item-0"
    assert here.next(here.person()) is None


def test_an_answered_item_cannot_be_given_back(room: Open) -> None:
    here = room()
    mine = here.given()
    here.submit(mine)
    with pytest.raises(Conflict):
        here.give_back(mine)


def test_another_persons_assignment_is_not_found(room: Open) -> None:
    here = room()
    here.items(2)
    stolen = structs.replace(here.take(here.person()), annotator=here.person())
    with pytest.raises(NotFound):
        here.submit(stolen)
    with pytest.raises(NotFound):
        here.give_back(stolen)
    with pytest.raises(NotFound):
        here.draft(stolen, {}, 0)


@pytest.mark.parametrize("id", [0, -1, 1 << 63, 1 << 80])
def test_a_number_that_no_assignment_has_is_not_found(room: Open, id: int) -> None:
    here = room()
    here.items(1)
    with pytest.raises(NotFound):
        here.submit(structs.replace(here.take(here.person()), id=id))


def test_nothing_is_given_out_before_a_campaign_opens_or_after_it_closes(room: Open) -> None:
    here = room()
    here.items(1)
    ann = here.person()
    here.change(state="closed")
    assert here.next(ann) is None
    assert here.standing(ann) == "closed"


def test_a_retired_item_is_given_out_no_more_but_may_be_answered(room: Open) -> None:
    here = room(annotators=2)
    here.items(1)
    ann, bob = here.person(), here.person()
    mine = here.take(ann)
    with here.database.writing() as connection:
        items.change(connection, here.campaign, "item-0", "test", retired=True)
    assert here.next(bob) is None
    here.submit(mine)
    assert here.state(ann) == "active"


def test_consent_comes_before_the_first_item(room: Open) -> None:
    here = room(consent="May we?")
    here.items(1)
    ann = here.person()
    assert here.next(ann) is None
    assert here.standing(ann) == "consent"
    with here.database.writing() as connection:
        people.consent(connection, here.campaign, ann)
    assert here.take(ann).key == "item-0"


def test_items_of_one_campaign_never_come_to_people_of_another(
    room: Open, database: Database
) -> None:
    here, there = room(), Room(database, CampaignSettings(), "elsewhere")
    here.items(1)
    assert there.next(there.person()) is None
    with pytest.raises(NotFound):
        there.next(here.person())


def test_the_order_follows_the_seed(database: Database) -> None:
    orders = []
    for number, seed in enumerate((1, 1, 2)):
        here = Room(database, CampaignSettings(seed=seed), f"room-{number}")
        here.items(20)
        orders.append([mine.key for mine in here.work(here.person())])
    assert orders[0] == orders[1] != orders[2]
    assert orders[0] != sorted(orders[0])


def test_the_order_is_as_given_where_nothing_is_shuffled(room: Open) -> None:
    here = room(shuffled=False)
    keys = here.items(12)
    assert [mine.key for mine in here.work(here.person())] == keys


def test_nobody_gets_more_items_than_the_limit(room: Open) -> None:
    here = room(most=2)
    here.items(5)
    ann = here.person()
    assert len(here.work(ann)) == 2
    assert here.standing(ann) == "finished"


def test_a_returned_item_does_not_count_towards_the_limit(room: Open) -> None:
    here = room(most=2)
    here.items(5)
    ann = here.person()
    here.give_back(here.take(ann))
    assert len(here.work(ann)) == 2


def test_nothing_is_given_or_accepted_after_the_campaigns_deadline(
    room: Open, clock: Clock
) -> None:
    here = room(deadline=clock.moment + 60_000)
    here.items(2)
    ann = here.person()
    mine = here.take(ann)
    clock.minutes(1)
    with pytest.raises(Gone, match="closed"):
        here.submit(mine)
    assert here.next(ann) is None
    assert here.standing(ann) == "closed"


def test_the_guidelines_that_were_shown_last_are_recorded(room: Open) -> None:
    here = room()
    here.items(1)
    ann = here.person()
    assert here.take(ann).guideline == 1
    with here.database.writing() as connection:
        guidelines.add(connection, here.campaign.id, "# Read again", "test")
    assert here.take(ann).guideline == 2
