"""From instances to rows of features."""

from __future__ import annotations

import numpy as np

from tatian.aggregation.data.records import Instance
from tatian.aggregation.models.frequency import Frequencies
from tatian.aggregation.models.logistic.coefficients import Numbers
from tatian.aggregation.models.logistic.features import FEATURES, Candidate
from tatian.aggregation.models.logistic.instances import Words


class Extractor:
    """Computes the features of candidates with one set of words and frequencies."""

    def __init__(self, words: Words, frequencies: Frequencies) -> None:
        self._words = words
        self._frequencies = frequencies

    def rows(
        self, instance: Instance, candidates: tuple[str, ...], *, but: Instance | None = None
    ) -> Numbers:
        """A row of all features for each candidate; `but` is left out of the frequencies."""
        texts = self._words.texts(instance)
        count = self._frequencies.count
        return np.array(
            [
                [feature.value(candidate, texts) for feature in FEATURES]
                for candidate in (
                    Candidate(self._words.phrase(phrase), count(instance.type, phrase, but))
                    for phrase in candidates
                )
            ],
            dtype=np.float64,
        )
