"""Logistic regression solved at once: Newton's method, a ridge, features on one scale."""

from __future__ import annotations

import numpy as np

from tatian.aggregation.models.logistic.coefficients import Coefficients, Numbers, sigmoid

RIDGE = 1.0
"""How strongly weights of standardised features are drawn to zero."""
_BIAS_RIDGE = 1e-6
"""Enough to keep the bias finite where all rows are of one class."""
_STEPS = 100
_STILL = 1e-9


def fit(rows: Numbers, labels: Numbers, names: tuple[str, ...]) -> Coefficients:
    """The coefficients that make `labels` (1 right, 0 wrong) likeliest, for the features given."""
    mean, deviation = rows.mean(axis=0), rows.std(axis=0)
    varies = deviation > _STILL
    scale = np.where(varies, deviation, 1.0)
    design = np.column_stack([np.where(varies, (rows - mean) / scale, 0.0), np.ones(len(rows))])
    ridge = np.full(design.shape[1], RIDGE)
    ridge[-1] = _BIAS_RIDGE
    found = _newton(design, labels, ridge)
    weights = found[:-1] / scale
    return Coefficients.of(float(found[-1] - weights @ mean), weights, names, rows)


def _newton(design: Numbers, labels: Numbers, ridge: Numbers) -> Numbers:
    """Full steps, halved where one would make things worse."""
    found = np.zeros(design.shape[1])
    loss = _loss(design, labels, ridge, found)
    for _ in range(_STEPS):
        likely = sigmoid(design @ found)
        slope = design.T @ (likely - labels) + ridge * found
        curve = (design * (likely * (1 - likely))[:, None]).T @ design + np.diag(ridge)
        step = np.linalg.solve(curve, slope)
        while (after := _loss(design, labels, ridge, found - step)) > loss:
            step /= 2
            if np.abs(step).max() < _STILL:
                return found
        found, loss = found - step, after
        if np.abs(step).max() < _STILL:
            break
    return found


def _loss(design: Numbers, labels: Numbers, ridge: Numbers, found: Numbers) -> float:
    odds = design @ found
    return float(np.sum(np.logaddexp(0, odds) - labels * odds) + 0.5 * np.sum(ridge * found**2))
