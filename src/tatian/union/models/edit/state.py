"""Where several walks through one pair stand, and what that says of each word to come."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tatian.union.models.edit.reading import Pair

FEATURES = 11
USED, SAID = 4, 5
"""Features that searching and scoring look at."""
Array = npt.NDArray[Any]


class Walks:
    """The state of a number of walks side by side; as `tatian.training.edit.model` computes it."""

    def __init__(self, pair: Pair, count: int) -> None:
        self.pair = pair
        words = len(pair.sentence)
        self.first = int((pair.sentence == 0).sum())
        self.used = np.zeros((count, words), bool)
        self.said = np.zeros((count, int(pair.stems.max(initial=0)) + 1), bool)
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
        """Go on with the walks in `rows`, each to its place (-1 where it goes to no word)."""
        self.used, self.said = self.used[rows], self.said[rows]
        self.last, self.reached = self.last[rows], self.reached[rows]
        moved = np.flatnonzero(places >= 0)
        at = places[moved]
        self.used[moved, at] = True
        self.last[moved] = at
        side = self.pair.sentence[at]
        self.reached[moved, side] = np.maximum(self.reached[moved, side], at)
        told = self.pair.content[at] & (self.pair.stems[at] > 0)
        self.said[moved[told], self.pair.stems[at[told]]] = True

    def features(self) -> npt.NDArray[np.float32]:
        """``[walks, words, FEATURES]``."""
        pair, places = self.pair, self._places
        begun = (self.last >= 0)[:, None]
        at = np.maximum(self.last, 0)
        same = (pair.sentence[None] == pair.sentence[at][:, None]) & begun
        ahead = places[None] - self.reached[:, pair.sentence] - 1
        last_stem = np.where(begun[:, 0], pair.stems[at], 0)[:, None]
        next_stem = np.where(begun[:, 0], self._after[at], 0)[:, None]
        found = np.empty((len(self.last), len(places), FEATURES), np.float32)
        found[..., 0] = (places[None] == self.last[:, None] + 1) & same
        found[..., 1] = same
        found[..., 2] = ahead == 0
        found[..., 3] = ahead < 0
        found[..., USED] = self.used
        found[..., SAID] = self.said[:, pair.stems] & (pair.stems > 0)
        found[..., 6] = np.clip(ahead, 0, 12) / 12.0
        found[..., 7] = (self._before[None] == last_stem) & (last_stem > 0) & ~same
        found[..., 8] = (pair.stems[None] == next_stem) & (next_stem > 0) & ~same
        found[..., 9] = self._opening
        found[..., 10] = self._in_first
        return found
