"""Shortlist of the pairs of spans that the coverage model reads.

Reading a pair takes 20 milliseconds, and half of all near pairs turn out to cover nothing. Two
logistic regressions over cheap features decide which pairs to read. The second one also has the
model's verdict on the same two spans in the other direction. If B covers nothing of A, A is
unlikely to cover B.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import exp, log
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tatian.analysis.coverage import Coverage
from tatian.consolidation.similarity import NearSpans
from tatian.consolidation.spans import Key
from tatian.errors import AssetError
from tatian.progress import Progress, silent

Floats = NDArray[np.float64]
CoverageReader = Callable[[Sequence[tuple[str, str]]], Sequence[Coverage]]
"""Model that returns which words of the first text of a pair the second covers."""
Pair = tuple[Key, Key]
"""A span, and one that may cover it."""

SHIPPED = Path(__file__).with_name("shortlist.json")
"""Weights, made by ``benchmarks/shortlist.py fit``."""
ALWAYS = 3
"""Number of nearest spans that are always read; their verdicts also give the words' weights."""
_BATCH = 256
"""Number of pairs that are read between two reports of progress."""
_MAX_PROBABILITY = 0.999
"""Maximum probability of the model that is used, so that log-odds stay finite."""


class ShortlistWeights(Struct, frozen=True):
    """Weights of the two regressions, by the names of features, and their common limit."""

    unread: Mapping[str, float]
    """For a pair of which neither direction was read."""
    reverse: Mapping[str, float]
    """For a pair whose other direction was read."""
    limit: float
    """Minimum probability at which a pair is read."""


@cache
def shipped() -> ShortlistWeights:
    """Load the shipped weights."""
    try:
        return msgspec.json.decode(SHIPPED.read_bytes(), type=ShortlistWeights)
    except (OSError, msgspec.DecodeError) as error:
        raise AssetError(f"{SHIPPED} cannot be read ({error}): reinstall tatian") from error


def pair_features(near: NearSpans) -> dict[Pair, dict[str, float]]:
    """Return the features of all near pairs, by name."""
    concepts = {key: [word.concept for word in words] for key, words in near.words.items()}
    vocabulary = {key: frozenset(words) for key, words in concepts.items()}
    exact = {key: np.array([w.exact for w in words], float) for key, words in near.words.items()}
    last_index: dict[int, int] = {}
    for source, index in near.words:
        last_index[source] = max(index, last_index.get(source, 1))
    features = {}
    for pair in near.pairs:
        key, other = pair.spans
        shared = np.array([concept in vocabulary[other] for concept in concepts[key]], float)
        shared_back = np.array([concept in vocabulary[key] for concept in concepts[other]], float)
        weights, other_weights = near.weights[key], near.weights[other]
        total = float(weights.sum()) or 1.0
        overlap = float(weights @ shared) / total
        reverse = float(other_weights @ shared_back) / (float(other_weights.sum()) or 1.0)
        features[key, other] = {
            "constant": 1.0,
            "overlap": overlap,
            "overlap squared": overlap * overlap,
            "reverse overlap": reverse,
            "smaller overlap": min(overlap, reverse),
            "cosine": pair.cosine,
            "cosine squared": pair.cosine * pair.cosine,
            "overlap by cosine": overlap * pair.cosine,
            "names and figures shared": float((weights * exact[key]) @ shared) / total,
            "names and figures missing": float((weights * exact[key]) @ (1 - shared)) / total,
            "words shared": log(1 + float(shared.sum())),
            "words": log(1 + len(shared)),
            "words of the other": log(1 + len(shared_back)),
            "longest run": _longest_run(shared) / max(1, len(shared)),
            "rank": pair.rank / 8,
            "relative similarity": pair.relative,
            "same source": float(key[0] == other[0]),
            "distance": abs(key[1] / last_index[key[0]] - other[1] / last_index[other[0]]),
        }
    return features


def _longest_run(shared: Floats) -> int:
    """Return the length of the longest run of shared words."""
    longest = run = 0
    for same in shared:
        run = run + 1 if same else 0
        longest = max(longest, run)
    return longest


def reverse_features(judged: Coverage) -> dict[str, float]:
    """Return further features, from the model's verdict on the other direction."""
    return {"reverse share": _odds(judged.share), "reverse anything": _odds(judged.anything)}


def probability(weights: Mapping[str, float], values: Mapping[str, float]) -> float:
    """Return the probability that a pair is worth reading."""
    odds = sum(weights.get(name, 0.0) * value for name, value in values.items())
    return 1 / (1 + exp(-max(-30.0, min(30.0, odds))))


def _odds(chance: float) -> float:
    bounded = min(_MAX_PROBABILITY, max(1 - _MAX_PROBABILITY, chance))
    return log(bounded / (1 - bounded))


def read_shortlist(
    near: NearSpans,
    judge: CoverageReader,
    *,
    weights: ShortlistWeights | None = None,
    progress: Progress = silent,
) -> dict[Pair, Coverage]:
    """Return the judged coverage of the pairs that may cover each other.

    The nearest spans of each span are always read. Of two spans that are near each other, the more
    promising direction comes first, and its verdict helps to decide on the other.
    """
    model = weights or shipped()
    features = pair_features(near)
    chances = {pair: probability(model.unread, values) for pair, values in features.items()}
    nearest = {pair.spans for pair in near.pairs if pair.rank < ALWAYS}
    first_pairs = [
        pair
        for pair in features
        if pair in nearest
        or (_leads(pair, chances) and pair[::-1] not in nearest and chances[pair] >= model.limit)
    ]
    read = _read(first_pairs, near, judge, progress)
    second_pairs = [
        pair
        for pair, values in features.items()
        if pair not in read
        and (judged := read.get(pair[::-1])) is not None
        and probability(model.reverse, values | reverse_features(judged)) >= model.limit
    ]
    return read | _read(second_pairs, near, judge, progress, len(first_pairs))


def _leads(pair: Pair, probabilities: Mapping[Pair, float]) -> bool:
    """Check whether a pair is more probable than its other direction."""
    forward, reverse = probabilities[pair], probabilities.get(pair[::-1], -1.0)
    return (forward, pair) > (reverse, pair[::-1])


def _read(
    pairs: Sequence[Pair], near: NearSpans, judge: CoverageReader, progress: Progress, done: int = 0
) -> dict[Pair, Coverage]:
    read: dict[Pair, Coverage] = {}
    for start in range(0, len(pairs), _BATCH):
        progress("comparing sentences", done + start, len(near.pairs))
        batch = pairs[start : start + _BATCH]
        judged = judge([(near.texts[key], near.texts[other]) for key, other in batch])
        read |= zip(batch, judged, strict=True)
    return read


def remember_coverage(read: CoverageReader) -> CoverageReader:
    """Return a reader that reads each pair of texts once."""
    known: dict[tuple[str, str], Coverage] = {}

    def remembered(pairs: Sequence[tuple[str, str]]) -> Sequence[Coverage]:
        new = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        known.update(zip(new, read(new) if new else (), strict=True))
        return [known[pair] for pair in pairs]

    return remembered
