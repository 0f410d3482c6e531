"""Pay: by the item, with bonuses, by the hour."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tatian.workbench.campaigns import campaigns, items, people
from tatian.workbench.errors import BadRequest
from tatian.workbench.quality.pay import Payroll, compute_payroll, write_payments
from tatian.workbench.settings import CampaignStage, Pay
from tatian.workbench.storage.database import Database

from .monitoring_room import RIGHT, WRONG, Workshop


def owed(shop: Workshop) -> Payroll:
    with shop.database.reading() as connection:
        return compute_payroll(connection, shop.campaign)


def test_the_union_papers_wage_follows_from_its_pay_and_times(database: Database) -> None:
    shop = Workshop(database, 2, pay=Pay(item=0.3))
    shop.work(shop.person(), seconds=1.8 * 60)
    found = owed(shop)
    assert found.wage.mean == pytest.approx(10.0)
    assert found.wage.median == pytest.approx(10.0)


def test_a_bonus_is_paid_for_each_full_group_of_items(database: Database) -> None:
    shop = Workshop(database, 7, pay=Pay(item=0.1, bonus=1.25, every=3))
    shop.work(shop.person())
    (one,) = owed(shop).people
    assert (one.items, one.bonuses, one.amount) == (7, 2, 3.2)


def test_hidden_tests_are_paid_and_training_only_where_the_settings_say_so(
    database: Database,
) -> None:
    stages = (CampaignStage("school"), CampaignStage("production"))
    shop = Workshop(database, 2, stages=stages, test_every=2, pay=Pay(item=1))
    shop.add(1, "lesson", gold=RIGHT, stage=0)
    shop.add(1, "hidden", gold=RIGHT, test=True)
    shop.work(shop.person())
    assert owed(shop).people[0].items == 3
    changed = replace(shop.campaign.settings, pay=Pay(item=1, training=True))
    with database.writing() as connection:
        shop.campaign = campaigns.change(connection, "shop", "test", settings=changed)
    assert owed(shop).people[0].items == 4


def test_a_correction_is_time_at_work_but_no_further_item(database: Database) -> None:
    shop = Workshop(database, 1, pay=Pay(item=1))
    mine = shop.next(shop.person())
    assert mine is not None
    shop.correct(mine, shop.answer(mine, WRONG, 30.0), RIGHT, 30.0)
    (one,) = owed(shop).people
    assert (one.items, one.amount, one.seconds) == (1, 1.0, 60.0)
    assert one.wage.mean == pytest.approx(60.0)


def test_excluded_people_are_paid_for_their_work(database: Database) -> None:
    shop = Workshop(database, 3, pay=Pay(item=0.5))
    ann = shop.person()
    shop.work(ann)
    with database.writing() as connection:
        people.exclude(connection, shop.campaign, ann, "test")
    assert owed(shop).people[0].amount == 1.5


def test_cents_are_exact(database: Database) -> None:
    shop = Workshop(database, 3, pay=Pay(item=0.1))
    shop.work(shop.person())
    shop.work(shop.person())
    found = owed(shop)
    assert [one.amount for one in found.people] == [0.3, 0.3]
    assert found.total == 0.6


def test_the_forecast_adds_remaining_items_tests_and_bonuses(
    database: Database,
) -> None:
    shop = Workshop(database, 4, annotators=2, test_every=5, pay=Pay(1, bonus=1, every=10))
    shop.work(shop.person())
    found = owed(shop)
    assert found.total == 4
    assert found.forecast == pytest.approx(4 + 4 * 5 / 4 * 1.1)


def test_answers_to_retired_items_do_not_make_the_forecast_smaller(database: Database) -> None:
    shop = Workshop(database, 4, annotators=2, pay=Pay(item=1))
    shop.work(shop.person())
    with database.writing() as connection:
        for key in ("item-0", "item-1"):
            items.change(connection, shop.campaign, key, "test", retired=True)
    assert owed(shop).forecast == 4 + 2


def test_answers_that_took_no_time_have_no_wage(database: Database) -> None:
    shop = Workshop(database, 2, pay=Pay(item=1))
    shop.work(shop.person(), seconds=0)
    wage = owed(shop).people[0].wage
    assert (wage.mean, wage.median) == (None, None)


def test_payments_are_a_table_of_those_who_earned_something(database: Database) -> None:
    shop = Workshop(database, 2, pay=Pay(item=0.25, currency="EUR"))
    ann = shop.person(external="=panel+7")
    shop.person(external="idle")
    shop.work(ann)
    assert write_payments(owed(shop)).splitlines() == [
        "annotator,external,items,bonuses,amount,currency",
        f"{ann},'=panel+7,2,0,0.50,EUR",
    ]


def test_a_campaign_without_pay_says_so(database: Database) -> None:
    with pytest.raises(BadRequest, match="no pay in its settings"):
        owed(Workshop(database, 0))


@pytest.mark.parametrize(
    "pay",
    [Pay(item=-1), Pay(item=float("nan")), Pay(bonus=1e9), Pay(currency="euro"), Pay(every=-1)],
)
def test_invalid_pay_is_refused(database: Database, pay: Pay) -> None:
    with pytest.raises(BadRequest, match=r"'pay\.|currency"):
        Workshop(database, 0, pay=pay)
