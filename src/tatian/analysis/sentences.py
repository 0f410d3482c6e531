"""Sentences through the encoder: tags, lemmas, names and trees of words, as label indices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tatian.analysis.loading import Arrays, Weights
from tatian.analysis.pieces import (
    CACHED_WORDS,
    MAX_CACHED_CHARACTERS,
    PieceWindow,
    cut_windows,
    endings,
    shape,
)

Floats = npt.NDArray[np.floating[Any]]
Integers = npt.NDArray[np.intp]

NO_NAME = 0.5
"""Score added to ``O``: training repeats sentences with names, so the encoder finds too many."""
_ONE_ROOT = 1e6
"""Penalty of arcs from the root, above any sum of scores, so that there is only one."""


def best_tree(arcs: Floats) -> Integers:
    """Return the highest-scoring tree with one root (Chu-Liu/Edmonds).

    `arcs` is ``[words, words + 1]``: a row per dependent, a column per head, column 0 for the root
    and ``j`` for word ``j`` counted from 1. Heads are returned with the same numbers. Adding a
    constant to a row changes nothing, so scores need not be normalised. Usually the best heads of
    all words already form a tree, which is then returned.
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
    """Return the head of each node in the best tree from node 0; rows are dependents."""
    heads: list[int] = [0, *scores[1:].argmax(1).tolist()]
    cycle = np.array(_cycle(heads), dtype=np.intp)
    if not len(cycle):
        return heads
    free = np.ones(len(heads), dtype=bool)
    free[cycle] = False
    outside = np.flatnonzero(free)
    contracted, leaving, entering = _contract(scores, heads, cycle, outside)
    solved = _arborescence(contracted)
    new = len(outside)
    for place, node in enumerate(outside.tolist()[1:], start=1):
        head = solved[place]
        inside = head == new
        heads[node] = int(cycle[leaving[place].argmax()] if inside else outside[head])
    entry = solved[new]
    heads[int(cycle[entering[:, entry].argmax()])] = int(outside[entry])
    return heads


def _contract(
    scores: npt.NDArray[np.float64], heads: list[int], cycle: Integers, outside: Integers
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the graph with the cycle as last node, and the gains of arcs out of and into it."""
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
    """Return the nodes of one cycle, or nothing; node 0 is the root, whose head is ignored."""
    seen = [0] * len(heads)
    for start in range(1, len(heads)):
        node = start
        while node and not seen[node]:
            seen[node] = start
            node = heads[node]
        if node and seen[node] == start:
            return _follow_cycle(heads, node)
    return []


def _follow_cycle(heads: Sequence[int], node: int) -> list[int]:
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
    """Return the indices of the best labels in which ``I-X`` follows only ``B-X`` or ``I-X``.

    `transitions` score each step from one label to the next, `prior` is added to ``O`` (Viterbi).
    """
    if not len(scores):
        return []
    start, transition_scores = _steps(labels, transitions, prior)
    best = scores[0] + start
    back: list[Integers] = []
    for row in scores[1:]:
        paths = best + transition_scores
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
    """Return the scores of labels at the start, and of each label (row) before each other one."""

    def score(previous: str, label: str) -> float:
        if label.startswith("I-") and previous[2:] != label[2:]:
            return -np.inf
        return prior if label == "O" else 0.0

    start = np.array([score("O", label) for label in labels])
    rows = [[score(previous, label) for previous in labels] for label in labels]
    transition_scores = np.array(rows)
    return start, transition_scores + np.array(transitions).T if transitions else transition_scores


TAGS = ("upos", "xpos", "features", "scripts")
OUTPUTS = (*TAGS, "names", "arcs", "dependents", "heads")
SPECIALS = 2
"""Number of special pieces of a unit."""
_BLOCK = 48
"""Number of words whose relations are scored at once."""


class WordInput(NamedTuple):
    """Encoder input for a word."""

    rows: tuple[int, ...]
    shape: int
    endings: tuple[int, int]


class EncoderUnit(NamedTuple):
    """Encoder input: a sentence, or a window of a long one."""

    words: Sequence[WordInput]
    window: PieceWindow
    length: int
    """Number of pieces, specials included."""

    @property
    def kept(self) -> slice:
        """The words that are not context."""
        first, _, begin, end = self.window
        return slice(begin - first, end - first)


class SentenceLabels(NamedTuple):
    """Encoder output for each word of a sentence."""

    upos: list[int]
    xpos: list[int]
    features: list[int]
    scripts: list[int]
    heads: list[int]
    """Heads counted from 1; 0 for the root."""
    relations: list[int]
    names: list[int]


class SentencePart(NamedTuple):
    """Encoder output for the words that a unit keeps."""

    tags: list[list[int]]
    """Best label of each word, for each of `TAGS`."""
    heads: list[int]
    relations: list[int]
    names: Floats
    """Scores of all labels; they are decoded for the whole sentence."""


class SentenceReader:
    """Reader of sentences of any length; safe to call from several threads."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        labels = weights.labels
        self._room = labels.positions - SPECIALS
        self._root = labels.relations.index("root")
        self._shapes = {item: index for index, item in enumerate(labels.shapes)}
        self._endings = {item: index for index, item in enumerate(labels.endings)}
        self._cache = lru_cache(CACHED_WORDS)(self._encode_word)

    def units(self, words: Sequence[str]) -> list[EncoderUnit]:
        """Divide a sentence into units for the encoder; none if it has no words."""
        known = [
            self._cache(word) if len(word) <= MAX_CACHED_CHARACTERS else self._encode_word(word)
            for word in words
        ]
        lengths = [len(word.rows) for word in known]
        return [
            EncoderUnit(
                known[window.first : window.last],
                window,
                sum(lengths[window.first : window.last]) + SPECIALS,
            )
            for window in cut_windows(lengths, self._room)
        ]

    def _encode_word(self, word: str) -> WordInput:
        short, long = (self._endings.get(ending, 0) for ending in endings(word))
        rows = self.weights.pieces.word(word)
        return WordInput(rows, self._shapes.get(shape(word), 0), (short, long))

    def read(self, units: Sequence[EncoderUnit]) -> list[SentencePart]:
        """Run the encoder once over units, which should have about the same length."""
        out = self.weights.run("tokens", self.inputs(units), OUTPUTS)
        tags = [out[name].argmax(-1) for name in TAGS]
        trees = [
            _tree(out["arcs"][row, : len(unit.words), : len(unit.words) + 1], unit.kept)
            for row, unit in enumerate(units)
        ]
        relations = self._relations(out, units, trees)
        return [
            SentencePart(
                tags=[tag[row, unit.kept].tolist() for tag in tags],
                heads=[head and head + unit.window.first for head in trees[row].tolist()],
                relations=relations[row].tolist(),
                names=out["names"][row, unit.kept],
            )
            for row, unit in enumerate(units)
        ]

    def join(self, parts: Sequence[SentencePart]) -> SentenceLabels:
        """Join the parts of a sentence; its heads always form a tree with one root."""
        labels = self.weights.labels
        scores = [part.names for part in parts] or [np.zeros((0, 1))]
        upos, xpos, features, scripts = (
            list(chain.from_iterable(part.tags[kind] for part in parts))
            for kind in range(len(TAGS))
        )
        return SentenceLabels(
            upos=upos,
            xpos=xpos,
            features=features,
            scripts=scripts,
            heads=list(chain.from_iterable(part.heads for part in parts)),
            relations=list(chain.from_iterable(part.relations for part in parts)),
            names=best_names(np.concatenate(scores), labels.names, labels.transitions, NO_NAME),
        )

    def inputs(self, units: Sequence[EncoderUnit]) -> Arrays:
        """Return the arrays that the tokens body takes, padded to the longest unit."""
        size = len(units)
        time = max(unit.length for unit in units)
        longest = max(len(unit.words) for unit in units)
        pieces = self.weights.pieces
        rows = np.zeros((size, time), dtype=np.int64)
        mask, shapes = np.zeros_like(rows), np.zeros_like(rows)
        words = np.zeros((size, longest, 2), dtype=np.int64)
        ends = np.zeros_like(words)
        for row, (known, _, length) in enumerate(units):
            of_words = chain.from_iterable(word.rows for word in known)
            rows[row, :length] = [pieces.start, *of_words, pieces.end]
            mask[row, :length] = 1
            counts = np.array([len(word.rows) for word in known])
            last = counts.cumsum()
            words[row, : len(known), 0] = last - counts + 1
            words[row, : len(known), 1] = last
            ends[row, : len(known)] = [word.endings for word in known]
            shapes[row, 1 : length - 1] = np.repeat([word.shape for word in known], counts)
        embeddings = self.weights.embeddings(rows)
        embeddings[mask == 0] = 0
        features = {"shapes": shapes, "words": words, "endings": ends}
        return {"embeddings": embeddings, "mask": mask, **features}

    def _relations(
        self, out: Arrays, units: Sequence[EncoderUnit], trees: Sequence[Integers]
    ) -> list[Integers]:
        dependents = [out["dependents"][row, unit.kept] for row, unit in enumerate(units)]
        governors = [out["heads"][row, heads] for row, heads in enumerate(trees)]
        best = best_relations(
            self.weights.relations,
            np.concatenate(dependents),
            np.concatenate(governors),
            np.concatenate(trees),
            self._root,
        )
        return np.split(best, np.cumsum([len(heads) for heads in trees])[:-1])


def best_relations(
    weights: npt.NDArray[np.float32],
    dependents: npt.NDArray[np.float32],
    governors: npt.NDArray[np.float32],
    heads: Integers,
    root: int,
) -> Integers:
    """Return the relation of each word to its head; only the root's is `root`."""
    scores = relation_scores(weights, dependents, governors)
    scores[:, root] = -np.inf
    best: Integers = scores.argmax(1)
    best[heads == 0] = root
    return best


def relation_scores(
    weights: npt.NDArray[np.float32],
    dependents: npt.NDArray[np.float32],
    heads: npt.NDArray[np.float32],
) -> npt.NDArray[np.float32]:
    """Return the scores of all relations of each dependent to its head: ``[words, labels]``.

    Products are small, since numpy computes large ones in threads of its own, which would compete
    with ours.
    """
    d, h = _with_one(dependents), _with_one(heads)
    blocks = (slice(start, start + _BLOCK) for start in range(0, len(d), _BLOCK))
    scores = [np.einsum("lwr,wr->wl", np.matmul(d[block], weights), h[block]) for block in blocks]
    return np.concatenate(scores)


def _with_one(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return np.concatenate((vectors, np.ones((len(vectors), 1), dtype=np.float32)), axis=1)


def _tree(arcs: npt.NDArray[np.float32], kept: slice) -> Integers:
    """Return the heads of the kept words, from 1 in the window, 0 for the sentence's root.

    The kept words form a tree. Except in the first window, its root is attached to the best word of
    the context to the left, so that the trees of all windows are connected.
    """
    if kept == slice(0, len(arcs)):
        return best_tree(arcs)
    columns = np.concatenate(([0], np.arange(kept.start + 1, kept.stop + 1)))
    tree = best_tree(arcs[kept][:, columns])
    heads: Integers = columns[tree]
    if kept.start:
        root = int(np.flatnonzero(tree == 0)[0])
        heads[root] = 1 + int(arcs[kept.start + root, 1 : kept.start + 1].argmax())
    return heads
