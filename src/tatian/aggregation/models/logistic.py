"""TESA's logistic regression (§5.2), learned as in Appendix D.1.

"The model has 32 parameters, and we use Adam optimizer, a learning rate of 3e-3 and the cross
entropy loss. We ran the experiment for 50 epochs [...] and we kept the model's parameters of the
epoch maximizing the average precision of the validation set." As in the original code, a step is
taken for each instance, in order. That code takes a softmax twice, once before and once inside the
cross entropy; where less than half of the candidates that look right are right, as in most news,
nothing is then learned but to call all of them wrong, so here it is taken once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random

import msgspec
import numpy as np
import numpy.typing as npt

from tatian.aggregation.data.records import Instance
from tatian.aggregation.models import Ranking, candidates_of, ordered
from tatian.aggregation.models.frequency import Frequencies
from tatian.aggregation.models.logistic_features import FEATURES, Candidate, Words
from tatian.errors import AssetError, EmptyInput, InputError
from tatian.progress import Progress, silent
from tatian.scoring.average_precision import average_precision
from tatian.scoring.ties import blocks

Numbers = npt.NDArray[np.float64]

SHIPPED = Path(__file__).parents[1] / "weights" / "logistic.json"
EPOCHS = 50
RATE = 3e-3
_FIRST, _SECOND, _TINY = 0.9, 0.999, 1e-8
"""Adam's usual decay of the moments, and what keeps it from dividing by zero."""
_HELD_OUT = 5
"""Without a validation set, every fifth instance serves as one."""


class LogisticRanker:
    """TESA's logistic regression with 15 features; trained on `training`, or as it is shipped.

    The shipped one was trained without `counting` phrases, which would have to be shipped too.
    """

    licence = "coefficients learned from news excerpts for research"
    reads_background = True

    def __init__(
        self,
        training: Iterable[Instance] = (),
        *,
        validation: Sequence[Instance] = (),
        counting: bool = True,
        seed: int = 0,
        progress: Progress = silent,
    ) -> None:
        self._words = Words()
        known = list(training)
        if validation and not known:
            raise InputError("a validation set without a training set: give one with --train")
        self._frequencies = Frequencies.of(known if counting else ())
        self.odds = self._train(known, validation, seed, progress) if known else shipped()
        """What each feature adds to the logarithm of the odds, by its name, and the bias."""

    def rank(self, instance: Instance) -> Ranking:
        """All candidates with their probabilities."""
        candidates = candidates_of(instance)
        rows = self._rows(instance, candidates, self._frequencies)
        return ordered(candidates, _sigmoid(rows @ np.array(list(self.odds.values()))).tolist())

    def _rows(
        self, instance: Instance, candidates: Sequence[str], frequencies: Frequencies
    ) -> Numbers:
        """A row of all features, and a one for the bias, for each candidate."""
        texts = self._words.texts(instance)
        found = [
            Candidate(self._words.phrase(one), frequencies.count(instance.type, one))
            for one in candidates
        ]
        return np.array(
            [[*(value(one, texts) for value in FEATURES.values()), 1.0] for one in found]
        )

    def _train(
        self,
        known: Sequence[Instance],
        validation: Sequence[Instance],
        seed: int,
        progress: Progress,
    ) -> dict[str, float]:
        training = [one for one in known if one.candidates and one.aggregations]
        if not training:
            raise EmptyInput("no training instance has both candidates and gold phrases")
        Random(seed).shuffle(training)
        if not validation:
            validation = training[::_HELD_OUT]
            rest = [one for index, one in enumerate(training) if index % _HELD_OUT]
            training = rest or list(validation)
        counted = Frequencies.of(training) if self._frequencies.counts else self._frequencies
        read = []
        for done, one in enumerate(training):
            progress("features", done, len(training))
            read.append((self._rows(one, one.candidates, counted), _classes(one)))
        judged = [
            (one, self._rows(one, one.candidates, counted))
            for one in validation
            if one.candidates and one.aggregations
        ]
        found = fit(read, lambda odds: _average_precision(odds, judged), seed, progress)
        return dict(zip((*FEATURES, "bias"), found.tolist(), strict=True))


def shipped() -> dict[str, float]:
    """The coefficients that come with the package."""
    try:
        found = msgspec.json.decode(SHIPPED.read_bytes(), type=dict[str, float])
        return {name: found[name] for name in (*FEATURES, "bias")}
    except (OSError, KeyError, msgspec.DecodeError) as error:
        raise AssetError(f"{SHIPPED} cannot be read ({error}): reinstall tatian") from error


def fit(
    instances: Sequence[tuple[Numbers, Numbers]],
    judge: Callable[[Numbers], float],
    seed: int = 0,
    progress: Progress = silent,
) -> Numbers:
    """The odds of the best epoch; `instances` are rows of features with their two classes."""
    width = instances[0][0].shape[1] - 1
    reach = 1 / np.sqrt(width)
    parameters = np.random.default_rng(seed).uniform(-reach, reach, size=(width + 1, 2))
    mean, square, steps = np.zeros(parameters.shape), np.zeros(parameters.shape), 0
    best, best_value = parameters[:, 1] - parameters[:, 0], -np.inf
    for epoch in range(EPOCHS):
        progress("epochs", epoch, EPOCHS)
        for rows, classes in instances:
            slopes = gradient(parameters, rows, classes)
            steps += 1
            mean = _FIRST * mean + (1 - _FIRST) * slopes
            square = _SECOND * square + (1 - _SECOND) * slopes**2
            level = np.sqrt(square / (1 - _SECOND**steps)) + _TINY
            parameters = parameters - RATE * (mean / (1 - _FIRST**steps)) / level
        odds = parameters[:, 1] - parameters[:, 0]
        value = judge(odds)
        if value > best_value:
            best, best_value = odds, value
    progress("epochs", EPOCHS, EPOCHS)
    return best


def gradient(parameters: Numbers, rows: Numbers, classes: Numbers) -> Numbers:
    """How the mean cross entropy of one instance's candidates changes with each parameter."""
    slopes: Numbers = rows.T @ (_softmax(rows @ parameters) - classes) / len(rows)
    return slopes


def _softmax(values: Numbers) -> Numbers:
    powers = np.exp(values - values.max(axis=1, keepdims=True))
    shares: Numbers = powers / powers.sum(axis=1, keepdims=True)
    return shares


def _sigmoid(values: Numbers) -> Numbers:
    """Probabilities from the logarithms of odds; small ones stay apart, none overflows."""
    powers = np.exp(-np.abs(values))
    return np.where(values < 0, powers, 1.0) / (1.0 + powers)


def _classes(instance: Instance) -> Numbers:
    gold = frozenset(instance.aggregations)
    labels = np.array([float(one in gold) for one in instance.candidates])
    return np.column_stack([1 - labels, labels])


def _average_precision(odds: Numbers, judged: Sequence[tuple[Instance, Numbers]]) -> float:
    """The mean over instances; 0 if there are none."""
    values = []
    for instance, rows in judged:
        ranking = ordered(instance.candidates, _sigmoid(rows @ odds).tolist())
        values.append(average_precision(blocks(ranking, frozenset(instance.aggregations))))
    return sum(values) / len(values) if values else 0.0
