"""Logistic regression by Newton's method, with a ridge, and areas under ROC curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
MAX_STEPS = 50


def logistic(rows: Any, labels: Any, ridge: float | Sequence[float], mass: Any = 1.0) -> Numbers:
    """Return the weight of each column of `rows`; `ridge` may be given for each column.

    `mass` is the weight of each row.
    """
    inputs, wanted = np.asarray(rows, dtype=float), np.asarray(labels, dtype=float)
    penalty = np.diag(np.broadcast_to(np.asarray(ridge, dtype=float), inputs.shape[1]))
    weights = np.zeros(inputs.shape[1])
    for _ in range(MAX_STEPS):
        chances = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        slope = inputs.T @ (mass * (chances - wanted)) + penalty @ weights
        curve = (inputs * (mass * chances * (1 - chances))[:, None]).T @ inputs + penalty
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def area_under_curve(scores: Any, labels: Any) -> float:
    """Return the probability that a positive scores above a negative; ties count half."""
    values, is_positive = np.asarray(scores, dtype=float), np.asarray(labels) > 0
    _, ranks, counts = np.unique(values, return_inverse=True, return_counts=True)
    middle_ranks = (np.cumsum(counts) - (counts - 1) / 2)[ranks]
    positives = int(is_positive.sum())
    wins = middle_ranks[is_positive].sum() - positives * (positives + 1) / 2
    return float(wins / (positives * (len(values) - positives)))
