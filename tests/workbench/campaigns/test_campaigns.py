"""Campaigns and their items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tatian.workbench.campaigns import campaigns, guidelines, items
from tatian.workbench.errors import BadRequest, Conflict, NoSuchCampaign, NotFound
from tatian.workbench.settings import CampaignSettings, CampaignStage, Panel
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import NewItem

from .conftest import RIGHT, Trial

Begin = Callable[..., Trial]


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


def test_a_campaign_never_becomes_a_draft_again(begin: Begin) -> None:
    trial = begin()
    with pytest.raises(BadRequest, match="open"):
        trial.change(state="draft")


def test_another_number_of_annotators_applies_to_existing_items(begin: Begin) -> None:
    trial = begin(annotators=1)
    trial.items(1)
    trial.work(trial.person())
    trial.change(settings=CampaignSettings(annotators=2))
    assert len(trial.work(trial.person())) == 1
    assert trial.next(trial.person()) is None


def test_the_number_of_stages_is_fixed_once_there_are_items(begin: Begin) -> None:
    trial = begin()
    trial.items(1)
    with pytest.raises(Conflict, match="stages"):
        trial.change(settings=CampaignSettings(stages=(CampaignStage("a"), CampaignStage("b"))))


def test_unchanged_guidelines_keep_their_version(begin: Begin) -> None:
    trial = begin()
    with trial.database.writing() as connection:
        assert guidelines.add(connection, "trial", "# Read", "test") == 1
        assert guidelines.add(connection, "trial", "# Other", "test") == 2
        assert guidelines.get(connection, "trial", 1).text == "# Read"
        with pytest.raises(NotFound):
            guidelines.get(connection, "trial", 3)


def test_a_key_that_comes_twice_is_named_and_nothing_is_added(begin: Begin) -> None:
    trial = begin()
    with pytest.raises(BadRequest, match="'twin'"):
        trial.add([NewItem("one", {}), NewItem("twin", {}), NewItem("twin", {})])
    trial.items(1)
    with pytest.raises(Conflict, match="'item-0'"):
        trial.items(2)
    assert trial.status().items == 1


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
def test_an_invalid_item_is_refused(begin: Begin, wrong: NewItem, said: str) -> None:
    trial = begin(stages=(CampaignStage("training", pass_mark=0.5), CampaignStage("production")))
    with pytest.raises(BadRequest, match=said):
        trial.add([wrong])


def test_items_are_added_by_the_current_settings(begin: Begin) -> None:
    trial = begin()
    as_read = trial.campaign
    trial.change(settings=CampaignSettings(annotators=3))
    with trial.database.writing() as connection:
        items.add(connection, as_read, [NewItem("late", {})], "test")
        assert items.get(connection, trial.campaign, "late").wanted == 3


def test_items_are_listed_in_the_order_they_came(begin: Begin) -> None:
    trial = begin()
    keys = trial.items(5)
    with trial.database.reading() as connection:
        found = items.list_items(connection, trial.campaign)
    assert [item.key for item in found] == keys


def test_a_missing_item_is_not_found(begin: Begin) -> None:
    trial = begin()
    for key in ("nothing", "a\0"):
        with pytest.raises(NotFound), trial.database.writing() as connection:
            items.change(connection, trial.campaign, key, "test", retired=True)


def test_the_status_counts_items_answers_people_and_time(begin: Begin) -> None:
    trial = begin(annotators=2, stages=(CampaignStage("training"), CampaignStage("production")))
    trial.items(1, "trial", stage=0, gold=RIGHT)
    trial.items(3)
    trial.items(1, "hidden", gold=RIGHT, test=True)
    ann, bob = trial.person(name="Ann"), trial.person()
    trial.work(ann)
    trial.work(bob, most=2)
    trial.take(bob)
    status = trial.status()
    assert (status.items, status.wanted, status.done) == (3, 6, 4)
    assert (status.open, status.complete, status.retired) == (1, 1, 0)
    training, production = status.stages
    assert (training.items, training.tests, training.done) == (1, 0, 2)
    assert (production.items, production.tests, production.annotators) == (3, 1, 2)
    first = next(one for one in status.annotators if one.id == ann)
    assert (first.name, first.state, first.done, first.open) == ("Ann", "finished", 4, 0)
    assert (first.seconds, first.median_seconds, first.training_score) == (6.0, 1.5, 1.0)


def test_only_existing_answers_to_retired_items_count_as_wanted(begin: Begin) -> None:
    trial = begin(annotators=2)
    first, _ = trial.items(2)
    trial.work(trial.person())
    with trial.database.writing() as connection:
        items.change(connection, trial.campaign, first, "test", retired=True)
    status = trial.status()
    assert (status.items, status.retired, status.wanted, status.done) == (1, 1, 3, 2)


def test_surplus_answers_do_not_count_for_other_items(begin: Begin) -> None:
    trial = begin(annotators=3)
    trial.items(2)
    people = [trial.person() for _ in range(3)]
    for person in people:
        trial.work(person, most=1)
    trial.change(settings=CampaignSettings(annotators=1))
    status = trial.status()
    assert (status.wanted, status.done) == (4, 3)
