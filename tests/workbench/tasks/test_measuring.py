"""Agreement over pairs of people, counted."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from tatian.workbench.tasks.agreement import mean_of_pairs, person_pairs, share_of_equal

UNITS = some.lists(some.dictionaries(some.sampled_from("abcdef"), some.integers(1, 3)))


@given(UNITS)
def test_the_share_of_equal_answers_is_the_mean_over_pairs(
    units: list[dict[str, int]],
) -> None:
    listed = (
        (one, other, float(unit[one] == unit[other]))
        for unit in units
        for one, other in person_pairs(unit)
    )
    assert share_of_equal("same", units, "pairs") == mean_of_pairs("same", listed, "pairs")
