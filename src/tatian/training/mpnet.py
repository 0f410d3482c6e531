"""MPNet (Song et al. 2020), the larger encoder that teaches ours."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from tatian.analysis.pieces import WordPieces
from tatian.errors import MissingExtra
from tatian.training.model import BodyShape

Tensor = Any
FIRST_POSITION = 2
BUCKETS, FARTHEST = 32, 128
NAMES = {
    "attention.attn.q": "q",
    "attention.attn.k": "k",
    "attention.attn.v": "v",
    "attention.attn.o": "out",
    "attention.LayerNorm": "attention_norm",
    "intermediate.dense": "inner",
    "output.dense": "outer",
    "output.LayerNorm": "output_norm",
}
"""Of a layer, in a checkpoint and here."""
SPECIALS = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>"}


class MpnetLayer(nn.Module):
    """One layer, normalised after each block."""

    def __init__(self, width: int, heads: int, inner: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.out = (nn.Linear(width, width) for _ in range(4))
        self.attention_norm = nn.LayerNorm(width, eps=1e-5)
        self.inner = nn.Linear(width, inner)
        self.outer = nn.Linear(inner, width)
        self.output_norm = nn.LayerNorm(width, eps=1e-5)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        batch, time, width = x.shape
        split = (batch, time, self.heads, width // self.heads)
        q, k, v = (part(x).view(split).transpose(1, 2) for part in (self.q, self.k, self.v))
        scores = q @ k.transpose(2, 3) * (width // self.heads) ** -0.5 + bias.to(q.dtype)
        mixed = self.dropout(torch.softmax(scores, -1)) @ v
        mixed = self.out(mixed.transpose(1, 2).reshape(batch, time, width))
        x = self.attention_norm(x + self.dropout(mixed))
        return self.output_norm(x + self.dropout(self.outer(functional.gelu(self.inner(x)))))


class MpnetBody(nn.Module):
    """MPNet without its word embeddings, with segments as our bodies have them."""

    def __init__(
        self, width: int = 768, layers: int = 12, heads: int = 12, inner: int = 3072
    ) -> None:
        super().__init__()
        self.position = nn.Embedding(514, width)
        self.segment = nn.Embedding(4, width)
        nn.init.zeros_(self.segment.weight)
        self.bias = nn.Embedding(BUCKETS, heads)
        self.norm = nn.LayerNorm(width, eps=1e-5)
        self.dropout = nn.Dropout(0.1)
        self.layers = nn.ModuleList(MpnetLayer(width, heads, inner, 0.1) for _ in range(layers))

    def forward(
        self,
        embeddings: Tensor,
        mask: Tensor,
        segments: Tensor | None = None,
        added: Tensor | None = None,
    ) -> list[Tensor]:
        """The states after the embeddings and after each layer, as `Body` gives them."""
        places = torch.arange(embeddings.shape[1], device=embeddings.device)
        x = embeddings + self.position(places + FIRST_POSITION)
        if segments is not None:
            x = x + self.segment(segments)
        if added is not None:
            x = x + added
        x = self.dropout(self.norm(x))
        apart = functional.one_hot(buckets(places[None, :] - places[:, None]), BUCKETS)
        near = (apart.to(x.dtype) @ self.bias.weight).permute(2, 0, 1)
        bias = near[None] + ((1 - mask) * -10000.0).to(near.dtype)[:, None, None, :]
        states = [x]
        for layer in self.layers:
            states.append(layer(states[-1], bias))
        return states


def buckets(distance: Tensor) -> Tensor:
    """Which bucket each distance between two places falls into: exact ones, then wider ones."""
    half = BUCKETS // 2
    exact = half // 2
    far = distance.abs()
    scaled = torch.log(far.clamp(min=1).float() / exact) / math.log(FARTHEST / exact)
    wide = (exact + (scaled * (half - exact)).long()).clamp(max=half - 1)
    return half * (distance > 0).long() + torch.where(far < exact, far, wide)


MPNET = BodyShape(width=768, layers=12)


def read_teacher(checkpoint: Path, pieces: WordPieces) -> tuple[MpnetBody, Tensor]:
    """The body of a checkpoint of MPNet, and its vectors in the order of our word pieces."""
    try:
        from safetensors.numpy import load_file
    except ImportError:
        raise MissingExtra("reading safetensors", "train") from None
    weights = load_file(checkpoint / "model.safetensors")
    theirs = (checkpoint / "vocab.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    row = {piece: i for i, piece in enumerate(theirs)}
    rows = [row.get(SPECIALS.get(piece, piece), row["[UNK]"]) for piece in pieces.rows]
    table = torch.from_numpy(weights["embeddings.word_embeddings.weight"][rows]).float()
    return teacher_of(weights), table


def teacher_of(weights: dict[str, Any]) -> MpnetBody:
    """MPNet from the arrays of its checkpoint."""
    state = {
        "position.weight": weights["embeddings.position_embeddings.weight"],
        "norm.weight": weights["embeddings.LayerNorm.weight"],
        "norm.bias": weights["embeddings.LayerNorm.bias"],
        "bias.weight": weights["encoder.relative_attention_bias.weight"],
    }
    body = MpnetBody()
    for index in range(len(body.layers)):
        for theirs, ours in NAMES.items():
            for part in ("weight", "bias"):
                value = weights[f"encoder.layer.{index}.{theirs}.{part}"]
                state[f"layers.{index}.{ours}.{part}"] = value
    arrays = {name: torch.from_numpy(np.asarray(a, dtype=np.float32)) for name, a in state.items()}
    body.load_state_dict(arrays, strict=False)
    return body
