"""Rank a decoder's candidate unions by numeric features, scored by a small network.

A candidate is a *walk*: a sequence of indices of source words and glue words.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.union.models.edit.decoder import FIRST
from tatian.union.models.edit.words import GLUE, SourceWord

Floats = npt.NDArray[np.float64]
Walk = tuple[int, ...]

CONSENSUS = ((0.15, 0.5), (0.3, 0.0), (0.6, 0.0))
"""Pairs of a sharpness and a length exponent. Each gives a distribution over the walks, under which
the expected ROUGE with the other walks is a feature."""
CLOSING = frozenset(".!?\"”'’)")


class WalkCandidates(Struct, frozen=True):
    """A pair of sentences with its candidate walks."""

    sentences: tuple[str, str]
    words: Sequence[SourceWord]
    word_probability: npt.NDArray[Any]
    """Probability that each word is in the union."""
    walks: Sequence[Walk]
    likelihoods: Sequence[Sequence[float]]
    """Log-likelihoods of each walk, with the sentences in either order."""
    texts: Sequence[str]
    """Sentences that the walks write."""
    sound: Sequence[bool]
    """True for walks with paired marks, whole quotations and whole names."""


def features(candidates: WalkCandidates) -> Floats:
    """Return one row of features for each walk."""
    similar = rouge_matrix(candidates.texts)
    stem_probability = _expected_stems(candidates)
    rows = np.array(
        [
            _walk_features(candidates, stem_probability, index)
            for index in range(len(candidates.walks))
        ]
    )
    totals, lengths = rows[:, 1], np.array([len(walk) + 1 for walk in candidates.walks])
    agreed = []
    for sharpness, alpha in CONSENSUS:
        scores = totals / lengths**alpha * 30**alpha
        weights = np.exp((scores - scores.max()) * sharpness)
        weights /= weights.sum()
        agreed.append(np.einsum("r,rhm->hm", weights, similar))
    consensus = np.hstack(agreed)
    base = np.array([_base_features(candidates, walk) for walk in candidates.walks])
    estimated = np.array([_estimate_faults(candidates, text) for text in candidates.texts])
    compared = np.hstack((rows[:, [0, 1, 4, 6, 7]], estimated))
    relative = np.hstack((compared - compared.max(0), consensus - consensus.max(0)))
    # The second column stays 0: the network expects a flag for texts that another model wrote.
    flags = np.array([candidates.sound, np.zeros(len(candidates.walks))], float).T
    return np.hstack((rows, consensus, base, estimated, flags, relative))


def _estimate_faults(candidates: WalkCandidates, text: str) -> list[float]:
    """Return the expected numbers of missing, unfaithful and repeated words."""
    from tatian.union.metrics import estimate

    expected = estimate(candidates.sentences, text).expected
    return [expected.missing, expected.unfaithful, expected.repeated]


def rouge_matrix(texts: Sequence[str]) -> Floats:
    """Return ROUGE-1, -2 and -L of every text against every other, ``[reference, text, 3]``."""
    from tatian.union.metrics import ROUGE, rouge

    pairs = [(reference, text) for reference in texts for text in texts]
    flat = [[scores[name] for name in ROUGE] for scores in rouge(pairs)]
    return np.array(flat).reshape(len(texts), len(texts), len(ROUGE))


def _expected_stems(candidates: WalkCandidates) -> dict[str, float]:
    """Return the probability that each content word is in the union, by its stem."""
    stem_probability: dict[str, float] = {}
    for word, probability in zip(candidates.words, candidates.word_probability, strict=True):
        if word.content:
            stem_probability[word.stem] = max(
                stem_probability.get(word.stem, 0.0), float(probability)
            )
    return stem_probability


def _walk_features(
    candidates: WalkCandidates, stem_probability: dict[str, float], index: int
) -> list[float]:
    words, walk = candidates.words, candidates.walks[index]
    likelihoods = candidates.likelihoods[index]
    total, length = sum(likelihoods) / len(likelihoods), len(walk) + 1
    places = [item - FIRST for item in walk if item >= FIRST]
    glue = [item for item in walk if item < FIRST]
    stems = [words[place].stem for place in places if words[place].content]
    distinct = set(stems)
    steps = list(itertools.pairwise(places))
    covered = []
    for sentence in (0, 1):
        sentence_stems = {w.stem for w in words if w.sentence == sentence and w.content}
        covered.append(len(sentence_stems & distinct) / max(1, len(sentence_stems)))
    expected = sum(stem_probability.values())
    word_probability = (
        np.clip(candidates.word_probability[places], 0.01, 1) if places else np.full(1, 0.01)
    )
    second_start = sum(word.sentence == 0 for word in words)
    return [
        total / length,
        total,
        total / length**0.7,
        (max(likelihoods) - min(likelihoods)) / length,
        sum(probability for stem, probability in stem_probability.items() if stem not in distinct),
        sum(stem not in distinct for stem in stem_probability) / max(1, len(stem_probability)),
        sum(1 - stem_probability[stem] for stem in distinct),
        len(stems) - len(distinct),
        float(np.log(word_probability).mean()),
        sum(b != a + 1 for a, b in steps),
        sum(b < a and words[a].sentence == words[b].sentence for a, b in steps),
        sum(words[a].sentence != words[b].sentence for a, b in steps),
        min(covered),
        sum(covered),
        max(covered),
        sum(bool(words[a].stem) and words[a].stem == words[b].stem for a, b in steps),
        len(glue),
        float(bool(places) and words[places[-1]].text in CLOSING),
        float(bool(places) and places[0] in (0, second_start)),
        len(distinct) - expected,
        abs(len(distinct) - expected),
        length / max(1, len(words)),
        float(max(covered) < 1),
        sum(GLUE[item] == ";" for item in glue),
    ]


def _base_features(candidates: WalkCandidates, walk: Walk) -> list[float]:
    """Return how strongly one sentence dominates, and whether it is the longer one.

    The last number is 1 if the union starts with the longer sentence.
    """
    sides = [candidates.words[item - FIRST].sentence for item in walk if item >= FIRST]
    if not sides:
        return [0.0, 0.0, 0.0]
    share = sides.count(0) / len(sides) - 0.5
    longer = sum(word.sentence == 0 for word in candidates.words) / len(candidates.words) - 0.5
    return [abs(share), share * longer * 4, float((sides[0] == 0) == (longer >= 0))]


class WalkRanker:
    """A network with one hidden layer over the features."""

    def __init__(self, path: Path) -> None:
        with np.load(path) as stored:
            arrays = {name: stored[name].astype(np.float64) for name in stored.files}
        self._mean, self._scale = arrays["mean"], arrays["scale"]
        self._hidden, self._hidden_bias = arrays["hidden"], arrays["hidden_bias"]
        self._out = arrays["out"]

    def scores(self, rows: Floats) -> Floats:
        """Return scores, higher is better; comparable within one pair only."""
        scaled = (rows - self._mean) / self._scale
        hidden = np.maximum(0, scaled @ self._hidden + self._hidden_bias)
        result: Floats = hidden @ self._out
        return result
