"""Days, spans of time and counts that accounts give otherwise, in other words around them."""

from __future__ import annotations

import pytest

import tatian
from tatian.analysis.installed import unavailable
from tatian.text import Document, Metadata

pytestmark = pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")

FALL = "The Corvin bridge collapsed {} after a lorry struck a pillar, the mayor said on Wednesday."
AGAIN = "The bridge at Corvin collapsed on {} when a lorry hit a pillar."
WEDNESDAY, FRIDAY, YEAR_AFTER = "2023-05-10", "2023-05-12", "2024-05-12"


@pytest.fixture(scope="module")
def pipeline() -> tatian.Pipeline:
    return tatian.Pipeline()


def woven(pipeline: tatian.Pipeline, *told: tuple[str, str | None]) -> tatian.Consolidation:
    """What is woven of accounts of some days."""
    accounts = [
        Document(f"a{number}", text, Metadata(date=day)) for number, (text, day) in enumerate(told)
    ]
    return tatian.consolidate(accounts, pipeline=pipeline)


def disputed(pipeline: tatian.Pipeline, *told: tuple[str, str | None]) -> list[set[str]]:
    """What accounts of some days claim against each other."""
    found = woven(pipeline, *told).contradictions
    return [{claim.text for claim in one.claims} for one in found]


class TestDays:
    @pytest.mark.parametrize("said", ["yesterday", "on Tuesday", "on Tuesday night"])
    def test_a_day_by_the_accounts_own_is_held_against_a_date(
        self, pipeline: tatian.Pipeline, said: str
    ) -> None:
        told = (FALL.format(said), WEDNESDAY), (AGAIN.format("May 10"), FRIDAY)
        assert disputed(pipeline, *told) == [{said.split()[:2][-1], "May 10"}]

    def test_it_is_noted_as_a_date(self, pipeline: tatian.Pipeline) -> None:
        early, late = FALL.format("yesterday"), AGAIN.format("May 10")
        text = woven(pipeline, (early, WEDNESDAY), (late, FRIDAY)).text
        assert "on Tuesday (May 10 by another account)" in text
        late += " Police closed the road."
        text = woven(pipeline, ("Nobody was hurt. " + early, WEDNESDAY), (late, FRIDAY)).text
        assert "on May 10 (May 9 by another account)" in text

    @pytest.mark.parametrize(
        ("said", "date", "first", "second"),
        [
            ("yesterday", "May 9", WEDNESDAY, FRIDAY),
            ("yesterday", "May 10", None, FRIDAY),
            ("yesterday", "May 10", WEDNESDAY, None),
            ("yesterday", "May 10", WEDNESDAY, YEAR_AFTER),
            ("last Tuesday", "May 10", WEDNESDAY, FRIDAY),
            ("yesterday", "June 10", WEDNESDAY, "2023-06-12"),
        ],
    )
    def test_not_where_it_may_be_the_same_day_or_no_day_is_known(
        self,
        pipeline: tatian.Pipeline,
        said: str,
        date: str,
        first: str | None,
        second: str | None,
    ) -> None:
        told = (FALL.format(said), first), (AGAIN.format(date), second)
        assert disputed(pipeline, *told) == []

    def test_not_of_another_act(self, pipeline: tatian.Pipeline) -> None:
        opened = "The bridge at Corvin was opened on May 10 by a lorry driver's widow."
        told = (FALL.format("yesterday"), WEDNESDAY), (opened, FRIDAY)
        assert disputed(pipeline, *told) == []


class TestSpans:
    @pytest.mark.parametrize(
        ("one", "other", "claimed"),
        [
            (
                "The alarm rang, but the first patrol car arrived at the museum 12 minutes later.",
                "The first officers reached the museum 13 minutes after the alarm.",
                [{"12 minutes", "13 minutes"}],
            ),
            (
                "Police reached the bank within five minutes.",
                "It took officers fifteen minutes to arrive at the bank.",
                [{"five minutes", "fifteen minutes"}],
            ),
            (
                "Police reached the bank within fifteen minutes.",
                "It took officers five minutes to arrive at the bank.",
                [],
            ),
            (
                "Police reached the bank five minutes ago.",
                "Officers reached the bank seven minutes after the alarm.",
                [],
            ),
        ],
    )
    def test_in_other_words(
        self, pipeline: tatian.Pipeline, one: str, other: str, claimed: list[set[str]]
    ) -> None:
        assert disputed(pipeline, (one, None), (other, None)) == claimed


def test_shares_that_fall_and_are_lost_are_of_several(pipeline: tatian.Pipeline) -> None:
    one = (
        "Orme Mills put off its new loom by five months, for want of spindles, and its shares fell "
        "11 percent."
    )
    other = (
        "The spindle maker's shares have lost 17 percent since the launch was moved from November "
        "to April."
    )
    assert disputed(pipeline, (one, None), (other, None)) == []


class TestCountsThatGrow:
    TWELVE = "Twelve people were injured in the Corvin fire, police said."
    FIFTEEN = "Fifteen people were injured in the fire at Corvin."

    def test_only_the_later_account_may_count_more(self, pipeline: tatian.Pipeline) -> None:
        day, after = WEDNESDAY, "2023-05-11"
        claimed = [{"Twelve", "Fifteen"}]
        assert disputed(pipeline, (self.TWELVE, day), (self.FIFTEEN, after)) == []
        assert disputed(pipeline, (self.TWELVE, after), (self.FIFTEEN, day)) == claimed
        assert disputed(pipeline, (self.TWELVE, day), (self.FIFTEEN, day)) == claimed

    @pytest.mark.parametrize(
        "said",
        [
            "Fifteen people have been injured so far in the fire at Corvin.",
            "The number of injured in the fire at Corvin has risen to fifteen people.",
        ],
    )
    def test_a_word_says_that_it_grows(self, pipeline: tatian.Pipeline, said: str) -> None:
        assert disputed(pipeline, (self.TWELVE, WEDNESDAY), (said, WEDNESDAY)) == []
