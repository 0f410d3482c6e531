"""Scores with their uncertainty, tests between systems, agreement between people, result tables.

This package imports numpy: code that must start fast imports it inside a function.
"""

from tatian.statistics.agreement import cohen_kappa, krippendorff_alpha
from tatian.statistics.cells import Cell, Column, Marked
from tatian.statistics.correction import Correction, corrected
from tatian.statistics.correlation import Correlation, kendall_tau
from tatian.statistics.labelers import AverageKappa, PairKappa, average_pairwise_kappa
from tatian.statistics.paired import Comparison, approximate_randomization, paired_bootstrap
from tatian.statistics.resampling import Aggregate, mean, micro_f1
from tatian.statistics.score import Interval, Score
from tatian.statistics.signature import Signature, fingerprint
from tatian.statistics.tables import Table

__all__ = [
    "Aggregate",
    "AverageKappa",
    "Cell",
    "Column",
    "Comparison",
    "Correction",
    "Correlation",
    "Interval",
    "Marked",
    "PairKappa",
    "Score",
    "Signature",
    "Table",
    "approximate_randomization",
    "average_pairwise_kappa",
    "cohen_kappa",
    "corrected",
    "fingerprint",
    "kendall_tau",
    "krippendorff_alpha",
    "mean",
    "micro_f1",
    "paired_bootstrap",
]
