"""From scores to structures: the best tree over a sentence, the best sequence of name labels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating[Any]]
Integers = npt.NDArray[np.intp]

NO_NAME = 0.5
"""Added to ``O``: every sentence with names is learned twice, and the encoder tells too many."""
_ONE_ROOT = 1e6
"""More than any sum of arc scores, so that a second arc from the root never pays."""


def best_tree(arcs: Floats) -> Integers:
    """The highest-scoring tree with one root (Chu-Liu/Edmonds).

    `arcs` is ``[words, words + 1]``: a row per dependent, a column per head, column 0 for the root
    and ``j`` for word ``j`` counted from 1. So are the heads. Adding a constant to a row changes
    nothing, so scores need not be normalised. Usually every word's best head already makes a
    tree, and then that tree is the best.
    """
    greedy: Integers = arcs.argmax(1)
    if np.count_nonzero(greedy == 0) == 1 and not _cycle([0, *greedy.tolist()]):
        return greedy
    size = len(arcs) + 1
    scores = np.full((size, size), -np.inf)
    scores[1:] = arcs
    scores[1:, 0] -= _ONE_ROOT
    np.fill_diagonal(scores, -np.inf)
    return np.array(_arborescence(scores)[1:], dtype=np.intp)


def _arborescence(scores: npt.NDArray[np.float64]) -> list[int]:
    """The head of each node in the best tree from node 0; rows are dependents."""
    heads: list[int] = [0, *scores[1:].argmax(1).tolist()]
    cycle = np.array(_cycle(heads), dtype=np.intp)
    if not len(cycle):
        return heads
    free = np.ones(len(heads), dtype=bool)
    free[cycle] = False
    outside = np.flatnonzero(free)
    contracted, leaving, entering = _contracted(scores, heads, cycle, outside)
    solved = _arborescence(contracted)
    new = len(outside)
    for place, node in enumerate(outside.tolist()[1:], start=1):
        head = solved[place]
        inside = head == new
        heads[node] = int(cycle[leaving[place].argmax()] if inside else outside[head])
    entry = solved[new]
    heads[int(cycle[entering[:, entry].argmax()])] = int(outside[entry])
    return heads


def _contracted(
    scores: npt.NDArray[np.float64], heads: list[int], cycle: Integers, outside: Integers
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The graph with the cycle as its last node, and what arcs out of and into the cycle score.

    An arc into the cycle is worth what it adds over the arc of the cycle that it breaks.
    """
    new = len(outside)
    leaving = scores[np.ix_(outside, cycle)]
    kept = scores[cycle, [heads[node] for node in cycle]]
    entering = scores[np.ix_(cycle, outside)] - kept[:, None]
    contracted = np.full((new + 1, new + 1), -np.inf)
    contracted[:new, :new] = scores[np.ix_(outside, outside)]
    contracted[:new, new] = leaving.max(1)
    contracted[new, :new] = entering.max(0)
    return contracted, leaving, entering


def _cycle(heads: Sequence[int]) -> list[int]:
    """The nodes of one cycle, or nothing; node 0 is the root, whose head is not looked at."""
    seen = [0] * len(heads)
    for start in range(1, len(heads)):
        node = start
        while node and not seen[node]:
            seen[node] = start
            node = heads[node]
        if node and seen[node] == start:
            return _around(heads, node)
    return []


def _around(heads: Sequence[int], node: int) -> list[int]:
    cycle = [node]
    while (node := heads[node]) != cycle[0]:
        cycle.append(node)
    return cycle


def best_names(
    scores: Floats,
    labels: tuple[str, ...],
    transitions: tuple[tuple[float, ...], ...] = (),
    prior: float = 0.0,
) -> list[int]:
    """The best label sequence in which ``I-X`` follows only ``B-X`` or ``I-X``, as indices.

    `transitions` score each step from one label to the next, `prior` is added to ``O`` (Viterbi).
    """
    if not len(scores):
        return []
    start, between = _steps(labels, transitions, prior)
    best = scores[0] + start
    back: list[Integers] = []
    for row in scores[1:]:
        paths = best + between
        back.append(paths.argmax(1))
        best = paths.max(1) + row
    state = int(best.argmax())
    sequence = [state]
    for step in reversed(back):
        state = int(step[state])
        sequence.append(state)
    return sequence[::-1]


@lru_cache
def _steps(
    labels: tuple[str, ...], transitions: tuple[tuple[float, ...], ...], prior: float
) -> tuple[Floats, Floats]:
    """What each label scores at the start and, a row for each, after every other; -inf: never."""

    def score(previous: str, label: str) -> float:
        if label.startswith("I-") and previous[2:] != label[2:]:
            return -np.inf
        return prior if label == "O" else 0.0

    start = np.array([score("O", label) for label in labels])
    between = np.array([[score(previous, label) for previous in labels] for label in labels])
    return start, between + np.array(transitions).T if transitions else between
