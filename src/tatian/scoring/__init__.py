"""Metrics that need texts alone, one per file, and their shared parts.

This package loads without numpy: scores import it when errors or tests are asked for.
"""

from tatian.scoring.comparison import TESTS, Test, compare, compare_all
from tatian.scoring.metric import METRICS, Counts, Metric, Rates, Task, choose_metrics, find, ratios
from tatian.scoring.scores import Average, Scores

__all__ = [
    "METRICS",
    "TESTS",
    "Average",
    "Counts",
    "Metric",
    "Rates",
    "Scores",
    "Task",
    "Test",
    "choose_metrics",
    "compare",
    "compare_all",
    "find",
    "ratios",
]
