"""Monitoring: speed, scores, agreement and warnings."""

from __future__ import annotations

import statistics
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.workbench.campaigns import progress
from tatian.workbench.campaigns.times import Times, read_times
from tatian.workbench.quality.monitor import (
    Monitor,
    WatchedPerson,
    anonymize,
    monitor_campaign,
    robust_z,
)
from tatian.workbench.settings import CampaignStage, Pay
from tatian.workbench.storage.database import Database

from .monitoring_room import RIGHT, WRONG, Workshop

lengths = st.lists(st.integers(0, 100_000), min_size=1, max_size=60)


def look(shop: Workshop) -> Monitor:
    with shop.database.reading() as connection:
        return monitor_campaign(connection, shop.campaign, shop.task)


def person_of(found: Monitor, annotator: str) -> WatchedPerson:
    return next(one for one in found.people if one.id == annotator)


@given(lengths)
def test_times_from_counts_are_those_of_the_values(tenths: list[int]) -> None:
    found = Times.of({one: tenths.count(one) for one in tenths})
    seconds = [one / 10 for one in tenths]
    assert found.answers == len(seconds)
    assert found.median == pytest.approx(statistics.median(seconds))
    assert found.mean == pytest.approx(statistics.mean(seconds))


@given(lengths, lengths)
def test_times_of_two_together_are_those_of_all(one: list[int], other: list[int]) -> None:
    def counted(values: list[int]) -> Times:
        return Times.of({value: values.count(value) for value in values})

    assert counted(one) | counted(other) == counted(one + other)


def test_times_without_answers_are_empty() -> None:
    none = Times()
    assert (none.answers, none.seconds, none.mean, none.median) == (0, 0, None, None)


def test_times_are_kept_apart_by_person_stage_test_and_correction(database: Database) -> None:
    stages = (CampaignStage("school"), CampaignStage("production"))
    shop = Workshop(database, 1, stages=stages)
    shop.add(1, "lesson", gold=RIGHT, stage=0)
    ann = shop.person()
    shop.work(ann, seconds=4.04, most=1)
    mine = shop.next(ann)
    assert mine is not None
    shop.correct(mine, shop.answer(mine, WRONG, 61.4), RIGHT, 2.0)
    with database.reading() as connection:
        found = {
            (kind.training, kind.test, kind.correction): taken.median
            for kind, taken in read_times(connection, shop.campaign).items()
        }
    assert found == {
        (True, False, False): 4.0,
        (False, False, False): 61.0,
        (False, False, True): 2.0,
    }


def test_a_much_faster_person_gets_a_warning(database: Database) -> None:
    shop = Workshop(database, 6, annotators=5)
    quick = shop.person()
    shop.work(quick, seconds=2.0)
    for pace in (28.0, 30.0, 31.0, 33.0):
        shop.work(shop.person(), seconds=pace)
    found = look(shop)
    first, *others = found.people
    assert first.speed is not None
    assert first.speed < -3.5
    assert first.hasty == 1
    assert [warning.split(":")[0] for warning in first.warnings] == [
        "much faster than the others",
        "100% of the answers took less than a third of the usual time",
    ]
    assert [one.warnings for one in others] == [()] * 4


def test_a_speed_within_twice_the_median_is_no_warning(
    database: Database,
) -> None:
    shop = Workshop(database, 6, annotators=5)
    for pace in (20.0, 30.0, 30.1, 30.2, 30.3):
        shop.work(shop.person(), seconds=pace)
    found = look(shop)
    assert found.people[0].speed is not None
    assert found.people[0].speed < -3.5
    assert found.people[0].warnings == ()


def test_scores_are_over_last_answers_of_training_and_of_tests(database: Database) -> None:
    stages = (CampaignStage("school", pass_mark=0.1), CampaignStage("production"))
    shop = Workshop(database, 4, stages=stages, test_every=2, test_mark=0.5, test_least=9)
    shop.add(2, "lesson", gold=RIGHT, stage=0)
    shop.add(2, "hidden", gold=RIGHT, test=True)
    ann = shop.person()
    shop.work(ann, {"lesson-0": WRONG, "hidden-0": WRONG, "hidden-1": WRONG})
    one = person_of(look(shop), ann)
    assert (one.training_score, one.trainings) == (0.5, 2)
    assert (one.test_score, one.tests) == (0, 2)
    assert one.warnings == ("hidden tests: 0%, below the mark of 50%; it counts after 7 more",)


def test_agreement_is_the_share_of_equal_answers_where_a_task_has_no_measure(
    database: Database,
) -> None:
    shop = Workshop(database, 4)
    ann, ben, cat = (shop.person() for _ in range(3))
    shop.work(ann)
    shop.work(ben)
    shop.work(cat, {"item-0": WRONG})
    found = look(shop)
    assert found.agreement.by == "equal answers"
    assert person_of(found, ann).agreement == pytest.approx(7 / 8)
    assert person_of(found, cat).agreement == pytest.approx(6 / 8)
    assert person_of(found, cat).compared == 4


def test_a_person_without_agreement_gets_a_warning(database: Database) -> None:
    shop = Workshop(database, 8, annotators=5)
    odd = shop.person()
    shop.work(odd, otherwise=WRONG)
    for number in range(4):
        shop.work(shop.person(), {f"item-{number}": {"word": "slip"}})
    found = look(shop)
    assert person_of(found, odd).warnings == (
        "agrees less than the others: 0.00, where 0.56 is usual",
    )


def test_a_person_with_too_few_items_gets_a_warning(database: Database) -> None:
    shop = Workshop(database, 6, least=5)
    ann = shop.person()
    shop.work(ann, most=4)
    assert "fewer than 5 items so far" in person_of(look(shop), ann).warnings[0]
    shop.work(ann)
    assert person_of(look(shop), ann).warnings == ()


def test_a_wage_below_the_lowest_gets_a_warning(database: Database) -> None:
    shop = Workshop(database, 2, pay=Pay(item=0.1, least_hourly=12))
    ann = shop.person()
    shop.work(ann, seconds=60)
    assert person_of(look(shop), ann).warnings == ("earns 6.00 USD an hour, less than 12.00",)


def test_names_and_panel_ids_are_left_out_on_request(database: Database) -> None:
    shop = Workshop(database, 1, pay=Pay(item=1))
    shop.work(shop.person("Ann", "panel-7"))
    found = look(shop)
    assert (found.people[0].name, found.people[0].external) == ("Ann", "panel-7")
    hidden = anonymize(found)
    assert (hidden.people[0].name, hidden.people[0].external) == ("", None)
    assert hidden.payroll is not None
    assert (hidden.payroll.people[0].name, hidden.payroll.people[0].external) == ("", None)


def test_an_empty_campaign_has_no_monitoring_data(database: Database) -> None:
    found = look(Workshop(database, 0))
    assert (found.people, found.median_seconds) == ((), None)
    assert found.agreement.measures == ()


def test_a_quick_status_is_the_whole_one_without_the_people(database: Database) -> None:
    shop = Workshop(database, 3, stages=(CampaignStage("school"), CampaignStage("production")))
    shop.add(1, "lesson", gold=RIGHT, stage=0)
    shop.work(shop.person(), most=3)
    with database.reading() as connection:
        whole = progress.read_status(connection, shop.campaign)
        quick = progress.read_status(connection, shop.campaign, people=False)
        states = progress.count_states(connection, shop.campaign)
    assert (quick.done, quick.wanted, quick.stages) == (2, 9, whole.stages)
    assert (quick.annotators, states) == ((), {"active": 1})
    assert (whole.annotators[0].done, whole.annotators[0].median_seconds) == (3, 10.0)


@given(st.dictionaries(st.text(min_size=1), st.floats(-1e6, 1e6), min_size=3))
def test_a_robust_z_grows_with_the_value(values: dict[str, float]) -> None:
    found = robust_z(values)
    order = sorted(values, key=values.__getitem__)
    assert all(found[one] <= found[other] for one, other in pairwise(order))


def test_two_people_have_no_outliers() -> None:
    assert robust_z({"ann": 1.0, "ben": 9.0}) == {}


def test_a_robust_z_is_that_of_the_median_absolute_deviation() -> None:
    values = {str(number): float(number) for number in (1, 2, 3, 4, 100)}
    assert robust_z(values)["100"] == pytest.approx(0.6745 * 97 / 1)
