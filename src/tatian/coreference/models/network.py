"""The network's heads in numpy: they predict mentions, antecedents and edges of mentions.

Their input are the encoder's states. The edges of a mention are predicted from features of the
words of its sentence. ``docs/models/weights.md`` describes the arrays.
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
    MAX_STEPS_UP,
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
"""Number of features of each word in `SpanInput`."""
MAX_HEAD_DISTANCE = 16
"""Maximum distance from the head that is distinguished, in words."""
OFFSETS = 2 * MAX_HEAD_DISTANCE + 1
"""Number of offsets from the head that are distinguished."""
NOT_BELOW = len(RELATIONS)
"""Marks words that do not depend on the head."""


class SpanInput(Struct, frozen=True):
    """Features of each word of the sentences of some head words: ``[heads, words]``."""

    words: Integers
    """Positions in the document; 0 after the end of the sentence."""
    real: Booleans
    """False after the end of the sentence."""
    features: npt.NDArray[np.float32]
    """``[heads, words, SPAN]``."""
    via: Integers
    """Relation by which the word's branch of the tree depends on the head."""
    offsets: Integers
    """Distance of the word from the head, from 0 up to `OFFSETS`."""
    tags: Integers


def span_input(text: Text, heads: Integers) -> SpanInput:
    """Return the features that predict the beginning and end of the mentions of `heads`."""
    heads = np.asarray(heads, np.int64)
    begin = text.begin[heads][:, None]
    lengths = text.end[heads] - text.begin[heads]
    steps = np.arange(lengths.max(initial=0))
    real = steps < lengths[:, None]
    words = np.where(real, begin + steps, 0)
    return SpanInput(
        words,
        real,
        _encode_words(text, heads, words, real),
        _find_branches(text, heads, words, real),
        np.where(
            real,
            (words - heads[:, None]).clip(-MAX_HEAD_DISTANCE, MAX_HEAD_DISTANCE)
            + MAX_HEAD_DISTANCE,
            0,
        ),
        np.where(real, text.tag[words], 0),
    )


def _encode_words(
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


def _find_branches(text: Text, heads: Integers, words: Integers, real: Booleans) -> Integers:
    """Return for each word the relation of its branch to the head, or `NOT_BELOW`."""
    relations = np.full(words.shape, NOT_BELOW)
    at = words.copy()
    for _ in range(min(MAX_STEPS_UP, int(text.depth.max(initial=0)))):
        above = text.head[at]
        arrived = (above == heads[:, None]) & (relations == NOT_BELOW)
        relations[arrived] = text.relation[at[arrived]]
        at = np.where(above >= 0, above, at)
    return np.where(real, relations, 0)


Floats = npt.NDArray[np.float32]
BARRED = np.float32(-1e4)
"""Score of what must not be chosen."""
BLOCK = 512
"""Rows processed at once, few enough for the processor's cache."""
SMALL = 1 << 18
"""Multiplications up to which OpenBLAS uses one thread."""
CLASSES = (len(DISTANCES) + 1, len(SENTENCES_APART) + 1, KINDS)
"""Classes of distance, of sentences between, and of kinds."""


class Network:
    """The arrays of the heads, and their computations on words and pairs."""

    def __init__(self, path: Path) -> None:
        with np.load(path) as stored:
            names = [name for name in stored.files if not name.endswith(".scale")]
            self._arrays = {name: _restore(stored, name) for name in names}
        tables = [len(self._arrays[f"word_features.{k}.weight"]) for k in range(len(WORD_SIZES))]
        schemes, features = self["pair_weights.weight"].shape
        if (tables, schemes, features) != (list(WORD_SIZES), len(SCHEMES), PAIR):
            raise AssetError(f"{path} is of another version of tatian: reinstall tatian")

    def __getitem__(self, name: str) -> Floats:
        return self._arrays[name]

    def linear(self, name: str, x: Floats) -> Floats:
        """Apply one affine layer."""
        result = product(x, self[f"{name}.weight"].T)
        bias = self._arrays.get(f"{name}.bias")
        return result if bias is None else result + bias

    def vectors(self, states: Floats, features: Integers) -> Floats:
        """Return the input of all heads, from the encoder's states and the words' features."""
        result = self.empty_vectors(len(states))
        for first in range(0, len(states), BLOCK):
            block = slice(first, first + BLOCK)
            embedded = [
                self[f"word_features.{number}.weight"][column]
                for number, column in enumerate(features[block].T)
            ]
            x = self.linear("enter", np.concatenate((states[block], *embedded), -1))
            x -= x.mean(-1, keepdims=True)
            x /= np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5)
            result[block] = x * self["norm.weight"] + self["norm.bias"]
        return result

    def empty_vectors(self, words: int) -> Floats:
        """Return an uninitialised array for the vectors of some words."""
        return np.empty((words, len(self["norm.bias"])), np.float32)

    def mentions(self, vectors: Floats) -> Floats:
        """Return the log-odds of each word to head a mention: ``[words, schemes]``."""
        odds = np.empty((len(vectors), len(self["mention.weight"])), np.float32)
        for first in range(0, len(vectors), BLOCK):
            rows = slice(first, first + BLOCK)
            odds[rows] = self.linear("mention", gelu(self.linear("mention_hidden", vectors[rows])))
        return odds

    def edges(
        self, vectors: Floats, heads: Integers, span_features: SpanInput, scheme: int
    ) -> Integers:
        """Return the first and last places of the mentions of `heads`: ``[2, heads]``."""
        at = heads[:, None]
        first = self._edge(0, vectors, heads, span_features, scheme)
        last = self._edge(1, vectors, heads, span_features, scheme)
        first = np.where(span_features.real & (span_features.words <= at), first, BARRED)
        last = np.where(span_features.real & (span_features.words >= at), last, BARRED)
        rows = np.arange(len(heads))
        return np.stack([span_features.words[rows, scores.argmax(1)] for scores in (first, last)])

    def _edge(
        self, end: int, vectors: Floats, heads: Integers, span_features: SpanInput, scheme: int
    ) -> Floats:
        name = f"edges.{end}"
        query = self.linear(f"{name}.query", vectors[heads])
        needed, inverse = np.unique(span_features.words, return_inverse=True)
        keys = self.linear(f"{name}.key", vectors[needed])[
            inverse.reshape(span_features.words.shape)
        ]
        scores: Floats = np.einsum("kd,kld->kl", query, keys) / sqrt(query.shape[-1])

        def of_scheme(table: str) -> Floats:
            weights = self[f"{name}.{table}.weight"]
            weights = weights.T if table == "features" else weights
            return weights[:, 0] + weights[:, 1 + scheme]

        scores = scores + span_features.features @ of_scheme("features")
        scores += of_scheme("via")[span_features.via]
        scores += of_scheme("offset")[span_features.offsets]
        return scores + of_scheme("tag")[span_features.tags]


class Candidates:
    """Words that may corefer by one scheme, ready to be compared with each other."""

    def __init__(self, network: Network, vectors: Floats, mentions: Floats, scheme: int) -> None:
        """Take `vectors` and log-odds `mentions` of the candidates, in the order of the text."""
        x = vectors + network["scheme.weight"][scheme]
        likely = sigmoid(mentions)[:, None]
        pair = network["pair.weight"]
        self.none: Floats = network.linear("none", gelu(x))[:, 0]
        """Score of having no antecedent."""
        self._query = network.linear("coarse", x) / np.float32(sqrt(x.shape[-1]))
        self._key = x
        added = network["scheme_hidden.weight"][scheme]
        self._anaphor = network.linear("anaphor", x) + likely * pair[:, PAIR] + added
        self._antecedent = network.linear("antecedent", x) + likely * pair[:, PAIR + 1]
        sides = ("anaphor", "antecedent")
        self._factors = tuple(network.linear(f"{side}_factors", x) for side in sides)
        tables = (network[f"{name}.weight"] for name in ("distance", "sentences", "kinds"))
        parts = (network["product.weight"].T, pair[:, :PAIR].T, *tables)
        self._inner = np.concatenate(parts, dtype=np.float32)
        self._plain = network["pair_weights.weight"][scheme]
        self._network = network

    def __len__(self) -> int:
        return len(self._key)

    def coarse(self, rows: Integers, columns: Integers, features: Any) -> Floats:
        """Return cheap scores ``[rows, columns]`` of all pairs; features broadcast to it."""
        scores = product(self._key[columns], self._query[rows].T).T
        for weight, feature in zip(self._plain, features, strict=True):
            scores += weight * feature
        return scores

    def score(self, rows: Integers, columns: Integers, features: Any, classes: Any) -> Floats:
        """Return full scores of pairs of rows and columns, by features and classes."""
        pair_features = np.stack([feature.astype(np.float32) for feature in features], -1)
        first, second = self._factors
        ones = [np.eye(size, dtype=np.float32)[c] for size, c in zip(CLASSES, classes, strict=True)]
        inputs = np.concatenate((first[rows] * second[columns], pair_features, *ones), -1)
        hidden = product(inputs, self._inner)
        hidden += self._anaphor[rows]
        hidden += self._antecedent[columns]
        narrow = gelu(self._network.linear("narrow", gelu(hidden)))
        fine = self._network.linear("out", narrow)[:, 0]
        coarse = np.einsum("pd,pd->p", self._query[rows], self._key[columns])
        scores: Floats = fine + coarse + pair_features @ self._plain
        return scores


def product(x: Floats, weights: Floats) -> Floats:
    """Compute ``x @ weights`` in blocks that stay on the calling thread, unlike large products."""
    rows = max(1, SMALL // weights.size)
    divisible = len(x) - len(x) % rows
    result = np.empty((len(x), weights.shape[1]), np.float32)
    stacked = result[:divisible].reshape(-1, rows, weights.shape[1])
    np.matmul(x[:divisible].reshape(-1, rows, x.shape[1]), weights, out=stacked)
    np.matmul(x[divisible:], weights, out=result[divisible:])
    return result


def gelu(x: Floats) -> Floats:
    """Return the Gaussian error linear unit; exact to 1e-6 (Abramowitz and Stegun 7.1.26)."""
    result = np.empty_like(x)
    for first in range(0, len(x), BLOCK):
        block = x[first : first + BLOCK]
        size = np.abs(block)
        t = np.reciprocal(1 + np.float32(0.3275911 / sqrt(2)) * size)
        tail = np.float32(1.061405429) * t - np.float32(1.453152027)
        for factor in (1.421413741, -0.284496736, 0.254829592):
            tail *= t
            tail += np.float32(factor)
        tail *= t
        tail *= np.exp(np.float32(-0.5) * block * block)
        tail *= np.float32(0.5) * size
        np.subtract(np.maximum(block, 0), tail, out=result[first : first + BLOCK])
    return result


def sigmoid(x: Floats) -> Floats:
    """Return log-odds as probabilities."""
    probabilities: Floats = np.reciprocal(1 + np.exp(-x.clip(-80, 80)))
    return probabilities


@lru_cache(maxsize=4)
def network(path: Path) -> Network:
    """Return the network of one file, read once."""
    return Network(path)


def _restore(stored: Any, name: str) -> Floats:
    array: Floats = stored[name].astype(np.float32)
    if f"{name}.scale" in stored.files:
        array *= stored[f"{name}.scale"].astype(np.float32)[:, None]
    return array
