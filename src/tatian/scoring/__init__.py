"""Metrics that need texts alone, one per file, and their shared parts.

This package loads without numpy: scores import it when errors or tests are asked for.
"""

from tatian.scoring.comparison import compare, compare_all
from tatian.scoring.metric import Metric, ratios
from tatian.scoring.scores import Scores

__all__ = ["Metric", "Scores", "compare", "compare_all", "ratios"]
