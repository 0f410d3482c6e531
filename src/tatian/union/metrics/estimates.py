"""Coverage, faithfulness and redundancy of a union, estimated from its content words.

In Hirsch et al. 2023, §5.1, people count the content words that a union lacks, that no source
supports, and that it repeats. Here a program counts them. It is fast enough to choose among many
candidates, and it keeps the words, so that a report can show them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from msgspec import Struct

from tatian.scoring.metric import Counts, Metric
from tatian.scoring.prediction import Prediction
from tatian.text.spans import Span
from tatian.union.metrics.signs import SignWeights, WordComparison
from tatian.union.metrics.wording import ContentWord

Ratio = Callable[[Sequence[float]], float]
LIKELY = 0.5
"""Least probability at which a word is counted."""

MISSING = SignWeights(1.74, (-5.39, 0.97, 1.37, 0.82, 1.34, -3.50, 4.44))
UNFAITHFUL = SignWeights(2.23, (-8.33, 1.25, 1.45))
REPEATED = SignWeights(-2.11, (1.17, 0.23, -1.98, 0.58, 1.47, -0.13, 7.77))


class FoundWord(Span, frozen=True, order=True):
    """A content word that counts against a union, and its position."""

    text: str
    chance: float
    """Probability that the word is rightly counted."""
    sentence: int | None = None
    """Index of the source that has the word; None if it is a word of the union."""


class Expected(Struct, frozen=True):
    """Expected numbers of faulty words, each weighted by its probability, for fine comparisons."""

    missing: float = 0.0
    unfaithful: float = 0.0
    repeated: float = 0.0


def coverage_ratio(counts: Sequence[float]) -> float:
    """Return total / (total + missing) (Hirsch et al. 2023, §5.1); 1 if there was nothing to say.

    Here and in `faithfulness_ratio`, counts are summed over unions before the division.
    """
    total, missing = counts
    return total / (total + missing) if total + missing else 1.0


def faithfulness_ratio(counts: Sequence[float]) -> float:
    """Return 1 - faulty / total (§5.1); 1 if the union is empty."""
    total, amiss = counts
    return (total - amiss) / total if total else 1.0


class Estimate(Struct, frozen=True):
    """Number of a union's content words, and the missing, unfaithful and repeated ones."""

    total: int
    """Content words of the union."""
    missing: tuple[FoundWord, ...] = ()
    """Words of the sources that the union neither has nor paraphrases, one for each concept."""
    unfaithful: tuple[FoundWord, ...] = ()
    """Words of the union that no source has or supports."""
    repeated: tuple[FoundWord, ...] = ()
    """Words of the union that repeat earlier ones."""
    expected: Expected = Expected()

    @property
    def coverage(self) -> float:
        """§5.1: total / (total + missing)."""
        return coverage_ratio((self.total, len(self.missing)))

    @property
    def faithfulness(self) -> float:
        """§5.1: 1 - unfaithful / total."""
        return 1 - len(self.unfaithful) / self.total if self.total else 1.0

    @property
    def redundancy(self) -> float:
        """§5.1: 1 - repeated / total; higher is better, as for the others."""
        return 1 - len(self.repeated) / self.total if self.total else 1.0


def estimate(sources: Sequence[str], union: str) -> Estimate:
    """Estimate the words missing from `union`, unsupported by `sources`, or repeated.

    No neural model is run, so a call takes about a millisecond.
    """
    compared = WordComparison(sources, union)
    missing = _once(
        (word, MISSING.chance(signs), source) for source, word, signs in compared.missing()
    )
    unfaithful = [_found(word, UNFAITHFUL.chance(signs)) for word, signs in compared.unfaithful()]
    repeated = [_found(word, REPEATED.chance(signs)) for word, _, signs in compared.repeated()]
    return Estimate(
        len(compared.union),
        _likely(missing),
        _likely(unfaithful),
        _likely(repeated),
        Expected(
            *(sum(word.chance for word in words) for words in (missing, unfaithful, repeated))
        ),
    )


def _once(words: Iterable[tuple[ContentWord, float, int]]) -> list[FoundWord]:
    """Keep one word for each concept: a loss from two sources counts once."""
    best: dict[str, FoundWord] = {}
    for word, chance, source in words:
        better = best.get(word.concept)
        if better is None or better.chance < chance:
            best[word.concept] = _found(word, chance, source)
    return list(best.values())


def _found(word: ContentWord, chance: float, source: int | None = None) -> FoundWord:
    return FoundWord(word.start, word.end, word.text, chance, source)


def _likely(words: Iterable[FoundWord]) -> tuple[FoundWord, ...]:
    return tuple(word for word in words if word.chance >= LIKELY)


@lru_cache(maxsize=4096)
def _of(prediction: Prediction) -> Estimate:
    return estimate(prediction.sentences, prediction.predicted)


def _metric(
    name: str, description: str, amiss: str, ratio: Ratio = faithfulness_ratio
) -> Metric[Prediction]:
    def count(prediction: Prediction) -> Counts:
        return _of(prediction).total, len(getattr(_of(prediction), amiss))

    return Metric(name, "union", f"content words {description}", count, ratio=ratio)


COVERAGE = _metric(
    "coverage",
    "of the sources that are not missing, estimated (Hirsch et al. 2023, §5.1)",
    "missing",
    coverage_ratio,
)
FAITHFULNESS = _metric("faithfulness", "that the sources support, estimated (§5.1)", "unfaithful")
REDUNDANCY = _metric("redundancy", "that are not said again, estimated (§5.1)", "repeated")
