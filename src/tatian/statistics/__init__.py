"""Scores with their uncertainty, tests between systems, agreement between people, result tables.

This package imports numpy: code that must start fast imports it inside a function.
"""

from tatian.statistics.agreement import (
    AverageKappa,
    PairKappa,
    average_pairwise_kappa,
    cohen_kappa,
    krippendorff_alpha,
)
from tatian.statistics.cells import Cell, Column, Marked
from tatian.statistics.correlation import Correlation, kendall_tau
from tatian.statistics.paired import (
    Comparison,
    Correction,
    approximate_randomization,
    corrected,
    paired_bootstrap,
)
from tatian.statistics.resampling import Aggregate, mean, micro_f1
from tatian.statistics.score import Interval, Score, Signature, fingerprint
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
