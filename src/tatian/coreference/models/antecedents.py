"""Which earlier candidate each candidate goes back to, with how much confidence.

All that lie within reach of the texts the model was trained on are weighed; of those farther back,
the ones that share a word of their names or the head noun. What looks poor at a first glance is not
scored in full, so that time grows with the length of a document and memory hardly does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.analysis.engine import spread
from tatian.coreference.models.network import BARRED, Candidates, Floats
from tatian.coreference.models.pairs import (
    COLUMNS,
    DISTANCES,
    SAME_NAME,
    SENTENCES_APART,
    CodedWords,
    pair_features,
)
from tatian.coreference.models.words import NONE, Integers

NEAR = 600
"""Candidates back that are all looked at: about 2,000 words."""
FAR = 40
"""Candidates farther back that are looked at, the nearest that share a word."""
SCORED = 128
"""Near candidates that are scored in full: those of the best coarse scores."""
CERTAIN = np.float32(1e4)
"""The coarse score of the same name: it is always scored in full."""
ROWS = 64
"""Candidates whose antecedents are sought at once."""
ALTERNATIVES = 4
"""Antecedents told of each candidate."""
BLOCK = 1024
"""Pairs scored at once."""


class Choices(Struct, frozen=True):
    """For each candidate its likeliest antecedents, the best first."""

    antecedent: Integers
    """``[candidates, ALTERNATIVES]``: numbers of candidates; -1 where there is none."""
    probability: npt.NDArray[np.float64]
    """That each is the antecedent."""
    none: npt.NDArray[np.float64]
    """The probability that there is no antecedent."""


def choose(codes: Integers, candidates: Candidates, threads: int) -> Choices:
    """The antecedents of candidates; `codes` are their rows of `pairs.codes`."""
    count = len(codes)
    distant = list(_distant(codes)) if count > NEAR else [[] for _ in range(count)]

    def chosen(first: int) -> Choices:
        rows = np.arange(first, min(first + ROWS, count))
        near = _near(rows, codes, candidates)
        far = _padded([distant[row] for row in rows])
        return _best(rows, np.concatenate((near, far), 1), codes, candidates)

    found = list(spread(chosen, range(0, count, ROWS), threads))
    if not found:
        nothing = np.zeros((0, ALTERNATIVES))
        return Choices(nothing.astype(np.int64), nothing, np.zeros(0))
    return Choices(
        np.concatenate([one.antecedent for one in found]),
        np.concatenate([one.probability for one in found]),
        np.concatenate([one.none for one in found]),
    )


def _near(rows: Integers, codes: Integers, candidates: Candidates) -> Integers:
    """``[rows, at most SCORED]``: the near candidates worth a full score, -1 for none."""
    columns = np.arange(max(0, rows[0] - NEAR), rows[-1])
    allowed = (columns < rows[:, None]) & (columns >= rows[:, None] - NEAR)
    if len(columns) <= SCORED:
        return np.where(allowed, columns, NONE)
    features, _, _ = pair_features(codes[rows][:, None], codes[columns][None], np)
    scores = candidates.coarse(rows, columns, features)
    scores = np.where(features[SAME_NAME], CERTAIN, scores)
    scores = np.where(allowed, scores, BARRED)
    best = np.sort(np.argpartition(-scores, SCORED, axis=1)[:, :SCORED], axis=1)
    return np.where(np.take_along_axis(allowed, best, 1), columns[best], NONE)


def _best(rows: Integers, columns: Integers, codes: Integers, candidates: Candidates) -> Choices:
    """The best of each row's `columns`, each against all others and having none."""
    scores = np.full((len(rows), 1 + columns.shape[1]), BARRED, np.float32)
    scores[:, 0] = candidates.none[rows]
    place, slot = np.nonzero(columns != NONE)
    for first in range(0, len(place), BLOCK):
        at = place[first : first + BLOCK], slot[first : first + BLOCK]
        found = _scores(rows[at[0]], columns[at], codes, candidates)
        scores[at[0], 1 + at[1]] = found
    likely = np.exp(scores.astype(np.float64) - scores.max(1, keepdims=True))
    likely /= likely.sum(1, keepdims=True)
    best = np.argsort(-scores[:, 1:], axis=1, kind="stable")[:, :ALTERNATIVES]
    antecedent = np.full((len(rows), ALTERNATIVES), NONE)
    probability = np.zeros(antecedent.shape)
    kept = best.shape[1]
    antecedent[:, :kept] = np.take_along_axis(columns, best, 1)
    probability[:, :kept] = np.take_along_axis(likely[:, 1:], best, 1)
    return Choices(antecedent, np.where(antecedent == NONE, 0, probability), likely[:, 0])


def _scores(one: Integers, other: Integers, codes: Integers, candidates: Candidates) -> Floats:
    features, between, kinds = pair_features(codes[one], codes[other], np)
    classes = (
        np.searchsorted(DISTANCES, one - other, side="right"),
        np.searchsorted(SENTENCES_APART, between, side="right"),
        kinds,
    )
    return candidates.score(one, other, features, classes)


def _distant(codes: Integers) -> Iterator[list[int]]:
    """For each candidate the last `FAR` beyond `NEAR` that share a name's word or a noun."""
    side = CodedWords(codes)
    known: dict[tuple[str, int], list[int]] = {}
    keys = [
        [] if pronoun else [("key", key) for key in own if key] if named else [("noun", lemma)]
        for own, named, pronoun, lemma in zip(
            codes[:, COLUMNS:].tolist(),
            side.named.tolist(),
            side.pronoun.tolist(),
            side.lemma.tolist(),
            strict=True,
        )
    ]
    for number, own in enumerate(keys):
        left_behind = number - NEAR - 1
        for key in keys[left_behind] if left_behind >= 0 else ():
            known.setdefault(key, []).append(left_behind)
        yield _last(known.get(key, []) for key in own)


def _last(lists: Iterable[list[int]]) -> list[int]:
    found = {number for one in lists for number in islice(reversed(one), FAR)}
    return sorted(found)[-FAR:]


def _padded(rows: list[list[int]]) -> Any:
    width = max(map(len, rows), default=0)
    found = np.full((len(rows), width), NONE)
    for place, row in enumerate(rows):
        found[place, : len(row)] = row
    return found
