"""The papers' own recipe (Appendix D.1): 32 parameters, Adam, 50 epochs, the best one kept.

"The model has 32 parameters, and we use Adam optimizer, a learning rate of 3e-3 and the cross
entropy loss. We ran the experiment for 50 epochs [...] and we kept the model's parameters of the
epoch maximizing the average precision of the validation set." As in the original code, a step is
taken for each instance, in order. That code takes a softmax twice, once before and once inside the
cross entropy; where less than half of the candidates that look right are right, as in most news,
nothing is then learned but to call all of them wrong, so here it is taken once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tatian.aggregation.models.logistic.coefficients import Coefficients, Numbers
from tatian.progress import Progress, silent

EPOCHS = 50
RATE = 3e-3
_FIRST, _SECOND, _TINY = 0.9, 0.999, 1e-8
"""Adam's usual decay of the moments, and what keeps it from dividing by zero."""

Judge = Callable[[Coefficients], float]
"""The mean average precision of coefficients on the validation set."""


def fit(
    instances: Sequence[tuple[Numbers, Numbers]],
    names: tuple[str, ...],
    judge: Judge,
    *,
    seed: int = 0,
    progress: Progress = silent,
) -> Coefficients:
    """The coefficients of the best epoch; `instances` are rows of features with their labels."""
    width = len(names)
    generator = np.random.default_rng(seed)
    reach = 1 / np.sqrt(width)
    parameters = generator.uniform(-reach, reach, size=(width + 1, 2))
    optimizer = _Adam(parameters.shape)
    rows = np.concatenate([features for features, _ in instances])
    batches = [
        (np.column_stack([features, np.ones(len(features))]), _classes(labels))
        for features, labels in instances
    ]
    best, best_value = _difference(parameters, names, rows), -np.inf
    for epoch in range(EPOCHS):
        progress("epochs", epoch, EPOCHS)
        for design, classes in batches:
            parameters = parameters - optimizer.step(gradient(parameters, design, classes))
        found = _difference(parameters, names, rows)
        value = judge(found)
        if value > best_value:
            best, best_value = found, value
    progress("epochs", EPOCHS, EPOCHS)
    return best


def loss(parameters: Numbers, design: Numbers, classes: Numbers) -> float:
    """The mean cross entropy of one instance's candidates."""
    return float(-np.mean(np.log(np.sum(_softmax(design @ parameters) * classes, axis=1))))


def gradient(parameters: Numbers, design: Numbers, classes: Numbers) -> Numbers:
    """How the loss changes with each parameter."""
    slopes: Numbers = design.T @ (_softmax(design @ parameters) - classes) / len(design)
    return slopes


def _softmax(values: Numbers) -> Numbers:
    powers = np.exp(values - values.max(axis=1, keepdims=True))
    shares: Numbers = powers / powers.sum(axis=1, keepdims=True)
    return shares


def _classes(labels: Numbers) -> Numbers:
    return np.column_stack([1 - labels, labels])


def _difference(parameters: Numbers, names: tuple[str, ...], rows: Numbers) -> Coefficients:
    """Of two classes, what speaks for the second over the first."""
    odds = parameters[:, 1] - parameters[:, 0]
    return Coefficients.of(float(odds[-1]), odds[:-1], names, rows)


class _Adam:
    """Kingma and Ba (2015)."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._mean = np.zeros(shape)
        self._square = np.zeros(shape)
        self._steps = 0

    def step(self, slopes: Numbers) -> Numbers:
        self._steps += 1
        self._mean = _FIRST * self._mean + (1 - _FIRST) * slopes
        self._square = _SECOND * self._square + (1 - _SECOND) * slopes**2
        mean = self._mean / (1 - _FIRST**self._steps)
        square = self._square / (1 - _SECOND**self._steps)
        change: Numbers = RATE * mean / (np.sqrt(square) + _TINY)
        return change
