"""Controlled crowdsourcing: marks of tests, and promotion."""

from __future__ import annotations

import pytest

from tatian.workbench.campaigns import audit, people
from tatian.workbench.campaigns.stages import promote
from tatian.workbench.errors import BadRequest, Conflict
from tatian.workbench.settings import CampaignStage
from tatian.workbench.storage.database import Database

from .monitoring_room import RIGHT, WRONG, Workshop

STAGES = (CampaignStage("school", feedback=True, pass_mark=0.5), CampaignStage("production"))


def state(shop: Workshop, annotator: str) -> str:
    with shop.database.reading() as connection:
        return people.find(connection, shop.campaign, annotator).state


def test_a_test_mark_counts_from_a_number_of_tests(database: Database) -> None:
    shop = Workshop(database, 20, test_every=2, test_mark=0.5, test_least=3)
    shop.add(5, "hidden", gold=RIGHT, test=True)
    ann = shop.person()
    failed = 0
    while (mine := shop.next(ann)) is not None:
        assert state(shop, ann) == "active"
        shop.answer(mine, WRONG)
        failed += mine.test
    assert (failed, state(shop, ann)) == (3, "excluded")


@pytest.mark.parametrize("settings", [{"test_least": 0}, {"least": -1}])
def test_invalid_numbers_are_refused(database: Database, settings: dict[str, int]) -> None:
    with pytest.raises(BadRequest, match="least"):
        Workshop(database, 0, **settings)


def test_a_promoted_person_continues_with_the_next_stage(database: Database) -> None:
    shop = Workshop(database, 1, stages=STAGES)
    shop.add(2, "lesson", gold=RIGHT, stage=0)
    ann = shop.person()
    assert shop.next(ann) is not None
    with database.writing() as connection:
        promote(connection, shop.campaign, ann, "user:ada")
        (entry,) = audit.list_entries(connection, "shop", limit=1)
    assert [mine.key for mine in shop.work(ann)] == ["item-0"]
    assert (entry.action, entry.detail) == (
        "annotator.promote",
        {"stage": "school", "to": "production"},
    )


def test_promotion_readmits_a_person_who_failed(database: Database) -> None:
    shop = Workshop(database, 1, stages=STAGES)
    shop.add(1, "lesson", gold=RIGHT, stage=0)
    ann = shop.person()
    shop.work(ann, otherwise=WRONG)
    assert state(shop, ann) == "failed"
    with database.writing() as connection:
        promote(connection, shop.campaign, ann, "test")
    assert [mine.key for mine in shop.work(ann)] == ["item-0"]


def test_nobody_is_promoted_beyond_production(database: Database) -> None:
    shop = Workshop(database, 1)
    ann = shop.person()
    with database.writing() as connection, pytest.raises(Conflict, match="no stage after"):
        promote(connection, shop.campaign, ann, "test")


def test_an_excluded_person_is_readmitted_not_promoted(database: Database) -> None:
    shop = Workshop(database, 1, stages=STAGES)
    ann = shop.person()
    with database.writing() as connection:
        people.exclude(connection, shop.campaign, ann, "test")
        with pytest.raises(Conflict, match="readmit them first"):
            promote(connection, shop.campaign, ann, "test")
