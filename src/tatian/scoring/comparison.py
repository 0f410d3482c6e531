"""Whether one system is better than another, or the best than the others, or was lucky."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from tatian.scoring.scores import Average, Scores

if TYPE_CHECKING:
    from tatian.statistics import Comparison, Score

Test = Literal["bootstrap", "randomization"]
TESTS: tuple[Test, ...] = get_args(Test)


def compare(
    first: Scores,
    second: Scores,
    metric: str,
    *,
    average: Average = "micro",
    test: Test = "randomization",
) -> Comparison:
    """Whether the first system is better than the second on the same items, by one metric."""
    return _decide(first.score(metric, average), second.score(metric, average), test)


def compare_all(
    first: Scores,
    second: Scores,
    *,
    average: Average = "micro",
    test: Test = "randomization",
) -> list[Comparison]:
    """The same by every metric that both have."""
    return [
        compare(first, second, metric, average=average, test=test)
        for metric in first.metrics
        if metric in second.metrics
    ]


def _decide(first: Score, second: Score, test: Test) -> Comparison:
    from tatian.statistics import approximate_randomization, paired_bootstrap

    return (paired_bootstrap if test == "bootstrap" else approximate_randomization)(first, second)
