"""The edit model in PyTorch: the tokens body with an adapter, and a pointer decoder."""

from __future__ import annotations

import math
from typing import Any

import torch
from msgspec import Struct
from torch import nn
from torch.nn import functional

from tatian.training.adapter import Base
from tatian.training.model import Body, BodyShape, pick, pick_by_product
from tatian.union.models.edit.decoder import END, FIRST, HEADS
from tatian.union.models.edit.search import FEATURES, MASKED
from tatian.union.models.edit.words import MATCHES

Tensor = Any
BEGIN = END + 1
"""Input that begins a walk. Items from `FIRST` on are one number higher as inputs."""
IN_ONNX = ("body.", "shape_embedding.", "enter.", "memory_norm.", "used.", "sentence")
"""Prefixes of parameters that are not in ``edit.npz``."""


class EditShape(Struct, frozen=True):
    """Sizes of the adapter and the decoder."""

    rank: int = 16
    width: int = 256
    layers: int = 1
    inner: int = 512
    longest: int = 160
    """Maximum number of steps of a walk, including the end."""
    dropout: float = 0.1


class DecoderBlock(nn.Module):
    """One decoder layer, normalised before each block."""

    def __init__(self, shape: EditShape) -> None:
        super().__init__()
        width = shape.width
        self.norm_self, self.norm_cross, self.norm_inner = (nn.LayerNorm(width) for _ in range(3))
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.query = nn.Linear(width, width)
        self.memory = nn.Linear(width, 2 * width)
        self.cross_out = nn.Linear(width, width)
        self.inner = nn.Linear(width, shape.inner)
        self.outer = nn.Linear(shape.inner, width)
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, x: Tensor, memory: Tensor, causal: Tensor, cover: Tensor) -> Tensor:
        q, k, v = self.qkv(self.norm_self(x)).chunk(3, -1)
        x = x + self.dropout(self.out(self._attend(q, k, v, causal)))
        k, v = self.memory(memory).chunk(2, -1)
        q = self.query(self.norm_cross(x))
        x = x + self.dropout(self.cross_out(self._attend(q, k, v, cover)))
        hidden = functional.gelu(self.inner(self.norm_inner(x)))
        return x + self.dropout(self.outer(hidden))

    def _attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
        def split(t: Tensor) -> Tensor:
            return t.view(*t.shape[:2], HEADS, -1).transpose(1, 2)

        mixed = functional.scaled_dot_product_attention(split(q), split(k), split(v), mask)
        return mixed.transpose(1, 2).flatten(2)


class EditModel(nn.Module):
    """Model that walks through the words of two sentences, one pointer at a time.

    The items that a step can go to are the glue words, the end, then the words of both sentences.
    """

    def __init__(self, body: BodyShape, shapes: int, shape: EditShape) -> None:
        super().__init__()
        self.shape = shape
        self.body = Body(body)
        self.shape_embedding = nn.Embedding(shapes, body.width)
        width = shape.width
        self.sentence = nn.Parameter(torch.zeros(2, body.width))
        self.enter = nn.Linear(body.width + MATCHES, width)
        self.memory_norm = nn.LayerNorm(width)
        self.items = nn.Parameter(torch.randn(END + 2, width) * 0.02)
        """Embeddings of glue words, the end, and the beginning, which is only an input."""
        self.position = nn.Parameter(torch.randn(shape.longest, width) * 0.02)
        self.blocks = nn.ModuleList(DecoderBlock(shape) for _ in range(shape.layers))
        self.norm = nn.LayerNorm(width)
        self.point = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.weigh = nn.Linear(width, FEATURES)
        self.item_bias = nn.Linear(width, FIRST)
        self.used = nn.Linear(width, 1)
        self.dropout = nn.Dropout(shape.dropout)

    def encode(
        self,
        embeddings: Tensor,
        mask: Tensor,
        shapes: Tensor,
        segments: Tensor,
        words: Tensor,
        matches: Tensor,
    ) -> Tensor:
        """Return the memory: ``[batch, words, width]``."""
        added = self.shape_embedding(shapes) + self.sentence[segments]
        states = self.body(embeddings, mask, added=added)[-1]
        picked = (pick_by_product if self.training else pick)(words, states)
        return self.memory_norm(self.enter(torch.cat((picked, matches.to(picked.dtype)), -1)))

    def decode(self, memory: Tensor, present: Tensor, walk: Tensor, features: Tensor) -> Tensor:
        """Return logits ``[batch, steps, FIRST + words]`` after each prefix of `walk`.

        `walk` has inputs (`inputs_of`) from the beginning on; `features` is ``[batch, steps, words,
        FEATURES]``; `present` is false for padding.
        """
        batch, steps = walk.shape
        table = torch.cat((self.items.expand(batch, -1, -1), memory), 1)
        index = walk.unsqueeze(-1).expand(-1, -1, memory.shape[-1])
        x = table.gather(1, index) + self.position[:steps]
        x = self.dropout(x)
        causal = torch.ones(steps, steps, dtype=torch.bool, device=x.device).tril()
        cover = present[:, None, None, :].expand(-1, 1, steps, -1)
        for block in self.blocks:
            x = block(x, memory, causal[None, None], cover)
        x = self.norm(x)
        keys = self.key(memory)
        pointed = self.point(x) @ keys.transpose(1, 2) / math.sqrt(x.shape[-1])
        pointed = pointed + torch.einsum("btnf,btf->btn", features.to(x.dtype), self.weigh(x))
        pointed = pointed.masked_fill(~present[:, None, :], MASKED)
        fixed = self.item_bias(x)
        return torch.cat((fixed, pointed), -1)


def inputs_of(items: Tensor) -> Tensor:
    """Return items as inputs of the decoder; padding becomes item 0."""
    return torch.where(items >= FIRST, items + 1, items).clamp(min=0)


def places_of(items: Tensor) -> Tensor:
    """Return the word indices of items; -1 for glue, the end and padding."""
    return torch.where(items >= FIRST, items - FIRST, -1)


def state_features(sentence: Tensor, stems: Tensor, content: Tensor, steps: Tensor) -> Tensor:
    """Return the features of every word before each step: ``[batch, T, words, FEATURES]``.

    `steps` ``[batch, T]`` are word indices, or -1 for glue and padding. The features are those that
    `tatian.union.models.edit.search.Walks` computes one step at a time.
    """
    length, count = steps.shape[1], sentence.shape[1]
    device = steps.device
    places = torch.arange(count, device=device)
    real = steps >= 0
    chosen = functional.one_hot(steps.clamp(min=0), count) * real.unsqueeze(-1)
    used = (chosen.cumsum(1) - chosen) > 0
    order = torch.where(real, torch.arange(length, device=device), -1)
    latest = functional.pad(order.cummax(1).values, (1, 0), value=-1)[:, :-1]
    last = torch.where(latest >= 0, steps.gather(1, latest.clamp(min=0)), -1)
    has_last = last >= 0
    at = last.clamp(min=0)
    side = sentence.gather(1, at)
    same_side = (sentence[:, None, :] == side.unsqueeze(-1)) & has_last.unsqueeze(-1)
    first_of = torch.where(sentence == 0, 0, (sentence == 0).sum(1, keepdim=True))
    reached = []
    for number in (0, 1):
        inside = used & (sentence == number)[:, None, :]
        start = (sentence == 0).sum(1)[:, None] * number - 1
        reached.append(torch.where(inside.any(-1), (inside * (places + 1)).amax(-1) - 1, start))
    far = torch.where(sentence[:, None, :] == 0, reached[0].unsqueeze(-1), reached[1].unsqueeze(-1))
    ahead = places[None, None, :] - far - 1
    same_stem = (stems[:, :, None] == stems[:, None, :]) & (stems > 0)[:, :, None]
    used_content = (used.float() @ (same_stem & content[:, :, None].bool()).float()) > 0
    follows = (places[None, None, :] == last.unsqueeze(-1) + 1) & same_side
    before = functional.pad(stems, (1, 0), value=0)[:, :-1]
    before = torch.where(first_of == places[None], torch.zeros_like(before), before)
    last_stem = stems.gather(1, at) * has_last
    joint = (before[:, None, :] == last_stem.unsqueeze(-1)) & (last_stem > 0).unsqueeze(-1)
    after = functional.pad(stems, (0, 1), value=0)[:, 1:]
    after = after * (functional.pad(sentence, (0, 1), value=1)[:, 1:] == sentence)
    next_stem = after.gather(1, at) * has_last
    parallel = (stems[:, None, :] == next_stem.unsqueeze(-1)) & (next_stem > 0).unsqueeze(-1)
    opening = (places[None] == first_of)[:, None, :].expand(-1, length, -1)
    columns = (
        follows,
        same_side,
        ahead == 0,
        ahead < 0,
        used,
        used_content,
        ahead.clamp(0, 12) / 12.0,
        joint & ~same_side,
        parallel & ~same_side,
        opening,
        (sentence == 0)[:, None, :].expand(-1, length, -1),
    )
    return torch.stack([column.float() for column in columns], -1)


def new_model(base: Base, shape: EditShape, seed: int = 0) -> EditModel:
    """Return the untrained model."""
    torch.manual_seed(seed)
    body = base.start.shape(heads=base.heads)
    return base.put_on_body(EditModel(body, len(base.labels.shapes), shape))
