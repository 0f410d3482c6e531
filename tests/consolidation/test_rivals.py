"""Claims of two sources that look like rivals but are about different things."""

from __future__ import annotations

from datetime import date

import pytest

import tatian
from tatian.analysis.coverage import MARK, around_mark
from tatian.analysis.installed import unavailable

from .test_conflicts import Found

pytestmark = pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")


@pytest.fixture(scope="module")
def pipeline() -> tatian.Pipeline:
    return tatian.Pipeline()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "None of the nine ferry lines was running at 7 a.m., the operator said.",
            "By kick-off at half past three, six of the nine ferry lines were running.",
        ),
        (
            "The van was seen by the shop in Cooper Street a little after 6 p.m. on Thursday.",
            "The van was seen by the shop in Cooper Street at 6pm on Thursday.",
        ),
        (
            "The boy had been missing in the hills of Orme for two days when the search began.",
            "The boy had been missing in the hills of Orme for almost 48 hours.",
        ),
        (
            "A ferry carrying 38 passengers broke loose on the river at Orme.",
            "A ferry carrying 40 people broke loose on the river at Orme.",
        ),
        (
            "A trawler with six men on board was missing off Velm.",
            "Two men of the trawler are missing off Velm.",
        ),
        (
            "One worker was killed in the accident at the rink in Orme.",
            "Three workers were killed in an accident at a rink in Orme in 1971.",
        ),
        (
            "Some 32 dampers are to be hung beneath the bridge.",
            "Some 36 dampers hang beneath the bridge.",
        ),
        ("Seven people are missing in Orme.", "Five people are still missing in Orme."),
        (
            "The actress checked into the Orme centre in May.",
            "The actress checked out of the Orme centre on June 13.",
        ),
        ("She begins on 3 July.", "Deliveries begin in September."),
        ("A man of 78 died of the fever in Orme.", "A woman of 56 died of the fever in Orme."),
    ],
)
def test_claims_about_different_things_are_no_conflict(
    pipeline: tatian.Pipeline, first: str, second: str
) -> None:
    days = date(2023, 5, 11), date(2023, 5, 11)
    assert Found(pipeline, first, second, days=days).values == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Turnout in Orme was 57 percent.", "Turnout in Orme was 59 percent."),
        (
            "Five of them were in critical condition.",
            "Three of them remained in critical condition.",
        ),
        (
            "A petition against the plan has gathered 21,000 signatures.",
            "A petition against the plan has 34,000 signatures.",
        ),
    ],
)
def test_what_changes_from_day_to_day_is_no_conflict(
    pipeline: tatian.Pipeline, first: str, second: str
) -> None:
    found = Found(pipeline, first, second, days=(date(2023, 5, 11), date(2023, 5, 13)))
    assert [conflict.relation for conflict in found.conflicts] in ([], ["superseded"])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "A ferry carrying 86 people collided with a barge, killing at least four.",
            "Police said after a look at the tickets that there were 88 people aboard.",
        ),
        (
            "Sable, which weighs 1.8 tons and was built by the Southern Space Agency, is fine.",
            "At 2.1 tons it is the heaviest that the Southern Space Agency has sent into space.",
        ),
        (
            "The rocket lifted off at 7:42 p.m. into a clear sky.",
            "Sable was launched at 7:44 p.m. after a faulty valve had kept it on the ground.",
        ),
    ],
)
def test_sole_figures_on_one_topic_conflict(
    pipeline: tatian.Pipeline, first: str, second: str
) -> None:
    days = date(2023, 5, 11), date(2023, 5, 13)
    assert len(Found(pipeline, first, second, days=days).values) == 1


@pytest.mark.parametrize(
    "second",
    [
        "The rocket was launched at 7:44 p.m. and exploded at 7:45 p.m. over the sea.",
        "The rocket was launched at 7:44 p.m. The rocket exploded at 7:51 p.m. over the sea.",
        "The rocket was launched at 11:44 p.m. after a faulty valve had kept it on the ground.",
    ],
)
def test_figures_that_are_not_sole_or_near_do_not_conflict(
    pipeline: tatian.Pipeline, second: str
) -> None:
    assert Found(pipeline, "Crowds saw Sable go: it lifted off at 7:42 p.m.", second).values == []


def test_people_who_grew_older_are_no_conflict(pipeline: tatian.Pipeline) -> None:
    first = "John Miller, 45, of Leeds, ran the shop with his wife."
    found = Found(
        pipeline, first, first.replace("45", "47"), days=(date(2019, 1, 5), date(2021, 2, 5))
    )
    assert found.values == []


def test_a_figure_far_back_in_a_long_sentence_is_compared() -> None:
    names = ", ".join(f"the village of Orme {number}" for number in range(60))
    far = f"The ministry said that {names} reported damage and that § people were killed."
    assert MARK in around_mark(far)[:400]


def test_long_lists_of_figures_are_not_compared(pipeline: tatian.Pipeline) -> None:
    counts = ", ".join(f"{number} crates" for number in range(1000, 1090, 3))
    other = counts.replace("10", "20")
    found = Found(pipeline, f"The depot sold {counts}.", f"The depot sold {other}.")
    assert found.values == []
