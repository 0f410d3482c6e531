"""Groups of things by the log-odds of pairs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tatian.coreference.constraints import Clusters, Traits
from tatian.pipeline.chains import MAX_CANDIDATES, NEVER, candidates, clusters

SCORES = st.dictionaries(
    st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda pair: pair[0] < pair[1]),
    st.floats(-5, 5),
)


def test_items_with_a_common_key_are_compared() -> None:
    assert candidates([["a"], ["b"], ["a", "b"], []]) == [(0, 2), (1, 2)]


def test_shared_key_takes_linear_time() -> None:
    assert len(candidates([["said"]] * 1000)) <= 1000 * MAX_CANDIDATES


def test_likely_pairs_are_grouped() -> None:
    assert clusters(4, {(0, 2): 1.0, (2, 3): 1.0, (0, 3): -0.5}) == [[0, 2, 3], [1]]


def test_pairs_below_the_threshold_are_not_grouped() -> None:
    assert clusters(2, {(0, 1): 0.5}, least=0.6) == [[0], [1]]


def test_two_groups_stay_apart_if_more_speaks_against_them_than_for_them() -> None:
    odds = {(0, 1): 3.0, (2, 3): 3.0, (1, 2): 1.0, (0, 2): -1.0, (0, 3): -1.0}
    assert clusters(4, odds) == [[0, 1], [2, 3]]


def test_excluded_pairs_are_not_joined_through_other_items() -> None:
    odds = {(0, 1): 9.0, (1, 2): 8.0, (0, 2): NEVER}
    assert clusters(3, odds) == [[0, 1], [2]]


@given(SCORES)
def test_groups_do_not_depend_on_the_order_of_pairs(
    odds: dict[tuple[int, int], float],
) -> None:
    found = clusters(8, odds)
    assert sorted(one for group in found for one in group) == list(range(8))
    assert clusters(8, dict(reversed(odds.items()))) == found


def test_chains_that_break_a_rule_are_not_joined_through_others() -> None:
    people = (
        Traits(kind="PER", name=("ann", "holt")),
        Traits(),
        Traits(kind="LOC", name=("oslo",)),
    )
    allowed = Clusters(lambda number: (people[number],))
    odds = {(0, 1): 2.0, (1, 2): 1.0}
    assert clusters(3, odds, allowed=allowed) == [[0, 1], [2]]
