"""Beam search for the likeliest walks through a pair, and likelihoods of given walks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.union.models.edit.decoder import END, FIRST, Decoder, Decoding
from tatian.union.models.edit.words import EditPair, PairEncoding

FEATURES = 11
USED, REPEATED = 4, 5
"""Indices of the features that search and scoring read."""
Array = npt.NDArray[Any]


class Walks:
    """State of several walks in parallel; must match `tatian.training.edit.model`."""

    def __init__(self, pair: EditPair, count: int) -> None:
        self.pair = pair
        words = len(pair.sentence)
        self.first = int((pair.sentence == 0).sum())
        self.used = np.zeros((count, words), bool)
        self.used_stems = np.zeros((count, int(pair.stems.max(initial=0)) + 1), bool)
        self.last = np.full(count, -1)
        self.reached = np.tile(np.array([-1, self.first - 1]), (count, 1))
        places = np.arange(words)
        self._places = places
        starts = np.where(pair.sentence == 0, 0, self.first)
        self._opening = (places == starts).astype(np.float32)
        self._in_first = (pair.sentence == 0).astype(np.float32)
        before = np.concatenate(([0], pair.stems[:-1])) if words else pair.stems
        self._before = np.where(places == starts, 0, before)
        following = np.concatenate((pair.stems[1:], [0])) if words else pair.stems
        self._after = np.where(places == self.first - 1, 0, following)

    def take(self, rows: Array, places: Array) -> None:
        """Continue the walks in `rows`, each to its word (-1 for no word)."""
        self.used, self.used_stems = self.used[rows], self.used_stems[rows]
        self.last, self.reached = self.last[rows], self.reached[rows]
        moved = np.flatnonzero(places >= 0)
        at = places[moved]
        self.used[moved, at] = True
        self.last[moved] = at
        side = self.pair.sentence[at]
        self.reached[moved, side] = np.maximum(self.reached[moved, side], at)
        content = self.pair.content[at] & (self.pair.stems[at] > 0)
        self.used_stems[moved[content], self.pair.stems[at[content]]] = True

    def features(self) -> npt.NDArray[np.float32]:
        """Return the word features, ``[walks, words, FEATURES]``."""
        pair, places = self.pair, self._places
        begun = (self.last >= 0)[:, None]
        at = np.maximum(self.last, 0)
        same = (pair.sentence[None] == pair.sentence[at][:, None]) & begun
        ahead = places[None] - self.reached[:, pair.sentence] - 1
        last_stem = np.where(begun[:, 0], pair.stems[at], 0)[:, None]
        next_stem = np.where(begun[:, 0], self._after[at], 0)[:, None]
        features = np.empty((len(self.last), len(places), FEATURES), np.float32)
        features[..., 0] = (places[None] == self.last[:, None] + 1) & same
        features[..., 1] = same
        features[..., 2] = ahead == 0
        features[..., 3] = ahead < 0
        features[..., USED] = self.used
        features[..., REPEATED] = self.used_stems[:, pair.stems] & (pair.stems > 0)
        features[..., 6] = np.clip(ahead, 0, 12) / 12.0
        features[..., 7] = (self._before[None] == last_stem) & (last_stem > 0) & ~same
        features[..., 8] = (pair.stems[None] == next_stem) & (next_stem > 0) & ~same
        features[..., 9] = self._opening
        features[..., 10] = self._in_first
        return features


Walk = tuple[int, ...]
"""Items of a walk, without the end."""
Floats = npt.NDArray[np.float32]
MASKED = -1e4


class Effort(Struct, frozen=True):
    """Width of the search."""

    beams: int = 8
    bonuses: tuple[float, ...] = (0.0, 0.5, 1.0)
    """Rewards for a new content word that belongs in the union; one beam search per reward."""
    kept: int = 8
    """Number of walks kept from each beam search."""
    alpha: float = 0.7
    """Exponent of the length normalisation."""


FULL = Effort()
QUICK = Effort(beams=4, bonuses=(0.5,), kept=6)


def search(decoder: Decoder, memory: PairEncoding, effort: Effort) -> list[Walk]:
    """Return the best walks of every beam search without repeats, best first within each."""
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
        logp = _log_softmax(_mask_used(decoding.logits(states, features), features))
        new = likely * (features[..., REPEATED] == 0)
        logp[:, FIRST:] += bonus * new
        logp[:, END] -= 0.5 * bonus[:, 0] * (new * ~walks.used).sum(-1)
        per_group = logp.reshape(groups, beams, -1)
        endings = per_group[:, :, END] + scores
        for group in range(groups):
            for beam in np.argsort(-endings[group])[:3]:
                if endings[group, beam] > -1e8:
                    value = endings[group, beam] / (step + 1) ** effort.alpha
                    ended[group].append((value, tuple(history[group * beams + beam].tolist())))
        if _is_settled(ended, scores, step, effort):
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
    walks_by_rank: dict[Walk, None] = {}
    for finished in ended:
        best_first = sorted(finished, key=lambda ended_walk: -ended_walk[0])
        walks_by_rank.update(dict.fromkeys(walk for _, walk in best_first[: effort.kept]))
    return list(walks_by_rank)


def _is_settled(
    ended: Sequence[Sequence[tuple[float, Walk]]],
    scores: npt.NDArray[Any],
    step: int,
    effort: Effort,
) -> bool:
    """Return True if no unfinished walk can still be among the best."""
    for finished, live in zip(ended, scores, strict=True):
        if len(finished) < effort.kept:
            return False
        worst = sorted((value for value, _ in finished), reverse=True)[effort.kept - 1]
        if live.max() / (step + 12) ** effort.alpha > worst:
            return False
    return True


def log_likelihoods(decoder: Decoder, memory: PairEncoding, walks: Sequence[Walk]) -> Floats:
    """Return the log-probability of each walk, including its end."""
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
        logp = _log_softmax(_mask_used(decoding.logits(hidden[:, step], features), features))
        chosen = items[:, step]
        totals += np.where(step <= lengths, logp[everything, chosen], 0)
        state.take(everything, np.where(chosen >= FIRST, chosen - FIRST, -1))
    return totals


def _mask_used(logits: Floats, features: Floats) -> Floats:
    """Exclude words that the walk has already used."""
    words = logits[:, FIRST:]
    words[features[..., USED] > 0] = MASKED
    return logits


def _log_softmax(logits: Floats) -> Floats:
    shifted = logits - logits.max(-1, keepdims=True)
    result: Floats = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    return result


def swap_sentences(walk: Walk, first: int, second: int) -> Walk:
    """Return the walk for the sentences in the other order; `first`, `second` are their lengths."""
    return tuple(
        item if item < FIRST else item + second if item - FIRST < first else item - first
        for item in walk
    )
