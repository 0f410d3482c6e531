"""GAP: the figures of the task's own scorer."""

from __future__ import annotations

import pytest

from tatian.scoring.gap import GapScores, make_example

EXAMPLES = (
    make_example("t-1", "he", (True, False), (True, False)),
    make_example("t-2", "Her", (False, True), (True, False)),
    make_example("t-3", "his", (False, False), (False, True)),
    make_example("t-4", "she", (True, False), (True, False)),
)


def test_both_names_of_an_example_are_scored() -> None:
    found = GapScores(EXAMPLES)
    assert found.counts() == (2, 2, 1, 3)
    assert found.rates() == pytest.approx((2 / 3, 1 / 2, 4 / 7))
    assert found.accuracy() == 5 / 8
    assert found.rates("masculine") == pytest.approx((1, 1 / 2, 2 / 3))
    assert found.rates("feminine") == pytest.approx((1 / 2, 1 / 2, 1 / 2))
    assert found.bias == pytest.approx(3 / 4)


def test_there_is_no_bias_without_both_genders() -> None:
    assert GapScores(EXAMPLES[:1]).bias is None


def test_the_score_is_the_overall_f1_with_an_error() -> None:
    found = GapScores(EXAMPLES)
    assert found.score().value == pytest.approx(found.rates().f1)
    assert found.score().standard_error > 0
