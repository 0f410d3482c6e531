"""Conflicts in sentences that share few words, and figures that are none."""

from __future__ import annotations

import pytest

import tatian
from tatian.analysis.installed import unavailable
from tatian.consolidation.weave import compare_sources
from tatian.text import Document

pytestmark = pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")


@pytest.fixture(scope="module")
def pipeline() -> tatian.Pipeline:
    return tatian.Pipeline.for_text()


def find_conflicting(pipeline: tatian.Pipeline, *texts: str) -> list[set[str]]:
    """Return the figures of each conflict between some sources."""
    documents = [pipeline.process(Document(f"{n}", text)) for n, text in enumerate(texts)]
    conflicts = compare_sources(documents).conflicts
    return [{claim.claim.stated for claim in conflict.claims} for conflict in conflicts]


@pytest.mark.parametrize(
    ("first", "second", "figures"),
    [
        (
            "Thieves broke into the depot in Orme. They took £614,300 in cash.",
            "The haul from the depot in Orme came to £641,300, police said.",
            {"£614,300", "£641,300"},
        ),
        (
            "The new hall will cost 64.5 million crowns.",
            "The council approved a bill of 65.4 million crowns for the hall.",
            {"64.5 million crowns", "65.4 million crowns"},
        ),
        (
            "The ferry Maud was built in 1998. It ran aground off Orme.",
            "The Maud, launched in 1989, ran aground off Orme.",
            {"1998", "1989"},
        ),
        (
            "The crash happened at 7.42 a.m. at the Mill Street crossing.",
            "It was 7.24am when the tram caught the truck on the Mill Street crossing.",
            {"7.42 a.m.", "7.24am"},
        ),
    ],
)
def test_transposed_figures_are_a_conflict(
    pipeline: tatian.Pipeline, first: str, second: str, figures: set[str]
) -> None:
    assert find_conflicting(pipeline, first, second) == [figures]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("They finished more than 1 percentage point apart.", "They finished 1 percent apart."),
        (
            "The hall seats 310 people. The gallery seats 301.",
            "The hall seats 310 people. The gallery has 301 seats.",
        ),
        (
            "The clinic treated 46 campers. The youngest was 46 days old.",
            "Rescuers flew 64 parcels to the village.",
        ),
    ],
)
def test_what_may_both_be_right_is_no_conflict(
    pipeline: tatian.Pipeline, first: str, second: str
) -> None:
    assert find_conflicting(pipeline, first, second) == []
