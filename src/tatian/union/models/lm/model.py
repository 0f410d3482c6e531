"""A language model with its word pieces."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tatian.analysis.engine import spread, thread_count
from tatian.union.models.lm import Likelihood
from tatian.union.models.lm.adapter import read_adapter
from tatian.union.models.lm.gguf import GGUF
from tatian.union.models.lm.network import Adapter, Network
from tatian.union.models.lm.pieces import Pieces
from tatian.union.models.lm.scoring import chunks, log_probabilities
from tatian.union.models.lm.threads import one_thread

START = "<|endoftext|>"
"""Stands before a text, as it stood between texts when the model was trained."""


class LanguageModel:
    """What a GGUF file holds, ready to be asked; may be shared between threads."""

    def __init__(self, path: Path) -> None:
        file = GGUF(path)
        self.path = path
        self.pieces = Pieces.of(file)
        self.network = Network.of(file)
        self._start = self.pieces.control(START)
        self._adapters: dict[Path, Adapter] = {}

    def adapter(self, path: Path) -> Adapter:
        """The adapter of a file, read once."""
        if path not in self._adapters:
            self._adapters[path] = read_adapter(path, self.network)
        return self._adapters[path]

    def likelihoods(
        self, texts: Sequence[str], *, threads: int | None = None, adapter: Adapter | None = None
    ) -> list[Likelihood]:
        """How likely each text is, as one that stands by itself; longer ones count as cut off."""
        most = self.network.shape.positions
        sequences = [[self._start, *self.pieces.encode(text)][:most] for text in texts]
        found = [Likelihood(0.0, 0)] * len(texts)
        count = thread_count(threads)
        groups = chunks(sequences, count)

        def read(group: list[int]) -> list[Likelihood]:
            scored = log_probabilities(self.network, [sequences[i] for i in group], adapter)
            return [Likelihood(float(one.sum(dtype=float)), len(one)) for one in scored]

        with one_thread:
            for group, scored in zip(groups, spread(read, groups, count), strict=True):
                for index, likelihood in zip(group, scored, strict=True):
                    found[index] = likelihood
        return found
