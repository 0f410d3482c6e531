"""Campaigns and their items: made, changed, counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tatian.workbench.campaigns import campaigns, guidelines, items
from tatian.workbench.errors import BadRequest, Conflict, NoSuchCampaign, NotFound
from tatian.workbench.settings import CampaignSettings, CampaignStage, Panel
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import NewItem

from .conftest import RIGHT, Room

Open = Callable[..., Room]


def make(database: Database, id: str = "c", settings: CampaignSettings | None = None) -> None:
    with database.writing() as connection:
        campaigns.create(
            connection, id, "union", "T", settings or CampaignSettings(), "# G", "test"
        )


def test_a_created_campaign_is_read_unchanged(database: Database) -> None:
    settings = CampaignSettings(
        annotators=3, stages=(CampaignStage("a", True, 0.5), CampaignStage("b")),
        panel=Panel(code="X"),
        options={"shuffled": False}, consent="Für „alle“.",
    )  # fmt: skip
    make(database, settings=settings)
    with database.reading() as connection:
        found = campaigns.get(connection, "c")
        assert (found.settings, found.state, found.last) == (settings, "draft", 1)
        assert campaigns.list_campaigns(connection) == [found]
        assert guidelines.get(connection, "c").text == "# G"


@pytest.mark.parametrize("id", ["", "A", "a b", "../a", "a..b", "-a", "a-", "a" * 65, "a\0", "é"])
def test_an_id_that_does_not_fit_an_address_is_refused(database: Database, id: str) -> None:
    with pytest.raises(BadRequest, match="not a campaign id"):
        make(database, id)


def test_two_campaigns_cannot_have_one_id(database: Database) -> None:
    make(database)
    with pytest.raises(Conflict, match="already"):
        make(database)


@pytest.mark.parametrize("id", ["nothing", "a\0b"])
def test_a_missing_campaign_is_reported(database: Database, id: str) -> None:
    with database.writing() as connection:
        with pytest.raises(NoSuchCampaign):
            campaigns.get(connection, id)
        with pytest.raises(NoSuchCampaign):
            campaigns.change(connection, "nothing", "test", title="x")


@pytest.mark.parametrize(
    "wrong",
    [
        {"stages": ()},
        {"stages": (CampaignStage("a"), CampaignStage("a"))},
        {"stages": (CampaignStage("a", pass_mark=0.5),)},
        {"stages": (CampaignStage("a", pass_mark=1.5), CampaignStage("b"))},
        {"annotators": 0},
        {"lease": 0},
        {"most": 0},
        {"test_every": 1},
        {"test_mark": -0.1},
        {"consent": "a\0b"},
        {"options": {"a": float("nan")}},
    ],
)
def test_settings_that_cannot_work_are_refused(database: Database, wrong: dict[str, Any]) -> None:
    with pytest.raises(BadRequest):
        make(database, settings=CampaignSettings(**wrong))


def test_a_campaign_never_becomes_a_draft_again(room: Open) -> None:
    here = room()
    with pytest.raises(BadRequest, match="open"):
        here.change(state="draft")


def test_another_number_of_annotators_applies_to_existing_items(room: Open) -> None:
    here = room(annotators=1)
    here.items(1)
    here.work(here.person())
    here.change(settings=CampaignSettings(annotators=2))
    assert len(here.work(here.person())) == 1
    assert here.next(here.person()) is None


def test_the_number_of_stages_is_fixed_once_there_are_items(room: Open) -> None:
    here = room()
    here.items(1)
    with pytest.raises(Conflict, match="stages"):
        here.change(settings=CampaignSettings(stages=(CampaignStage("a"), CampaignStage("b"))))


def test_the_same_guidelines_again_are_no_new_version(room: Open) -> None:
    here = room()
    with here.database.writing() as connection:
        assert guidelines.add(connection, "room", "# Read", "test") == 1
        assert guidelines.add(connection, "room", "# Other", "test") == 2
        assert guidelines.get(connection, "room", 1).text == "# Read"
        with pytest.raises(NotFound):
            guidelines.get(connection, "room", 3)


def test_a_key_that_comes_twice_is_named_and_nothing_is_added(room: Open) -> None:
    here = room()
    with pytest.raises(BadRequest, match="'twin'"):
        here.add([NewItem("one", {}), NewItem("twin", {}), NewItem("twin", {})])
    here.items(1)
    with pytest.raises(Conflict, match="'item-0'"):
        here.items(2)
    assert here.status().items == 1


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (NewItem("", {}), "key"),
        (NewItem("a\0", {}), "NUL"),
        (NewItem("a\nb", {}), "unprintable"),
        (NewItem("a\u202eb", {}), "unprintable"),
        (NewItem("a", {"x": "\0"}), "NUL"),
        (NewItem("a", {}, stage=2), "stages 0 to 1"),
        (NewItem("a", {}, stage=-1), "stages 0 to 1"),
        (NewItem("a", {}, stage=0), "gold"),
        (NewItem("a", {}, test=True), "gold"),
        (NewItem("a", {}, RIGHT, stage=0, test=True), "last stage"),
    ],
)
def test_an_invalid_item_is_refused(room: Open, wrong: NewItem, said: str) -> None:
    here = room(stages=(CampaignStage("training", pass_mark=0.5), CampaignStage("production")))
    with pytest.raises(BadRequest, match=said):
        here.add([wrong])


def test_items_are_added_by_the_current_settings(room: Open) -> None:
    here = room()
    as_read = here.campaign
    here.change(settings=CampaignSettings(annotators=3))
    with here.database.writing() as connection:
        items.add(connection, as_read, [NewItem("late", {})], "test")
        assert items.get(connection, here.campaign, "late").wanted == 3


def test_items_are_listed_in_the_order_they_came(room: Open) -> None:
    here = room()
    keys = here.items(5)
    with here.database.reading() as connection:
        found = items.list_items(connection, here.campaign)
    assert [item.key for item in found] == keys


def test_a_missing_item_is_not_found(room: Open) -> None:
    here = room()
    for key in ("nothing", "a\0"):
        with pytest.raises(NotFound), here.database.writing() as connection:
            items.change(connection, here.campaign, key, "test", retired=True)


def test_the_status_counts_items_answers_people_and_time(room: Open) -> None:
    here = room(annotators=2, stages=(CampaignStage("training"), CampaignStage("production")))
    here.items(1, "trial", stage=0, gold=RIGHT)
    here.items(3)
    here.items(1, "hidden", gold=RIGHT, test=True)
    ann, bob = here.person(name="Ann"), here.person()
    here.work(ann)
    here.work(bob, most=2)
    here.take(bob)
    status = here.status()
    assert (status.items, status.wanted, status.done) == (3, 6, 4)
    assert (status.open, status.complete, status.retired) == (1, 1, 0)
    training, production = status.stages
    assert (training.items, training.tests, training.done) == (1, 0, 2)
    assert (production.items, production.tests, production.annotators) == (3, 1, 2)
    first = next(one for one in status.annotators if one.id == ann)
    assert (first.name, first.state, first.done, first.open) == ("Ann", "finished", 4, 0)
    assert (first.seconds, first.median_seconds, first.training_score) == (6.0, 1.5, 1.0)


def test_only_existing_answers_to_retired_items_count_as_wanted(room: Open) -> None:
    here = room(annotators=2)
    first, _ = here.items(2)
    here.work(here.person())
    with here.database.writing() as connection:
        items.change(connection, here.campaign, first, "test", retired=True)
    status = here.status()
    assert (status.items, status.retired, status.wanted, status.done) == (1, 1, 3, 2)


def test_surplus_answers_do_not_count_for_other_items(room: Open) -> None:
    here = room(annotators=3)
    here.items(2)
    people = [here.person() for _ in range(3)]
    for person in people:
        here.work(person, most=1)
    here.change(settings=CampaignSettings(annotators=1))
    status = here.status()
    assert (status.wanted, status.done) == (4, 3)
