"""Scores with their uncertainty, tests between systems, agreement between people, result tables.

This package imports numpy: code that must start fast imports it inside a function.
"""

from tatian.statistics.agreement import (
    AverageKappa,
    Correlation,
    PairKappa,
    average_pairwise_kappa,
    cohen_kappa,
    kendall_tau,
    krippendorff_alpha,
)
from tatian.statistics.paired import (
    Comparison,
    approximate_randomization,
    correct_p_values,
    paired_bootstrap,
)
from tatian.statistics.score import (
    Aggregate,
    Interval,
    Score,
    Signature,
    fingerprint,
    mean,
    micro_f1,
)
from tatian.statistics.tables import Cell, Column, Marked, Table

__all__ = [
    "Aggregate",
    "AverageKappa",
    "Cell",
    "Column",
    "Comparison",
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
    "correct_p_values",
    "fingerprint",
    "kendall_tau",
    "krippendorff_alpha",
    "mean",
    "micro_f1",
    "paired_bootstrap",
]
