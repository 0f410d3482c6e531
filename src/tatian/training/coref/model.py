"""The resolver in PyTorch: the tokens body with an adapter, and heads over words and pairs.

Coreference is resolved between words (Dobrovolskii 2021): each word that may head a mention has an
earlier one, or none, as its antecedent. Then the extent of the mention is predicted in the sentence
of the head. `tatian.coreference.models` computes the same in NumPy.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from msgspec import Struct
from torch import nn
from torch.nn import functional

from tatian.coreference.models.network import OFFSETS, SPAN
from tatian.coreference.models.pairs import DISTANCES, KINDS, PAIR, SENTENCES_APART
from tatian.coreference.words import RELATIONS, SCHEMES, TAGS, WORD_SIZES
from tatian.training.int8 import int8_arrays
from tatian.training.model import Body, BodyShape, pick, pick_by_product

Tensor = Any
MIN_INT8_ELEMENTS = 4096
"""Minimum number of elements of a matrix that is stored in int8 instead of float16."""
EXCLUDED_SCORE = -1e4


class CorefShape(Struct, frozen=True):
    """Sizes of the adapter and the heads."""

    rank: int = 16
    width: int = 256
    hidden: int = 192
    factors: int = 64
    """Number of products of an anaphor's and an antecedent's vectors."""
    narrow: int = 64
    """Width of the last hidden layer of a pair."""
    edge: int = 64
    """Width of the vectors that score the edges of mentions."""
    feature: int = 16
    """Width that each feature of a word adds to its vector."""
    dropout: float = 0.2


class HeadSentences(Struct, frozen=True):
    """Heads ``[k]`` and, for each, the words of its sentence ``[k, words]``, padded."""

    heads: Tensor
    words: Tensor
    real: Tensor
    features: Tensor
    via: Tensor
    offsets: Tensor
    tags: Tensor


class CandidatePairs(Struct, frozen=True):
    """Features of all pairs of candidates, with the anaphor as row and the antecedent as column."""

    features: Tensor
    distances: Tensor
    sentences: Tensor
    kinds: Tensor


class EdgeScorer(nn.Module):
    """Scorer of a sentence's words as the first, or the last, word of a head's mention."""

    def __init__(self, shape: CorefShape) -> None:
        super().__init__()
        self.query = nn.Linear(shape.width, shape.edge)
        self.key = nn.Linear(shape.width, shape.edge)
        columns = 1 + len(SCHEMES)
        self.features = nn.Linear(SPAN, columns, bias=False)
        self.via = nn.Embedding(len(RELATIONS) + 1, columns)
        self.offset = nn.Embedding(OFFSETS, columns)
        self.tag = nn.Embedding(len(TAGS), columns)
        for table in (self.features, self.via, self.offset, self.tag):
            nn.init.zeros_(table.weight)

    def forward(self, vectors: Tensor, sentences: HeadSentences, scheme: int) -> Tensor:
        keys = self.key(vectors)[sentences.words]
        scores = torch.einsum("kd,kld->kl", self.query(vectors[sentences.heads]), keys)
        scores = scores / math.sqrt(keys.shape[-1])
        for added in (
            self.features(sentences.features.to(vectors.dtype)),
            self.via(sentences.via),
            self.offset(sentences.offsets),
            self.tag(sentences.tags),
        ):
            scores = scores + added[..., 0] + added[..., 1 + scheme]
        return scores


class CorefModel(nn.Module):
    """Model of the heads of mentions, their antecedents and their edges."""

    def __init__(self, body: BodyShape, shapes: int, shape: CorefShape) -> None:
        super().__init__()
        self.shape = shape
        width, hidden, schemes = shape.width, shape.hidden, len(SCHEMES)
        self.body = Body(body)
        self.shape_embedding = nn.Embedding(shapes, body.width)
        self.word_features = nn.ModuleList(nn.Embedding(n, shape.feature) for n in WORD_SIZES)
        self.enter = nn.Linear(body.width + shape.feature * len(WORD_SIZES), width)
        self.norm = nn.LayerNorm(width)
        self.dropout = nn.Dropout(shape.dropout)
        self.scheme = nn.Embedding(schemes, width)
        self.mention_hidden = nn.Linear(width, hidden)
        self.mention = nn.Linear(hidden, schemes)
        self.anaphor = nn.Linear(width, hidden)
        self.antecedent = nn.Linear(width, hidden)
        self.anaphor_factors = nn.Linear(width, shape.factors)
        self.antecedent_factors = nn.Linear(width, shape.factors)
        self.product = nn.Linear(shape.factors, hidden, bias=False)
        self.pair = nn.Linear(PAIR + 2, hidden, bias=False)
        self.distance = nn.Embedding(len(DISTANCES) + 1, hidden)
        self.sentences = nn.Embedding(len(SENTENCES_APART) + 1, hidden)
        self.kinds = nn.Embedding(KINDS, hidden)
        self.scheme_hidden = nn.Embedding(schemes, hidden)
        self.narrow = nn.Linear(hidden, shape.narrow)
        self.out = nn.Linear(shape.narrow, 1)
        self.coarse = nn.Linear(width, width, bias=False)
        self.none = nn.Linear(width, 1)
        self.pair_weights = nn.Embedding(schemes, PAIR)
        self.edges = nn.ModuleList(EdgeScorer(shape) for _ in range(2))
        nn.init.normal_(self.scheme.weight, std=0.02)
        for table in (self.distance, self.sentences, self.kinds):
            nn.init.normal_(table.weight, std=0.05)
        for zeroed in (self.scheme_hidden, self.coarse, self.pair_weights):
            nn.init.zeros_(zeroed.weight)

    def states(self, embeddings: Tensor, mask: Tensor, shapes: Tensor, words: Tensor) -> Tensor:
        """Return the body's states of words, ``[batch, words, width of the body]``."""
        states = self.body(embeddings, mask, added=self.shape_embedding(shapes))[-1]
        return (pick_by_product if self.training else pick)(words, states)

    def vectors(self, states: Tensor, features: Tensor) -> Tensor:
        """Return the vectors ``[words, width]`` that all heads read."""
        feature_vectors = [table(features[:, k]) for k, table in enumerate(self.word_features)]
        joined = torch.cat((states, torch.cat(feature_vectors, -1).to(states.dtype)), -1)
        return self.norm(self.enter(self.dropout(joined)))

    def mentions(self, vectors: Tensor) -> Tensor:
        """Return the log-odds ``[words, schemes]`` of each word to head a mention."""
        return self.mention(self.dropout(functional.gelu(self.mention_hidden(vectors))))

    def antecedents(
        self, vectors: Tensor, mentions: Tensor, pairs: CandidatePairs, scheme: int
    ) -> tuple[Tensor, Tensor]:
        """Return scores ``[m, m]`` of each candidate's antecedents, and ``[m]`` of having none.

        `vectors` and the log-odds `mentions` ``[m]`` are those of the candidates alone.
        """
        x = self.dropout(vectors + self.scheme.weight[scheme])
        count = len(x)
        heads = torch.sigmoid(mentions.detach()).to(x.dtype)
        head_pairs = (heads[:, None].expand(count, count), heads[None].expand(count, count))
        features = pairs.features.to(x.dtype)
        factors = self.anaphor_factors(x)[:, None] * self.antecedent_factors(x)[None]
        hidden = (
            self.anaphor(x)[:, None]
            + self.antecedent(x)[None]
            + self.product(factors)
            + self.pair(torch.cat((features, torch.stack(head_pairs, -1)), -1))
            + self.distance(pairs.distances)
            + self.sentences(pairs.sentences)
            + self.kinds(pairs.kinds)
            + self.scheme_hidden.weight[scheme]
        )
        narrow = functional.gelu(self.narrow(self.dropout(functional.gelu(hidden))))
        fine = self.out(narrow).squeeze(-1)
        coarse = self.coarse(x) @ x.T / math.sqrt(x.shape[-1])
        linear_scores = features @ self.pair_weights.weight[scheme].to(x.dtype)
        return fine + coarse + linear_scores, self.none(functional.gelu(x)).squeeze(-1)

    def spans(
        self, vectors: Tensor, sentences: HeadSentences, scheme: int
    ) -> tuple[Tensor, Tensor]:
        """Return scores ``[k, words]`` of the first and of the last words of mentions."""
        first, last = (edge(vectors, sentences, scheme).float() for edge in self.edges)
        heads, words, padding = sentences.heads[:, None], sentences.words, ~sentences.real
        return (
            first.masked_fill(padding | (words > heads), EXCLUDED_SCORE),
            last.masked_fill(padding | (words < heads), EXCLUDED_SCORE),
        )


def head_arrays(model: CorefModel) -> dict[str, Any]:
    """Return the arrays of ``coref.npz``."""
    return int8_arrays(
        model, ("body.", "shape_embedding."), large=MIN_INT8_ELEMENTS, other=np.float16
    )
