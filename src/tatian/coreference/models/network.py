"""The trained heads in plain numpy: mentions, antecedents and edges from the encoder's states.

How far a mention reaches is told by features of the words of its sentence. The arrays are described
where they are made, in `tatian.training.coref.train`.
"""

from __future__ import annotations

from functools import lru_cache
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.coreference.models.pairs import DISTANCES, KINDS, PAIR, SENTENCES_APART
from tatian.coreference.words import (
    DEEPEST,
    RELATIONS,
    SCHEMES,
    TAG,
    WORD_SIZES,
    Booleans,
    Integers,
    Text,
)
from tatian.errors import AssetError

SPAN = 10
FARTHEST = 16
"""Words farther from the head than this count as so far."""
OFFSETS = 2 * FARTHEST + 1
NOT_BELOW = len(RELATIONS)
"""What leads to words that do not hang below the head."""


class SpanInput(Struct, frozen=True):
    """For some head words, what is known of each word of their sentences: ``[heads, words]``."""

    words: Integers
    """Places in the document; 0 where the sentence is over."""
    real: Booleans
    """Whether there is a word."""
    features: npt.NDArray[np.float32]
    """``[heads, words, SPAN]``."""
    via: Integers
    """The relation by which the word's part of the tree hangs on the head."""
    offsets: Integers
    """Where the word stands from the head, from 0 up to `OFFSETS`."""
    tags: Integers


def span_input(text: Text, heads: Integers) -> SpanInput:
    """What tells where the mentions of `heads` begin and end."""
    heads = np.asarray(heads, np.int64)
    begin = text.begin[heads][:, None]
    lengths = text.end[heads] - text.begin[heads]
    steps = np.arange(lengths.max(initial=0))
    real = steps < lengths[:, None]
    words = np.where(real, begin + steps, 0)
    return SpanInput(
        words,
        real,
        _features(text, heads, words, real),
        _branches(text, heads, words, real),
        np.where(real, (words - heads[:, None]).clip(-FARTHEST, FARTHEST) + FARTHEST, 0),
        np.where(real, text.tag[words], 0),
    )


def _features(
    text: Text, heads: Integers, words: Integers, real: Booleans
) -> npt.NDArray[np.float32]:
    left, right = (edge[heads][:, None] for edge in text.reach)
    begin, end, short = (edge[heads][:, None] for edge in text.edges)
    columns: tuple[Any, ...] = (
        words == left,
        words == right,
        (words >= left) & (words <= right),
        words == heads[:, None],
        words == begin,
        words == end,
        words == short,
        words == text.first[heads][:, None],
        words == text.last[heads][:, None],
        text.tag[words] == TAG["PUNCT"],
    )
    return (np.stack(columns, -1) & real[..., None]).astype(np.float32)


def _branches(text: Text, heads: Integers, words: Integers, real: Booleans) -> Integers:
    """Climbs from every word until the head is reached, at the most to the root."""
    found = np.full(words.shape, NOT_BELOW)
    at = words.copy()
    for _ in range(min(DEEPEST, int(text.depth.max(initial=0)))):
        above = text.head[at]
        arrived = (above == heads[:, None]) & (found == NOT_BELOW)
        found[arrived] = text.relation[at[arrived]]
        at = np.where(above >= 0, above, at)
    return np.where(real, found, 0)


Floats = npt.NDArray[np.float32]
BARRED = np.float32(-1e4)
"""The score of what must not be chosen."""
BLOCK = 512
"""Rows worked on at once: what stays in a processor's own memory is fastest."""
SMALL = 1 << 18
"""Multiplications up to which OpenBLAS uses one thread."""
CLASSES = (len(DISTANCES) + 1, len(SENTENCES_APART) + 1, KINDS)
"""Classes of distance, of sentences between, and of kinds."""


class Network:
    """The arrays of the heads, and what they make of words and pairs."""

    def __init__(self, path: Path) -> None:
        with np.load(path) as stored:
            names = [name for name in stored.files if not name.endswith(".scale")]
            self._arrays = {name: _restored(stored, name) for name in names}
        tables = [len(self._arrays[f"word_features.{k}.weight"]) for k in range(len(WORD_SIZES))]
        schemes, features = self["pair_weights.weight"].shape
        if (tables, schemes, features) != (list(WORD_SIZES), len(SCHEMES), PAIR):
            raise AssetError(f"{path} is of another version of tatian: reinstall tatian")

    def __getitem__(self, name: str) -> Floats:
        return self._arrays[name]

    def linear(self, name: str, x: Floats) -> Floats:
        """One affine layer."""
        found = product(x, self[f"{name}.weight"].T)
        bias = self._arrays.get(f"{name}.bias")
        return found if bias is None else found + bias

    def vectors(self, states: Floats, features: Integers) -> Floats:
        """What all heads read of words, from the encoder's states and their features."""
        found = self.room(len(states))
        for first in range(0, len(states), BLOCK):
            some = slice(first, first + BLOCK)
            known = [
                self[f"word_features.{number}.weight"][column]
                for number, column in enumerate(features[some].T)
            ]
            x = self.linear("enter", np.concatenate((states[some], *known), -1))
            x -= x.mean(-1, keepdims=True)
            x /= np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5)
            found[some] = x * self["norm.weight"] + self["norm.bias"]
        return found

    def room(self, words: int) -> Floats:
        """An array for the vectors of so many words."""
        return np.empty((words, len(self["norm.bias"])), np.float32)

    def mentions(self, vectors: Floats) -> Floats:
        """``[words, schemes]``: log-odds of each word to head a mention."""
        found = np.empty((len(vectors), len(self["mention.weight"])), np.float32)
        for first in range(0, len(vectors), BLOCK):
            some = slice(first, first + BLOCK)
            found[some] = self.linear("mention", gelu(self.linear("mention_hidden", vectors[some])))
        return found

    def edges(self, vectors: Floats, heads: Integers, given: SpanInput, scheme: int) -> Integers:
        """``[2, heads]``: the places where the mentions of `heads` begin and end, inclusive."""
        at = heads[:, None]
        first = self._edge(0, vectors, heads, given, scheme)
        last = self._edge(1, vectors, heads, given, scheme)
        first = np.where(given.real & (given.words <= at), first, BARRED)
        last = np.where(given.real & (given.words >= at), last, BARRED)
        rows = np.arange(len(heads))
        return np.stack([given.words[rows, one.argmax(1)] for one in (first, last)])

    def _edge(
        self, end: int, vectors: Floats, heads: Integers, given: SpanInput, scheme: int
    ) -> Floats:
        name = f"edges.{end}"
        query = self.linear(f"{name}.query", vectors[heads])
        needed, inverse = np.unique(given.words, return_inverse=True)
        keys = self.linear(f"{name}.key", vectors[needed])[inverse.reshape(given.words.shape)]
        scores: Floats = np.einsum("kd,kld->kl", query, keys) / sqrt(query.shape[-1])

        def own(table: str) -> Floats:
            weights = self[f"{name}.{table}.weight"]
            weights = weights.T if table == "features" else weights
            return weights[:, 0] + weights[:, 1 + scheme]

        scores = scores + given.features @ own("features")
        scores += own("via")[given.via]
        scores += own("offset")[given.offsets]
        return scores + own("tag")[given.tags]


class Candidates:
    """Words that may corefer by one scheme, ready to be compared with each other."""

    def __init__(self, network: Network, vectors: Floats, mentions: Floats, scheme: int) -> None:
        """`vectors` and log-odds `mentions` of the candidates alone, in the order of the text."""
        x = vectors + network["scheme.weight"][scheme]
        likely = sigmoid(mentions)[:, None]
        pair = network["pair.weight"]
        self.none: Floats = network.linear("none", gelu(x))[:, 0]
        """The score of having no antecedent."""
        self._query = network.linear("coarse", x) / np.float32(sqrt(x.shape[-1]))
        self._key = x
        added = network["scheme_hidden.weight"][scheme]
        self._anaphor = network.linear("anaphor", x) + likely * pair[:, PAIR] + added
        self._antecedent = network.linear("antecedent", x) + likely * pair[:, PAIR + 1]
        self._factors = tuple(
            network.linear(f"{side}_factors", x) for side in ("anaphor", "antecedent")
        )
        tables = (network[f"{name}.weight"] for name in ("distance", "sentences", "kinds"))
        self._inner = np.concatenate(
            (network["product.weight"].T, pair[:, :PAIR].T, *tables), dtype=np.float32
        )
        self._plain = network["pair_weights.weight"][scheme]
        self._network = network

    def __len__(self) -> int:
        return len(self._key)

    def coarse(self, rows: Integers, columns: Integers, features: Any) -> Floats:
        """Cheap scores ``[rows, columns]`` of all pairs; their features broadcast to that shape."""
        scores = product(self._key[columns], self._query[rows].T).T
        for weight, feature in zip(self._plain, features, strict=True):
            scores += weight * feature
        return scores

    def score(self, rows: Integers, columns: Integers, features: Any, classes: Any) -> Floats:
        """Full scores of pairs: those in `rows` with those in `columns` as their antecedents.

        `features` are those of each pair; `classes` are of distance, sentences between, and kind.
        """
        told = np.stack([feature.astype(np.float32) for feature in features], -1)
        first, second = self._factors
        ones = [np.eye(size, dtype=np.float32)[c] for size, c in zip(CLASSES, classes, strict=True)]
        given = np.concatenate((first[rows] * second[columns], told, *ones), -1)
        hidden = product(given, self._inner)
        hidden += self._anaphor[rows]
        hidden += self._antecedent[columns]
        narrow = gelu(self._network.linear("narrow", gelu(hidden)))
        fine = self._network.linear("out", narrow)[:, 0]
        coarse = np.einsum("pd,pd->p", self._query[rows], self._key[columns])
        scores: Floats = fine + coarse + told @ self._plain
        return scores


def product(x: Floats, weights: Floats) -> Floats:
    """``x @ weights``, in products so small that each is computed on the thread that asks for it.

    Large ones would be shared out between threads of the library's own, which get into the way of
    ours and of other processes.
    """
    rows = max(1, SMALL // weights.size)
    whole = len(x) - len(x) % rows
    found = np.empty((len(x), weights.shape[1]), np.float32)
    stacked = found[:whole].reshape(-1, rows, weights.shape[1])
    np.matmul(x[:whole].reshape(-1, rows, x.shape[1]), weights, out=stacked)
    np.matmul(x[whole:], weights, out=found[whole:])
    return found


def gelu(x: Floats) -> Floats:
    """The Gaussian error linear unit; exact to 1e-6 (Abramowitz and Stegun 7.1.26)."""
    found = np.empty_like(x)
    for first in range(0, len(x), BLOCK):
        some = x[first : first + BLOCK]
        size = np.abs(some)
        t = np.reciprocal(1 + np.float32(0.3275911 / sqrt(2)) * size)
        tail = np.float32(1.061405429) * t - np.float32(1.453152027)
        for factor in (1.421413741, -0.284496736, 0.254829592):
            tail *= t
            tail += np.float32(factor)
        tail *= t
        tail *= np.exp(np.float32(-0.5) * some * some)
        tail *= np.float32(0.5) * size
        np.subtract(np.maximum(some, 0), tail, out=found[first : first + BLOCK])
    return found


def sigmoid(x: Floats) -> Floats:
    """Log-odds as probabilities."""
    found: Floats = np.reciprocal(1 + np.exp(-x.clip(-80, 80)))
    return found


@lru_cache(maxsize=4)
def network(path: Path) -> Network:
    """The network of one file, read once."""
    return Network(path)


def _restored(stored: Any, name: str) -> Floats:
    array: Floats = stored[name].astype(np.float32)
    if f"{name}.scale" in stored.files:
        array *= stored[f"{name}.scale"].astype(np.float32)[:, None]
    return array
