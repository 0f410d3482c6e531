"""Figures of one thing, and of two."""

from __future__ import annotations

import pytest

from tatian.analysis.installed import unavailable

from .claim_pairs import related

pytestmark = pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")


def test_soldiers_and_rebels_are_counted_apart() -> None:
    first = "The army said it had killed 15 rebels at Bondo and lost two soldiers."
    second = "The rebels said they had killed 20 soldiers at Bondo."
    assert "exclude" not in [relation for _, relation, _ in related(first, second)]


def test_one_age_of_two_people_is_two_things() -> None:
    found = related(
        "Elsa Thorvald, 16, was swimming with friends in the reservoir on Sunday.",
        "Magnus Thorvald, 16, a cousin, jumped into the reservoir on Sunday to help.",
    )
    assert not [relation for text, relation, _ in found if "16" in text]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "The hospital in Varna treated 35 people for smoke inhalation after the fire.",
            "A hospital in Dobrich treated 35 people who had breathed smoke from the fire.",
        ),
        (
            "The northern tunnel of the new road will be 4 miles long and opens in May.",
            "The southern tunnel of the new road will be 4 miles long and opens in June.",
        ),
    ],
)
def test_one_figure_of_two_things_is_not_equal(first: str, second: str) -> None:
    assert all(relation != "equal" for _, relation, _ in related(first, second))


def test_figures_far_apart_need_more_evidence_than_close_ones() -> None:
    first = "The mine at Corda lies 620 meters below the surface, where men are trapped."
    near = related(first, "The trapped men are in the Corda mine, 480 meters below the surface.")
    far = related(
        first, "Rescuers at the Corda mine have drilled 90 meters toward the trapped men."
    )
    assert near == [("620 meters", "exclude", "480 meters")]
    assert far == []
