"""Features that ask each entity of a set by itself, so that one it does not fit tells.

And how well candidates agree with each other: of one set, the right ones are alike.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tatian.aggregation.models.remembering.facts import Told
from tatian.aggregation.models.remembering.memory import Encode, Floats, Memory, stems

_LOOKED_AT = 40
_NEIGHBOURS = 20
_NEAREST = 5
_ALIKE = 4


def each_remembered(
    own: Floats, singles: Floats, memory: Memory, without: frozenset[int]
) -> Floats:
    """How near each candidate is to what named sets that hold a similar entity.

    Mean and least over the entities, of the best and of the best five's mean.
    """
    near = own @ memory.phrases.T
    best, several = [], []
    for similar in singles @ memory.entities.T:
        scores = _entity(near, similar, memory, without)
        best.append(scores[:, 0])
        several.append(scores[:, :_NEAREST].mean(axis=1))
    one, five = np.stack(best, axis=1), np.stack(several, axis=1)
    return np.stack([one.mean(axis=1), one.min(axis=1), five.mean(axis=1), five.min(axis=1)], 1)


def _entity(near: Floats, similar: Floats, memory: Memory, without: frozenset[int]) -> Floats:
    columns: list[Floats] = []
    for other in np.argsort(-similar, kind="stable")[:_LOOKED_AT]:
        held = [int(one) for one in memory.entity_sets[int(other)] if one not in without]
        phrases = [at for one in held for at in memory.set_phrases[one]]
        if phrases:
            columns.append(similar[other] * near[:, phrases].max(axis=1))
        if len(columns) == _NEIGHBOURS:
            break
    if not columns:
        return np.zeros((len(near), 1), dtype=np.float32)
    return np.sort(np.stack(columns, axis=1), axis=1)[:, ::-1]


def described(own: Floats, told: Sequence[Told], memory: Memory, encode: Encode) -> Floats:
    """How near each candidate is to the entities' descriptions, mean and least; else unknown."""
    texts = [one.description for one in told if one.description]
    if not texts:
        return np.full((len(own), 2), np.nan, dtype=np.float32)
    near = own @ memory.projected(encode(texts)).T
    return np.stack([near.mean(axis=1), near.min(axis=1)], axis=1)


def traits(candidates: Sequence[str], told: Sequence[Told]) -> Floats:
    """Whether facts allow to call the entities so: head noun and all words, mean and least.

    Unknown where no entity has traits; entities without any do not count.
    """
    known = [one.traits for one in told if one.traits]
    if not known:
        return np.full((len(candidates), 4), np.nan, dtype=np.float32)
    rows = []
    for candidate in candidates:
        words = stems(candidate)
        heads = [float(bool(words) and words[-1] in one) for one in known]
        shares = [sum(word in one for word in words) / max(1, len(words)) for one in known]
        rows.append((np.mean(heads), min(heads), np.mean(shares), min(shares)))
    return np.array(rows, dtype=np.float32)


def agreement(own: Floats) -> Floats:
    """How near each candidate is to the nearest other, and to the nearest four."""
    near = own @ own.T
    np.fill_diagonal(near, -1.0)
    ordered = np.sort(near, axis=1)[:, ::-1]
    return np.stack([ordered[:, 0], ordered[:, :_ALIKE].mean(axis=1)], axis=1)
