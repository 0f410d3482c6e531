"""The encoder's bodies and heads as PyTorch modules."""

from __future__ import annotations

from typing import Any

import torch
from msgspec import Struct
from torch import nn
from torch.nn import functional

from tatian.analysis.coverage import OWN, OWN_SAME

Tensor = Any


class BodyShape(Struct, frozen=True):
    """The dimensions of a BERT body."""

    width: int = 384
    layers: int = 6
    heads: int = 12
    inner: int = 1536
    positions: int = 512
    dropout: float = 0.1
    segments: int = 2
    eps: float = 1e-12
    """Epsilon of layer norms."""


_COMPARISON_WIDTH = 256
"""Width of the hidden layer that compares two marked phrases."""
TINY = BodyShape(width=32, layers=2, heads=4, inner=64, positions=64)
"""Shape for tests, which trains in seconds on a CPU."""


class TransformerLayer(nn.Module):
    """One transformer layer, normalised after each block as in BERT."""

    def __init__(self, shape: BodyShape) -> None:
        super().__init__()
        self.width = shape.width
        self.heads = shape.heads
        self.scale = (shape.width // shape.heads) ** -0.5
        self.qkv = nn.Linear(shape.width, 3 * shape.width)
        self.out = nn.Linear(shape.width, shape.width)
        self.attention_norm = nn.LayerNorm(shape.width, eps=shape.eps)
        self.inner = nn.Linear(shape.width, shape.inner)
        self.outer = nn.Linear(shape.inner, shape.width)
        self.output_norm = nn.LayerNorm(shape.width, eps=shape.eps)
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        batch, time = x.shape[:2]
        split = (batch, time, self.heads, self.width // self.heads)
        query, key, value = (p.view(split).transpose(1, 2) for p in self.qkv(x).chunk(3, -1))
        scores = query @ key.transpose(2, 3) * self.scale + bias.to(query.dtype)
        mixed = self.dropout(torch.softmax(scores, -1)) @ value
        mixed = self.out(mixed.transpose(1, 2).reshape(batch, time, self.width))
        x = self.attention_norm(x + self.dropout(mixed))
        inner = functional.gelu(self.inner(x))
        return self.output_norm(x + self.dropout(self.outer(inner)))


class Body(nn.Module):
    """BERT without its word embeddings, which all bodies share."""

    first_position = 0

    def __init__(self, shape: BodyShape) -> None:
        super().__init__()
        self.shape = shape
        self.position = nn.Embedding(shape.positions, shape.width)
        self.segment = nn.Embedding(shape.segments, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=shape.eps)
        self.dropout = nn.Dropout(shape.dropout)
        self.layers = nn.ModuleList(TransformerLayer(shape) for _ in range(shape.layers))

    def forward(
        self,
        embeddings: Tensor,
        mask: Tensor,
        segments: Tensor | None = None,
        added: Tensor | None = None,
    ) -> list[Tensor]:
        """Return the states after the embeddings and after each layer."""
        places = torch.arange(embeddings.shape[1], device=embeddings.device)
        x = embeddings + self.position(places + self.first_position)
        x = x + (self.unsegmented() if segments is None else self.segment(segments))
        if added is not None:
            x = x + added
        states = [self.dropout(self.norm(x))]
        bias = self.bias(places, mask, states[0].dtype)
        for layer in self.layers:
            states.append(layer(states[-1], bias))
        return states

    def unsegmented(self) -> Tensor:
        """Return the segment vector for inputs without segments."""
        return self.segment.weight[0]

    def bias(self, places: Tensor, mask: Tensor, dtype: Any) -> Tensor:
        """Return the attention bias, which masks padding."""
        return ((1 - mask) * -10000.0).to(dtype)[:, None, None, :]


class Mix(nn.Module):
    """A learned average of the layers (Peters et al. 2018), one for each family of heads."""

    def __init__(self, states: int) -> None:
        super().__init__()
        self.weights = nn.Parameter(torch.linspace(-1.0, 1.0, states))
        self.scale = nn.Parameter(torch.ones(()))

    def forward(self, states: list[Tensor]) -> Tensor:
        weights = torch.softmax(self.weights, 0)
        return self.scale * sum(weights[i] * state for i, state in enumerate(states))


class HeadSizes(Struct, frozen=True):
    """Numbers of labels and widths of the heads of the tokens body."""

    upos: int
    xpos: int
    features: int
    scripts: int
    names: int
    relations: int
    shapes: int
    endings: int
    styles: int = 2
    """Number of treebanks with different annotation; the shipped model uses the first."""
    ending_width: int = 24
    hidden: int = 128
    arc: int = 192
    rank: int = 64
    dropout: float = 0.25


class TokensModel(nn.Module):
    """Model of tags, features, lemmas, names and trees with one body."""

    def __init__(self, shape: BodyShape, sizes: HeadSizes, body: Any = None) -> None:
        super().__init__()
        self.body = body or Body(shape)
        self.shape_embedding = nn.Embedding(sizes.shapes, shape.width)
        nn.init.zeros_(self.shape_embedding.weight)
        self.ending_embedding = nn.Embedding(sizes.endings, sizes.ending_width)
        nn.init.normal_(self.ending_embedding.weight, std=0.1)
        self.style = nn.Embedding(sizes.styles, shape.width)
        nn.init.zeros_(self.style.weight)
        self.tag_mix = Mix(shape.layers + 1)
        self.name_mix = Mix(shape.layers + 1)
        self.parse_mix = Mix(shape.layers + 1)
        wide = shape.width + 2 * sizes.ending_width
        self.dropout = nn.Dropout(sizes.dropout)
        self.upos = nn.Linear(wide, sizes.upos)
        self.xpos = nn.Linear(wide, sizes.xpos)
        self.features = nn.Linear(wide, sizes.features)
        self.script_hidden = nn.Linear(wide, sizes.hidden)
        self.scripts = nn.Linear(sizes.hidden, sizes.scripts)
        self.name_hidden = nn.Linear(shape.width, sizes.hidden)
        self.names = nn.Linear(sizes.hidden, sizes.names)
        self.transitions = nn.Parameter(torch.zeros(sizes.names, sizes.names))
        self.root = nn.Parameter(torch.randn(shape.width) * 0.02)
        self.arc_dependent = nn.Linear(shape.width, sizes.arc)
        self.arc_head = nn.Linear(shape.width, sizes.arc)
        self.arc_weight = nn.Parameter(torch.zeros(sizes.arc, sizes.arc))
        self.arc_bias = nn.Parameter(torch.zeros(sizes.arc))
        self.relation_dependent = nn.Linear(shape.width, sizes.rank)
        self.relation_head = nn.Linear(shape.width, sizes.rank)
        self.relations = nn.Parameter(torch.zeros(sizes.relations, sizes.rank + 1, sizes.rank + 1))
        nn.init.xavier_uniform_(self.arc_weight)

    def forward(
        self,
        embeddings: Tensor,
        mask: Tensor,
        shapes: Tensor,
        words: Tensor,
        endings: Tensor,
        styles: Tensor | None = None,
    ) -> dict[str, Tensor]:
        """Return all outputs by the names in `tatian.training.export`.

        In training, `styles` is the number of each sentence's treebank, to model differences in
        annotation. By default, all sentences are of the first one.
        """
        states = self.body(embeddings, mask, added=self.shape_embedding(shapes))
        at = pick_by_product if self.training else pick
        ends = self.ending_embedding(endings).flatten(2)
        tag, parse = at(words, self.tag_mix(states)), at(words, self.parse_mix(states))
        if styles is not None:
            style = self.style(styles) * (styles > 0).unsqueeze(-1)
            tag, parse = tag + style[:, None], parse + style[:, None]
        tag = torch.cat((self.dropout(tag), ends), -1)
        name = self.dropout(at(words, self.name_mix(states)))
        lemma = self.dropout(functional.gelu(self.script_hidden(tag)))
        root = self.root.to(parse.dtype).expand(parse.shape[0], 1, -1)
        nodes = self.dropout(torch.cat((root, parse), 1))
        parse = nodes[:, 1:]
        arc_dependents = self.dropout(functional.gelu(self.arc_dependent(parse)))
        arc_heads = self.dropout(functional.gelu(self.arc_head(nodes)))
        scored = arc_dependents @ self.arc_weight + self.arc_bias
        return {
            "upos": self.upos(tag),
            "xpos": self.xpos(tag),
            "features": self.features(tag),
            "scripts": self.scripts(lemma),
            "names": self.names(self.dropout(functional.gelu(self.name_hidden(name)))),
            "arcs": scored @ arc_heads.transpose(1, 2),
            "dependents": self.dropout(functional.gelu(self.relation_dependent(parse))),
            "heads": self.dropout(functional.gelu(self.relation_head(nodes))),
            "states": at(words, states[-1]),
        }


def pick(words: Tensor, states: Tensor) -> Tensor:
    """Return the mean of the states at each word's first and last piece."""
    width = states.shape[-1]
    first = states.gather(1, words[:, :, :1].expand(-1, -1, width))
    last = states.gather(1, words[:, :, 1:].expand(-1, -1, width))
    return (first + last) * 0.5


def pick_by_product(words: Tensor, states: Tensor) -> Tensor:
    """Do the same as `pick`, with a gradient that is fast and reproducible on a GPU."""
    picks = functional.one_hot(words, states.shape[1]).sum(2).to(states.dtype)
    return (picks @ states) * 0.5


def score_relations(weights: Tensor, dependents: Tensor, heads: Tensor) -> Tensor:
    """Return the scores of all relations for arcs from each dependent to its head."""
    dependents, heads = (functional.pad(x, (0, 1), value=1.0) for x in (dependents, heads))
    return torch.einsum("...i,lij,...j->...l", dependents, weights.to(dependents.dtype), heads)


class PairsModel(nn.Module):
    """Cross-encoder for entailment, and for coverage of the second text by the first."""

    def __init__(self, shape: BodyShape, body: Any = None) -> None:
        super().__init__()
        self.body = body or Body(shape)
        self.dropout = nn.Dropout(shape.dropout)
        self.label = nn.Linear(shape.width, 3)
        self.told = nn.Linear(shape.width, 2)
        self.whole = nn.Linear(shape.width, 3)

    def forward(self, embeddings: Tensor, mask: Tensor, segments: Tensor) -> dict[str, Tensor]:
        """Return ``logits``, pooled ``states``, and ``told`` and ``whole`` of the second text."""
        pieces = self.body(embeddings, mask, segments)[-1]
        states = mean_state(pieces, mask)
        second_text = mean_state(pieces, mask * second_text_mask(segments).to(mask.dtype))
        return {
            "logits": self.label(self.dropout(states)),
            "states": states,
            "told": self.told(self.dropout(pieces)),
            "whole": self.whole(self.dropout(second_text)),
        }


class SupportModel(nn.Module):
    """Cross-encoder for the support of a sentence by passages, and for marked phrases."""

    def __init__(self, shape: BodyShape, body: Any = None) -> None:
        super().__init__()
        self.body = body or Body(shape)
        self.head = nn.Linear(2 * shape.width, 1)
        self.mix = nn.Linear(5 * shape.width, _COMPARISON_WIDTH)
        self.same = nn.Linear(_COMPARISON_WIDTH, 1)
        self.dropout = nn.Dropout(shape.dropout)

    def forward(
        self, embeddings: Tensor, mask: Tensor, segments: Tensor, marks: Tensor
    ) -> dict[str, Tensor]:
        """Return ``support`` as log-odds, and ``same``: do both marks stand for one thing?"""
        pieces = self.body(embeddings, mask, segments)[-1]
        second = mask * second_text_mask(segments).to(mask.dtype)
        both = mean_state(pieces, mask)
        support = self.head(torch.cat((both, mean_state(pieces, second)), -1))
        inside, outside = (mean_state(pieces, marks * side) for side in (second, 1 - second))
        states = torch.cat((inside, outside, (inside - outside).abs(), inside * outside, both), -1)
        same = self.same(self.dropout(functional.gelu(self.mix(states))))
        return {"support": support.squeeze(-1), "same": same.squeeze(-1)}


class VectorsModel(nn.Module):
    """Model of sentence vectors with the pretrained encoder."""

    def __init__(self, shape: BodyShape) -> None:
        super().__init__()
        self.body = Body(shape)

    def forward(self, embeddings: Tensor, mask: Tensor) -> dict[str, Tensor]:
        """Return ``vectors`` of length one."""
        states = mean_state(self.body(embeddings, mask)[-1], mask)
        return {"vectors": functional.normalize(states, dim=-1, eps=1e-9)}


def second_text_mask(segments: Tensor) -> Tensor:
    """Return which pieces are of the second text of a pair."""
    return (segments == OWN) | (segments == OWN_SAME)


def mean_state(states: Tensor, mask: Tensor) -> Tensor:
    """Return the mean state over the pieces that are not padding."""
    weights = mask.to(states.dtype).unsqueeze(-1)
    return (states * weights).sum(1) / weights.sum(1).clamp(min=1.0)
