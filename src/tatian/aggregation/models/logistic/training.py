"""From a training set to a model, by either recipe."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tatian.aggregation.data.records import Instance
from tatian.aggregation.metrics.precision import average_precision
from tatian.aggregation.metrics.scoring import fingerprint_of
from tatian.aggregation.metrics.ties import blocks
from tatian.aggregation.models.frequency import Frequencies
from tatian.aggregation.models.logistic import closed, softmax
from tatian.aggregation.models.logistic.coefficients import (
    Coefficients,
    Model,
    Numbers,
    Origin,
    Recipe,
)
from tatian.aggregation.models.logistic.extraction import Extractor
from tatian.aggregation.models.logistic.features import FEATURES, without
from tatian.aggregation.models.logistic.instances import Words
from tatian.aggregation.models.ordering import ordered
from tatian.errors import EmptyInput
from tatian.progress import Progress, silent

ENOUGH = 50
"""How many instances with background it takes to learn coefficients for them alone."""
_HELD_OUT = 5
"""Without a validation set, every fifth instance serves as one."""


class Settings(Struct, frozen=True):
    """How to learn."""

    recipe: Recipe = "fast"
    ablate: tuple[str, ...] = ()
    """Groups of features, or features, to leave out."""
    seed: int = 0


def train(
    training: Sequence[Instance],
    words: Words,
    settings: Settings,
    *,
    validation: Sequence[Instance] = (),
    progress: Progress = silent,
) -> Model:
    """A model of instances with candidates and gold; the same input gives the same model.

    The fast recipe counts phrases without the instance at hand, whose gold would otherwise always
    have been seen, and learns separate coefficients for instances with background information. The
    papers' recipe does neither.
    """
    usable = [one for one in training if one.candidates and one.aggregations]
    if not usable:
        raise EmptyInput("no training instance has both candidates and gold phrases")
    trainer = _Trainer(usable, words, settings, progress)
    known = sum(1 for one in usable for name in one.entities if one.background.get(name))
    origin = Origin(
        fingerprint_of(usable), len(usable), sum(len(i.entities) for i in usable), known
    )
    if settings.recipe == "paper":
        general, informed = trainer.as_published(validation), None
    else:
        general, informed = trainer.at_once()
    return Model(settings.recipe, words.vectors.name, origin, general, informed, words.lemmas)


class _Trainer:
    def __init__(
        self, instances: list[Instance], words: Words, settings: Settings, progress: Progress
    ) -> None:
        kept = without(settings.ablate)
        self._names = tuple(feature.name for feature in kept)
        self._columns = [index for index, one in enumerate(FEATURES) if one in kept]
        self._instances = instances
        self._words = words
        self._settings = settings
        self._progress = progress

    def at_once(self) -> tuple[Coefficients, Coefficients | None]:
        """Coefficients for all instances, and for those with background."""
        extractor = Extractor(self._words, Frequencies.of(self._instances))
        bare = [replace(one, background={}) for one in self._instances]
        general = self._solve(self._read(bare, extractor, leave_out=True))
        told = [one for one in self._instances if has_background(one)]
        if len(told) < ENOUGH:
            return general, None
        return general, self._solve(self._read(told, extractor, leave_out=True))

    def as_published(self, validation: Sequence[Instance]) -> Coefficients:
        """Coefficients by the papers' recipe, from the instances in an order drawn once."""
        training = list(self._instances)
        Random(self._settings.seed).shuffle(training)
        if not validation:
            training, validation = _parted(training)
        extractor = Extractor(self._words, Frequencies.of(training))
        judge = _Judge(validation, extractor)
        return softmax.fit(
            self._read(training, extractor, leave_out=False),
            self._names,
            judge.average_precision,
            seed=self._settings.seed,
            progress=self._progress,
        )

    def _read(
        self, instances: Sequence[Instance], extractor: Extractor, *, leave_out: bool
    ) -> list[tuple[Numbers, Numbers]]:
        found = []
        for done, one in enumerate(instances):
            self._progress("features", done, len(instances))
            rows = extractor.rows(one, one.candidates, but=one if leave_out else None)
            found.append((rows[:, self._columns], _labels(one)))
        self._progress("features", len(instances), len(instances))
        return found

    def _solve(self, read: list[tuple[Numbers, Numbers]]) -> Coefficients:
        rows, labels = zip(*read, strict=True)
        return closed.fit(np.concatenate(rows), np.concatenate(labels), self._names)


class _Judge:
    """Mean average precision on a validation set whose features are computed once."""

    def __init__(self, validation: Sequence[Instance], extractor: Extractor) -> None:
        usable = [one for one in validation if one.candidates and one.aggregations]
        self._read = [(one, extractor.rows(one, one.candidates)) for one in usable]

    def average_precision(self, found: Coefficients) -> float:
        """The mean over instances; 0 if there are none."""
        values = []
        for instance, rows in self._read:
            ranking = ordered(instance.candidates, found.probabilities(rows).tolist())
            values.append(average_precision(blocks(ranking, frozenset(instance.aggregations))))
        return sum(values) / len(values) if values else 0.0


def has_background(instance: Instance) -> bool:
    """Whether anything is known of any entity."""
    return any(text.strip() for text in instance.background.values())


def _labels(instance: Instance) -> Numbers:
    gold = frozenset(instance.aggregations)
    return np.array([float(one in gold) for one in instance.candidates])


def _parted(instances: list[Instance]) -> tuple[list[Instance], list[Instance]]:
    """Four fifths to learn from and one to choose the epoch by; one instance alone is both."""
    held = instances[::_HELD_OUT]
    rest = [one for index, one in enumerate(instances) if index % _HELD_OUT]
    return rest or held, held
