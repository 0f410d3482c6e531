"""The likeliest walks through a pair, and how likely a given walk is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.union.models.edit.decoder import END, FIRST, Decoder, Decoding
from tatian.union.models.edit.reading import Memory
from tatian.union.models.edit.state import SAID, USED, Walks

Walk = tuple[int, ...]
"""Items, the end left out."""
Floats = npt.NDArray[np.float32]
BARRED = -1e4


class Effort(Struct, frozen=True):
    """How widely to search."""

    beams: int = 8
    bonuses: tuple[float, ...] = (0.0, 0.5, 1.0)
    """One beam each: how much new content that belongs into the union is rewarded, word by word."""
    kept: int = 8
    """Walks of each beam."""
    alpha: float = 0.7
    """Length normalisation."""


FULL = Effort()
QUICK = Effort(beams=4, bonuses=(0.5,), kept=6)


def search(decoder: Decoder, memory: Memory, effort: Effort) -> list[Walk]:
    """The best walks of every beam, without repeats, best first within a beam."""
    groups, beams = len(effort.bonuses), effort.beams
    count = groups * beams
    pair = memory.pair
    walks, decoding = Walks(pair, count), Decoding(decoder, memory, count)
    likely = memory.used * pair.content
    bonus = np.repeat(np.array(effort.bonuses, np.float32), beams)[:, None]
    scores = np.full((groups, beams), -1e9)
    scores[:, 0] = 0.0
    history = np.zeros((count, 0), np.int64)
    states = decoding.begin(count)
    ended: list[list[tuple[float, Walk]]] = [[] for _ in range(groups)]
    for step in range(min(decoder.longest - 1, len(pair.sentence) + 8)):
        features = walks.features()
        logp = _log_softmax(_barred(decoding.logits(states, features), features))
        new = likely * (features[..., SAID] == 0)
        logp[:, FIRST:] += bonus * new
        logp[:, END] -= 0.5 * bonus[:, 0] * (new * ~walks.used).sum(-1)
        per_group = logp.reshape(groups, beams, -1)
        endings = per_group[:, :, END] + scores
        for group in range(groups):
            for beam in np.argsort(-endings[group])[:3]:
                if endings[group, beam] > -1e8:
                    value = endings[group, beam] / (step + 1) ** effort.alpha
                    ended[group].append((value, tuple(history[group * beams + beam].tolist())))
        if _settled(ended, scores, step, effort):
            break
        total = scores[:, :, None] + per_group
        total[:, :, END] = -1e9
        flat = total.reshape(groups, -1)
        best = np.argpartition(-flat, beams, 1)[:, :beams]
        scores = np.take_along_axis(flat, best, 1)
        rows = (best // per_group.shape[-1] + np.arange(groups)[:, None] * beams).ravel()
        items = (best % per_group.shape[-1]).ravel()
        history = np.concatenate((history[rows], items[:, None]), 1)
        walks.take(rows, np.where(items >= FIRST, items - FIRST, -1))
        states = decoding.step(rows, items)
    found: dict[Walk, None] = {}
    for finished in ended:
        best_first = sorted(finished, key=lambda one: -one[0])
        found.update(dict.fromkeys(walk for _, walk in best_first[: effort.kept]))
    return list(found)


def _settled(
    ended: Sequence[Sequence[tuple[float, Walk]]],
    scores: npt.NDArray[Any],
    step: int,
    effort: Effort,
) -> bool:
    """Whether no walk that is still going can come among those kept."""
    for finished, live in zip(ended, scores, strict=True):
        if len(finished) < effort.kept:
            return False
        worst = sorted((value for value, _ in finished), reverse=True)[effort.kept - 1]
        if live.max() / (step + 12) ** effort.alpha > worst:
            return False
    return True


def log_likelihoods(decoder: Decoder, memory: Memory, walks: Sequence[Walk]) -> Floats:
    """The log-probability of each walk, its end included."""
    if not walks:
        return np.zeros(0, np.float32)
    count = len(walks)
    state, decoding = Walks(memory.pair, count), Decoding(decoder, memory, count)
    lengths = np.array([len(walk) for walk in walks])
    steps = min(int(lengths.max()) + 1, decoder.longest)
    items = np.full((count, steps), END)
    for row, walk in enumerate(walks):
        items[row, : len(walk)] = walk[:steps]
    hidden = decoding.follow(items)
    totals = np.zeros(count, np.float32)
    everything = np.arange(count)
    for step in range(steps):
        features = state.features()
        logp = _log_softmax(_barred(decoding.logits(hidden[:, step], features), features))
        chosen = items[:, step]
        totals += np.where(step <= lengths, logp[everything, chosen], 0)
        state.take(everything, np.where(chosen >= FIRST, chosen - FIRST, -1))
    return totals


def _barred(logits: Floats, features: Floats) -> Floats:
    """No word is said twice."""
    words = logits[:, FIRST:]
    words[features[..., USED] > 0] = BARRED
    return logits


def _log_softmax(logits: Floats) -> Floats:
    shifted = logits - logits.max(-1, keepdims=True)
    found: Floats = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    return found


def swapped(walk: Walk, first: int, second: int) -> Walk:
    """The same walk for the sentences in the other order; they have so many words."""
    return tuple(
        item if item < FIRST else item + second if item - FIRST < first else item - first
        for item in walk
    )
