"""Rank walks as unions by numeric features, scored by a small network."""

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
"""Sharpness and length normalisation of each distribution for the expected agreement."""
CLOSING = frozenset(".!?\"”'’)")


class WalkField(Struct, frozen=True):
    """A pair with its candidate walks."""

    sentences: tuple[str, str]
    words: Sequence[SourceWord]
    used: npt.NDArray[Any]
    """Probability that each word is in the union."""
    walks: Sequence[Walk]
    likelihoods: Sequence[Sequence[float]]
    """Log-likelihoods of each walk, with the sentences in either order."""
    texts: Sequence[str]
    """Sentences that the walks write."""
    sound: Sequence[bool]
    """True for walks with paired marks, whole quotations and whole names."""


def features(field: WalkField) -> Floats:
    """Return one row of features for each walk."""
    similar = rouge_matrix(field.texts)
    wanted = _expected_stems(field)
    rows = np.array([_walk_features(field, wanted, index) for index in range(len(field.walks))])
    totals, lengths = rows[:, 1], np.array([len(walk) + 1 for walk in field.walks])
    agreed = []
    for sharpness, alpha in CONSENSUS:
        scores = totals / lengths**alpha * 30**alpha
        chances = np.exp((scores - scores.max()) * sharpness)
        chances /= chances.sum()
        agreed.append(np.einsum("r,rhm->hm", chances, similar))
    consensus = np.hstack(agreed)
    base = np.array([_base_features(field, walk) for walk in field.walks])
    estimated = np.array([_estimate_faults(field, text) for text in field.texts])
    compared = np.hstack((rows[:, [0, 1, 4, 6, 7]], estimated))
    relative = np.hstack((compared - compared.max(0), consensus - consensus.max(0)))
    flags = np.array([field.sound, np.zeros(len(field.walks))], float).T
    """The second is 0: the shipped network has an input for wordings of another model."""
    return np.hstack((rows, consensus, base, estimated, flags, relative))


def _estimate_faults(field: WalkField, text: str) -> list[float]:
    """Return the expected numbers of missing, unfaithful and repeated words."""
    from tatian.union.metrics import estimate

    expected = estimate(field.sentences, text).expected
    return [expected.missing, expected.unfaithful, expected.repeated]


def rouge_matrix(texts: Sequence[str]) -> Floats:
    """Return ROUGE-1, -2 and -L of every text against every other, ``[reference, text, 3]``."""
    from tatian.union.metrics import ROUGE, rouge

    pairs = [(reference, text) for reference in texts for text in texts]
    flat = [[scores[name] for name in ROUGE] for scores in rouge(pairs)]
    return np.array(flat).reshape(len(texts), len(texts), len(ROUGE))


def _expected_stems(field: WalkField) -> dict[str, float]:
    """Return the probability that each content word is in the union, by its stem."""
    chances: dict[str, float] = {}
    for word, chance in zip(field.words, field.used, strict=True):
        if word.content:
            chances[word.stem] = max(chances.get(word.stem, 0.0), float(chance))
    return chances


def _walk_features(field: WalkField, wanted: dict[str, float], index: int) -> list[float]:
    words, walk = field.words, field.walks[index]
    likelihoods = field.likelihoods[index]
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
    expected = sum(wanted.values())
    chances = np.clip(field.used[places], 0.01, 1) if places else np.full(1, 0.01)
    first_second = sum(word.sentence == 0 for word in words)
    return [
        total / length,
        total,
        total / length**0.7,
        (max(likelihoods) - min(likelihoods)) / length,
        sum(chance for stem, chance in wanted.items() if stem not in distinct),
        sum(stem not in distinct for stem in wanted) / max(1, len(wanted)),
        sum(1 - wanted[stem] for stem in distinct),
        len(stems) - len(distinct),
        float(np.log(chances).mean()),
        sum(b != a + 1 for a, b in steps),
        sum(b < a and words[a].sentence == words[b].sentence for a, b in steps),
        sum(words[a].sentence != words[b].sentence for a, b in steps),
        min(covered),
        sum(covered),
        max(covered),
        sum(bool(words[a].stem) and words[a].stem == words[b].stem for a, b in steps),
        len(glue),
        float(bool(places) and words[places[-1]].text in CLOSING),
        float(bool(places) and places[0] in (0, first_second)),
        len(distinct) - expected,
        abs(len(distinct) - expected),
        length / max(1, len(words)),
        float(max(covered) < 1),
        sum(GLUE[item] == ";" for item in glue),
    ]


def _base_features(field: WalkField, walk: Walk) -> list[float]:
    """Return how strongly one sentence dominates the union, and whether it is the longer one."""
    sides = [field.words[item - FIRST].sentence for item in walk if item >= FIRST]
    if not sides:
        return [0.0, 0.0, 0.0]
    share = sides.count(0) / len(sides) - 0.5
    longer = sum(word.sentence == 0 for word in field.words) / len(field.words) - 0.5
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
