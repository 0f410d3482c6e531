"""Agreement over a campaign: which answers count, and the measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tatian.errors import InputError
from tatian.workbench.campaigns import people
from tatian.workbench.campaigns.records import read_records
from tatian.workbench.quality.cases import read_cases
from tatian.workbench.quality.monitor import CampaignAgreement, measure_agreement
from tatian.workbench.settings import CampaignStage
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks.agreement import Measure, Settled, VotingRule

from .monitoring_room import RIGHT, WRONG, Echo, Workshop


class Comparing(Echo):
    """A task that reports the items and people that it compares."""

    def agreement(
        self, contents: Mapping[str, Any], answers: Mapping[str, Mapping[str, Any]]
    ) -> Sequence[Measure]:
        pairs = {" ".join(sorted(said)): float(len(said)) for said in answers.values()}
        return [Measure("alpha", 0.5, len(contents)), Measure("of pairs", 1.0, 1, "", pairs)]

    def settle(self, content: Any, answers: Mapping[str, Any], rule: VotingRule) -> Settled:
        return Settled(None)


def measured(shop: Workshop, **options: Any) -> CampaignAgreement:
    with shop.database.reading() as connection:
        return measure_agreement(connection, shop.campaign, shop.task, **options)


def test_a_task_that_compares_answers_measures_them_itself(database: Database) -> None:
    shop = Workshop(database, 3, annotators=2)
    shop.task = Comparing()
    ann, ben = shop.person(), shop.person()
    shop.work(ann)
    shop.work(ben, most=2)
    found = measured(shop)
    assert [one.name for one in found.measures] == ["alpha", "of pairs"]
    assert (found.items, found.annotators, found.answers, found.by) == (2, 2, 4, "of pairs")
    assert {one.annotator: one.value for one in found.people} == {ann: 2.0, ben: 2.0}


def test_agreement_is_weighted_by_shared_items(database: Database) -> None:
    shop = Workshop(database, 4)
    ann, ben, cat = (shop.person() for _ in range(3))
    shop.work(ann)
    shop.work(ben)
    shop.work(cat, {"item-0": WRONG}, most=1)
    values = {one.annotator: (one.value, one.items, one.others) for one in measured(shop).people}
    assert values[ann] == (pytest.approx(4 / 5), 4, 2)
    assert values[cat] == (0, 1, 2)


def test_training_tests_and_excluded_people_do_not_count(database: Database) -> None:
    shop = Workshop(
        database, 2, stages=(CampaignStage("school"), CampaignStage("production")), test_every=2
    )
    shop.add(1, "lesson", gold=RIGHT, stage=0)
    shop.add(2, "hidden", gold=RIGHT, test=True)
    ann, ben, cat = (shop.person() for _ in range(3))
    for person in (ann, ben, cat):
        shop.work(person)
    with database.writing() as connection:
        people.exclude(connection, shop.campaign, cat, "test")
    found = measured(shop)
    assert (found.items, found.answers) == (2, 4)
    assert [one.annotator for one in found.people] == sorted([ann, ben])


def test_a_corrected_answer_is_compared_as_corrected(database: Database) -> None:
    shop = Workshop(database, 1)
    mine = shop.next(shop.person())
    assert mine is not None
    shop.correct(mine, shop.answer(mine, WRONG), RIGHT, 1.0)
    shop.work(shop.person())
    assert measured(shop).measures[0].value == 1


def test_only_the_latest_items_are_compared_on_request(database: Database) -> None:
    shop = Workshop(database, 5, annotators=2)
    shop.work(shop.person())
    shop.work(shop.person())
    found = measured(shop, most=2)
    assert (found.items, found.all) == (2, 5)


def test_people_with_too_few_items_do_not_count(database: Database) -> None:
    shop = Workshop(database, 5, least=5)
    ann, ben, cat = (shop.person() for _ in range(3))
    shop.work(ann)
    shop.work(ben)
    shop.work(cat, most=4)
    with database.reading() as connection:
        gold = {
            given.annotator
            for case in read_cases(connection, shop.campaign, shop.task, "majority")
            for given in case.answers
        }
        data = {one.made.by for one in read_records(connection, shop.campaign, everything=False)}
        marked = {one.made.by for one in read_records(connection, shop.campaign) if one.few}
    assert gold == data == {ann, ben}
    assert marked == {cat}
    assert {one.annotator for one in measured(shop).people} == {ann, ben}


def test_answers_that_a_task_cannot_read_are_an_error_that_says_so(database: Database) -> None:
    class Broken(Comparing):
        def agreement(self, contents: Any, answers: Any) -> Sequence[Measure]:
            raise InputError("not of this version")

    shop = Workshop(database, 1)
    shop.task = Broken()
    shop.work(shop.person())
    shop.work(shop.person())
    with pytest.raises(InputError, match="cannot be compared: not of this version"):
        measured(shop)
