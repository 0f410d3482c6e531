"""Coverage, faithfulness and redundancy of a union, estimated from its content words.

In Hirsch et al. 2023, §5.1, people count the content words that a union lacks, that no source
supports, and that it repeats. Here a program counts them. It is fast enough to choose among many
candidates, and it keeps the words, so that a report can show them.

A source word that the union lacks may be missing or only reworded. A word that occurs twice may be
a repetition or belong to two statements. Each decision weighs a few signs. The weights were fitted
on the training part of the Sentence Union dataset by ``python benchmarks/union_estimates.py``,
which also reports their accuracy on its eval part.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from tatian.scoring.metric import Counts, Metric, Prediction
from tatian.text.spans import Span, runs
from tatian.union.metrics.wording import ALIKE, ContentWord, Wording, likeness, wording

if TYPE_CHECKING:
    from tatian.union.metrics.wording import Numbers


WEAK = 0.3
"""Similarity below which words are unrelated."""
MIN_REPEAT_SIMILARITY = 0.5
"""Minimum similarity of words that extend a repeated run."""


class Missing(Struct, frozen=True):
    """Signs that a source's word is missing from the union."""

    near: float
    """Greatest similarity to a word of the union that this source lacks."""
    run: float
    """Logarithm of the length of the run of words that the union lacks."""
    name: bool
    number: bool
    joined: bool
    """True if the words around the run are adjacent in the union."""
    covered: float
    """Share of the source's words that the union has."""
    elsewhere: bool
    """True if another source has the word too."""


class Repeated(Struct, frozen=True):
    """Signs that a union's word repeats an earlier one."""

    same: bool
    """True if both are the same word, apart from the ending."""
    near: float
    """Similarity of the two words."""
    together: bool
    """True if the words differ and one source has both."""
    run: float
    """Logarithm of the length of the run of words similar to earlier ones."""
    context: float
    """Greatest similarity between a neighbour of the one and a neighbour of the other."""
    distance: float
    """Logarithm of the distance between the two, in content words."""
    share: float
    """Share of the union's words that occurred before."""


class Unfaithful(Struct, frozen=True):
    """Signs that a union's word is unsupported by the sources."""

    near: float
    """Greatest similarity to a word of the sources."""
    name: bool
    number: bool


class SignWeights(Struct, frozen=True):
    """A bias, and one weight for each sign in field order."""

    bias: float
    signs: tuple[float, ...]

    def chance(self, signs: Missing | Repeated | Unfaithful) -> float:
        """Return the probability that the suspicion is right."""
        values = (float(getattr(signs, name)) for name in signs.__struct_fields__)
        total = self.bias + sum(w * value for w, value in zip(self.signs, values, strict=True))
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


class WordComparison:
    """Content words of some sources and of their union, with their similarities."""

    def __init__(self, sources: Sequence[str], union: str) -> None:
        self.sources = [wording(source) for source in sources]
        self.union = wording(union)
        self.near = [likeness(source, self.union) for source in self.sources]

    def missing(self) -> Iterator[tuple[int, ContentWord, Missing]]:
        """Yield the source index, word and signs of each source word that the union lacks."""
        for index, (source, near) in enumerate(zip(self.sources, self.near, strict=True)):
            has = _flag_covered(source, self.union, near)
            if all(has):
                continue
            foreign = (near.max(axis=0) < ALIKE).nonzero()[0] if near.size else ()
            others = self.sources[:index] + self.sources[index + 1 :]
            share = sum(has) / len(has)
            for start, end in runs([not present for present in has]):
                joined = self._is_joined(source, start, end)
                for place in range(start, end):
                    word = source.words[place]
                    signs = Missing(
                        near=float(near[place, foreign].max()) if len(foreign) else 0.0,
                        run=math.log(end - start),
                        name=word.is_name,
                        number=word.is_number,
                        joined=joined,
                        covered=share,
                        elsewhere=any(word.concept in other.places for other in others),
                    )
                    yield index, word, signs

    def _is_joined(self, source: Wording, start: int, end: int) -> bool:
        """Return True if the words around a span of the source are adjacent in the union."""
        first = self.union.place(source.words[start - 1]) if start else -1
        last = self.union.place(source.words[end]) if end < len(source) else len(self.union)
        return first is not None and last is not None and last - first == 1

    def unfaithful(self) -> Iterator[tuple[ContentWord, Unfaithful]]:
        """Yield each word of the union that no source has, with its signs."""
        nearest = [0.0] * len(self.union)
        has = [False] * len(self.union)
        for source, near in zip(self.sources, self.near, strict=True):
            if near.size:
                nearest = [*map(max, nearest, near.max(axis=0).tolist())]
                has = [*map(bool.__or__, has, _flag_covered(self.union, source, near.T))]
        for word, closest, present in zip(self.union.words, nearest, has, strict=True):
            if not present:
                yield word, Unfaithful(closest, word.is_name, word.is_number)

    def repeated(self) -> Iterator[tuple[ContentWord, ContentWord, Repeated]]:
        """Yield each word of the union similar to an earlier one, that one, and the signs.

        A word may occur as often as it does in one source.
        """
        words = self.union.words
        if len(words) < 2:
            return
        near = likeness(self.union, self.union)
        earlier = [-1, *(_find_nearest_earlier(near, index) for index in range(1, len(words)))]
        degree = [0.0, *(float(near[index, earlier[index]]) for index in range(1, len(words)))]
        for index in self._find_allowed():
            degree[index] = 0.0
        share = sum(value == 1.0 for value in degree) / len(words)
        run = [1] * len(words)
        for start, end in runs([value >= MIN_REPEAT_SIMILARITY for value in degree]):
            run[start:end] = [end - start] * (end - start)
        for index in range(1, len(words)):
            if degree[index] < WEAK:
                continue
            word, other = words[index], words[earlier[index]]
            signs = Repeated(
                same=degree[index] == 1.0,
                near=degree[index],
                together=any(_are_in_one_source(source, word, other) for source in self.sources),
                run=math.log(run[index]),
                context=_neighbour_likeness(near, index, earlier[index]),
                distance=math.log(index - earlier[index]),
                share=share,
            )
            yield word, other, signs

    def _find_allowed(self) -> Iterator[int]:
        """Yield positions of repeated words that occur no more often than in some source."""
        for concept, places in self.union.places.items():
            most = max((source.counts[concept] for source in self.sources), default=0)
            yield from places[1:most]


def _flag_covered(first: Wording, second: Wording, near: Numbers) -> list[bool]:
    """Flag the words of the first text that the second has, also in another form."""
    if not near.size:
        return [False] * len(first)
    flags: list[bool] = (near.max(axis=1) >= ALIKE).tolist()
    for index, word in enumerate(first.words):
        flags[index] = flags[index] or second.stands_for(word)
    for letters in first.acronyms.keys() & second.abbreviations:
        for index in first.acronyms[letters]:
            flags[index] = True
    return flags


def _find_nearest_earlier(near: Numbers, index: int) -> int:
    """Return the earlier word most similar to the one at `index`; of equals, the last."""
    row = near[index, :index]
    return int(index - 1 - row[::-1].argmax())


def _are_in_one_source(source: Wording, first: ContentWord, second: ContentWord) -> bool:
    """Return True if the two words differ and the source has both."""
    both = first.concept in source.places and second.concept in source.places
    return both and first.concept != second.concept


def _neighbour_likeness(near: Numbers, first: int, second: int) -> float:
    """Return the greatest similarity between neighbours of two words, up to two on either side."""
    steps = (-2, -1, 1, 2)
    best = 0.0
    for neighbour in (first + step for step in steps):
        for other in (second + step for step in steps):
            if (
                0 <= neighbour < len(near)
                and 0 <= other < len(near)
                and neighbour not in (other, second)
                and other != first
            ):
                best = max(best, float(near[neighbour, other]))
    return best


Ratio = Callable[[Sequence[float]], float]
MIN_CHANCE = 0.5
"""Minimum probability at which a word is counted."""

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

    Here and in `one_minus_share`, counts are summed over unions before the division.
    """
    total, missing = counts
    return total / (total + missing) if total + missing else 1.0


def one_minus_share(counts: Sequence[float]) -> float:
    """Return 1 - faulty / total (§5.1); 1 if the union is empty."""
    total, faulty = counts
    return (total - faulty) / total if total else 1.0


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
    missing = _merge_by_concept(
        (word, MISSING.chance(signs), source) for source, word, signs in compared.missing()
    )
    unfaithful = [
        _mark_word(word, UNFAITHFUL.chance(signs)) for word, signs in compared.unfaithful()
    ]
    repeated = [_mark_word(word, REPEATED.chance(signs)) for word, _, signs in compared.repeated()]
    return Estimate(
        len(compared.union),
        _select_likely(missing),
        _select_likely(unfaithful),
        _select_likely(repeated),
        Expected(
            *(sum(word.chance for word in words) for words in (missing, unfaithful, repeated))
        ),
    )


def _merge_by_concept(words: Iterable[tuple[ContentWord, float, int]]) -> list[FoundWord]:
    """Keep one word for each concept: a loss from two sources counts once."""
    best: dict[str, FoundWord] = {}
    for word, chance, source in words:
        previous = best.get(word.concept)
        if previous is None or previous.chance < chance:
            best[word.concept] = _mark_word(word, chance, source)
    return list(best.values())


def _mark_word(word: ContentWord, chance: float, source: int | None = None) -> FoundWord:
    return FoundWord(word.start, word.end, word.text, chance, source)


def _select_likely(words: Iterable[FoundWord]) -> tuple[FoundWord, ...]:
    return tuple(word for word in words if word.chance >= MIN_CHANCE)


@lru_cache(maxsize=4096)
def _cached_estimate(prediction: Prediction) -> Estimate:
    return estimate(prediction.sentences, prediction.predicted)


def _define(
    name: str, description: str, faulty: str, ratio: Ratio = one_minus_share
) -> Metric[Prediction]:
    def count(prediction: Prediction) -> Counts:
        estimated = _cached_estimate(prediction)
        return estimated.total, len(getattr(estimated, faulty))

    return Metric(name, "union", f"content words {description}", count, ratio=ratio)


COVERAGE = _define(
    "coverage",
    "of the sources that are not missing, estimated (Hirsch et al. 2023, §5.1)",
    "missing",
    coverage_ratio,
)
FAITHFULNESS = _define("faithfulness", "that the sources support, estimated (§5.1)", "unfaithful")
REDUNDANCY = _define("redundancy", "that are not said again, estimated (§5.1)", "repeated")
