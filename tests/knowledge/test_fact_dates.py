"""When facts hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.knowledge.entities import Fact, holds, preferred_facts


@pytest.mark.parametrize(
    ("since", "until", "at", "expected"),
    [
        ("2005", "2021", "2010-05-05", True),
        ("2005-11-22", "2021-12-08", "2005", True),
        ("2005-11-22", "", "2005-11-21", False),
        ("", "2021", "2021-12-31", True),
        ("", "2021-12-08", "2021-12-09", False),
        ("-0044", "0014", "-0030", True),
        ("", "", "1999", True),
        ("long ago", "", "1999", True),
    ],
)
def test_a_fact_holds_between_its_bounds(since: str, until: str, at: str, expected: bool) -> None:
    assert holds(Fact("position", "x", since, until), at) is expected


YEARS = st.integers(1, 30).map(lambda year: f"{year:04}")
FACTS = st.builds(Fact, st.sampled_from("ab"), st.text(max_size=2), YEARS, YEARS)


@given(st.lists(FACTS), YEARS)
def test_current_facts_replace_past_ones_of_their_relation(facts: list[Fact], at: str) -> None:
    kept = preferred_facts(facts, at)
    assert {fact.relation for fact in kept} == {fact.relation for fact in facts}
    for relation in "ab":
        states = {holds(fact, at) for fact in kept if fact.relation == relation}
        assert len(states) <= 1
    assert {fact for fact in facts if holds(fact, at)} <= set(kept)
