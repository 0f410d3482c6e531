"""Examples side by side on the device, padded to batches and taught there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from tatian.analysis.telling import OWN, OWN_SAME
from tatian.training.examples import Batch, PairExample, batches_by_length
from tatian.training.loop import Recipe, autocast
from tatian.training.telling.examples import UNKNOWN, TellingExample

Tensor = Any


class Packed:
    """Pairs with their targets: of telling (``words``, ``whole``) or entailment (``soft``).

    A copy of every example for each batch would keep a fast device waiting.
    """

    def __init__(self, rows: Sequence[Any], segments: Sequence[Any], device: str) -> None:
        self.lengths = [len(one) for one in rows]
        ends = np.cumsum(self.lengths)
        self._starts = torch.from_numpy(ends - self.lengths).to(device)
        self._lengths = torch.tensor(self.lengths, device=device)
        self._rows = _joined(rows, np.int32).to(device)
        self._segments = _joined(segments, np.int8).to(device)
        self._words: Tensor = None
        self.whole: Tensor = None
        self.soft: Tensor = None

    @classmethod
    def of(cls, examples: Sequence[TellingExample], device: str) -> Packed:
        """Pairs for telling."""
        self = cls([e.rows for e in examples], [e.segments for e in examples], device)
        self._words = _joined([e.words for e in examples], np.float32).to(device)
        self.whole = torch.from_numpy(np.stack([e.whole for e in examples])).to(device)
        return self

    @classmethod
    def of_pairs(cls, examples: Sequence[PairExample], soft: Any, device: str) -> Packed:
        """Pairs for entailment, with their probabilities."""
        self = cls([e.rows for e in examples], [e.segments for e in examples], device)
        self.soft = torch.from_numpy(soft.astype(np.float32)).to(device)
        return self

    def batches(
        self, budget: int, generator: np.random.Generator | None = None
    ) -> list[dict[str, Any]]:
        """Which examples stand together, and the places of the longest."""
        return [
            {"index": np.array(chosen), "places": np.arange(max(self.lengths[i] for i in chosen))}
            for chosen in batches_by_length(self.lengths, budget, generator)
        ]

    def batch(self, index: Tensor, places: Tensor) -> Batch:
        """The arrays of some examples, padded."""
        inside, at = self._places(index, places)
        result = {
            "rows": self._rows[at].long() * inside,
            "mask": inside.long(),
            "segments": self._segments[at].long() * inside,
        }
        if self.soft is not None:
            return {**result, "soft": self.soft[index]}
        words = torch.where(inside[:, :, None], self._words[at], UNKNOWN)
        return {**result, "words": words, "whole": self.whole[index]}

    def _places(self, index: Tensor, places: Tensor) -> tuple[Tensor, Tensor]:
        inside = places < self._lengths[index][:, None]
        return inside, (self._starts[index][:, None] + places) * inside

    def taught(self, model: Any, table: Tensor, recipe: Recipe, share: float) -> None:
        """Take a teacher's word: a share of what is known, all of what is not."""
        model.eval()
        for one in self.batches(4 * recipe.budget):
            index, places = (
                torch.from_numpy(one[name]).to(recipe.device) for name in ("index", "places")
            )
            batch = self.batch(index, places)
            with torch.no_grad(), autocast(recipe.device, recipe.half):
                found = model(table[batch["rows"]], batch["mask"], batch["segments"])
            self.whole[index] = _mixed(batch["whole"], found["whole"], share)
            inside, at = self._places(index, places)
            own = (batch["segments"] == OWN) | (batch["segments"] == OWN_SAME)
            own &= places < self._lengths[index][:, None] - 1
            words = _mixed(batch["words"], found["told"], share)
            self._words[at[inside]] = torch.where(own[:, :, None], words, UNKNOWN)[inside]


def _joined(arrays: Sequence[Any], kind: Any) -> Tensor:
    return torch.from_numpy(np.concatenate(arrays).astype(kind))


def _mixed(known: Tensor, odds: Tensor, share: float) -> Tensor:
    said = torch.sigmoid(odds.float())
    return torch.where(known > UNKNOWN, share * said + (1 - share) * known, said)
