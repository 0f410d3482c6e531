"""How likely a language model finds each token of some texts; equal beginnings are read once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tatian.union.models.lm.gguf import Floats
from tatian.union.models.lm.network import Adapter, Cache, Network

MOST = 256
"""Tokens read at once; more would cost memory (their attention grows with the square)."""
COLUMNS = 64
"""States whose predictions are held at once: one column is as long as the vocabulary."""

Sequences = Sequence[Sequence[int]]


class Tree:
    """Token sequences as one tree, in which each token's parent is the token before it."""

    def __init__(self, sequences: Iterable[Sequence[int]]) -> None:
        self.tokens: list[int] = []
        self.parents: list[int] = []
        self.depths: list[int] = []
        self.paths: list[list[int]] = []
        self._known: dict[tuple[int, int], int] = {}
        for sequence in sequences:
            self.add(sequence)

    def __len__(self) -> int:
        return len(self.tokens)

    def add(self, sequence: Sequence[int]) -> None:
        """Add a sequence; what it shares with an earlier one from the start is not added again."""
        path: list[int] = []
        for depth, token in enumerate(sequence):
            parent = path[-1] if path else -1
            node = self._known.get((parent, token))
            if node is None:
                node = self._known[parent, token] = len(self.tokens)
                self.tokens.append(token)
                self.parents.append(parent)
                self.depths.append(depth)
            path.append(node)
        self.paths.append(path)

    def cost(self, sequence: Sequence[int]) -> int:
        """How many tokens adding the sequence would add."""
        parent = -1
        for depth, token in enumerate(sequence):
            node = self._known.get((parent, token))
            if node is None:
                return len(sequence) - depth
            parent = node
        return 0


def log_probabilities(
    network: Network, sequences: Sequences, adapter: Adapter | None = None
) -> list[Floats]:
    """For each sequence, the log-probability of every token but the first, given those before."""
    tree = Tree(sequences)
    chances = _chances(network, tree, adapter)
    return [chances[path[1:]] for path in tree.paths]


def chunks(sequences: Sequences, wanted: int = 1) -> list[list[int]]:
    """Indices of sequences to read together: `wanted` chunks of like size, more if they are large.

    Neighbours in the alphabet share beginnings, so they stay together.
    """
    share = -(-len(Tree(sequences)) // wanted)
    found: list[list[int]] = []
    tree = Tree(())
    for index in sorted(range(len(sequences)), key=lambda index: list(sequences[index])):
        size = len(tree) + tree.cost(sequences[index])
        if not found or size > MOST or (size > share and len(found) < wanted):
            found.append([])
            tree = Tree(())
        found[-1].append(index)
        tree.add(sequences[index])
    return found


def _chances(network: Network, tree: Tree, adapter: Adapter | None) -> Floats:
    """The log-probability of every token of a tree after its parent; 0 for those at the root."""
    chances = np.zeros(len(tree), np.float32)
    if not len(tree):
        return chances
    tokens, parents = np.array(tree.tokens), np.array(tree.parents)
    visible = np.eye(len(tree), dtype=np.bool_)
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            visible[: parent + 1, node] = visible[: parent + 1, parent]
    cache = Cache(network.shape, len(tree))
    states = network.extend(cache, tokens, np.array(tree.depths), visible, adapter)
    children = np.flatnonzero(parents >= 0)
    inner, columns = np.unique(parents[children], return_inverse=True)
    for begin in range(0, len(inner), COLUMNS):
        logits = network.logits(states[:, inner[begin : begin + COLUMNS]])
        within = (columns >= begin) & (columns < begin + COLUMNS)
        chosen, column = children[within], columns[within] - begin
        chances[chosen] = logits[tokens[chosen], column]
        chances[chosen] -= log_totals(logits)[column]
    return chances


def log_totals(logits: Floats) -> Floats:
    """The logarithm of the sum of exponentials of each column; `logits` are used up."""
    most = logits.max(0)
    logits -= most
    np.exp(logits, out=logits)
    totals: Floats = np.log(logits.sum(0)) + most
    return totals
