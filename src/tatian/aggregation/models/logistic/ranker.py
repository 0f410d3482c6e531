"""Ranks candidates by the probability that a logistic regression gives them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tatian.aggregation.data.records import Instance
from tatian.aggregation.models import Ranking
from tatian.aggregation.models.frequency import Frequencies
from tatian.aggregation.models.logistic.coefficients import Recipe, shipped
from tatian.aggregation.models.logistic.extraction import Extractor
from tatian.aggregation.models.logistic.instances import Words
from tatian.aggregation.models.logistic.training import Settings, has_background, train
from tatian.aggregation.models.logistic.vectors import FileVectors
from tatian.aggregation.models.ordering import candidates_of, ordered
from tatian.errors import InputError
from tatian.progress import Progress, silent


class LogisticRanker:
    """TESA's logistic regression with 15 features; trained on `training`, or as it is shipped.

    `lemmas` says whether candidates are lemmatised as the texts are, so that "politicians" meets
    "politician"; by default they are, but not in the papers' recipe, as in the original code.
    """

    licence = "coefficients learned from news excerpts for research"
    reads_background = True

    def __init__(
        self,
        training: Iterable[Instance] = (),
        *,
        validation: Sequence[Instance] = (),
        recipe: Recipe = "fast",
        ablate: Sequence[str] = (),
        vectors: str | None = None,
        lemmas: bool | None = None,
        seed: int = 0,
        progress: Progress = silent,
    ) -> None:
        known = list(training)
        if not known:
            if validation or recipe != "fast" or ablate or vectors or lemmas is not None:
                raise InputError(
                    "the shipped coefficients fit the shipped features only: to choose a recipe, "
                    "features, vectors or lemmas, give a training set with --train"
                )
            self.model, words = shipped(), Words(lemmas=shipped().lemmas)
        else:
            reduced = recipe == "fast" if lemmas is None else lemmas
            words = Words(FileVectors(vectors) if vectors else None, lemmas=reduced)
            settings = Settings(recipe, tuple(ablate), seed)
            self.model = train(known, words, settings, validation=validation, progress=progress)
        self._extractor = Extractor(words, Frequencies.of(known))

    def rank(self, instance: Instance) -> Ranking:
        """All candidates with their probabilities."""
        candidates = candidates_of(instance)
        found = self.model.for_instance(background=has_background(instance))
        rows = self._extractor.rows(instance, candidates)
        return ordered(candidates, found.probabilities(rows).tolist())

    def explain(self, instance: Instance) -> dict[str, dict[str, float]]:
        """For each candidate what each feature adds to the logarithm of its odds."""
        candidates = candidates_of(instance)
        found = self.model.for_instance(background=has_background(instance))
        rows = self._extractor.rows(instance, candidates)
        return {one: found.contributions(row) for one, row in zip(candidates, rows, strict=True)}
