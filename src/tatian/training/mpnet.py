"""MPNet (Song et al. 2020), the larger encoder that serves as a teacher."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from tatian.analysis.pieces import WordPieces
from tatian.training.model import Body, BodyShape
from tatian.training.pretrained import layer_weights, read_checkpoint

Tensor = Any
BUCKETS, FARTHEST = 32, 128
"""Number of buckets of relative distances, and the distance from which on all share one."""
MPNET = BodyShape(768, 12, inner=3072, positions=514, segments=4, eps=1e-5)
QKV = tuple(f"attention.attn.{part}" for part in "qkv")
PARTS = {
    "out": "attention.attn.o",
    "attention_norm": "attention.LayerNorm",
    "inner": "intermediate.dense",
    "outer": "output.dense",
    "output_norm": "output.LayerNorm",
}
"""Names of a layer's parts, here and in a checkpoint."""
SPECIALS = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>"}


class MpnetBody(Body):
    """MPNet without its word embeddings, with segments added."""

    first_position = 2

    def __init__(self, shape: BodyShape = MPNET) -> None:
        super().__init__(shape)
        nn.init.zeros_(self.segment.weight)
        self.relative_bias = nn.Embedding(BUCKETS, shape.heads)

    def unsegmented(self) -> Tensor:
        return 0.0

    def bias(self, places: Tensor, mask: Tensor, dtype: Any) -> Tensor:
        distances = functional.one_hot(bucket_of(places[None, :] - places[:, None]), BUCKETS)
        relative = (distances.to(dtype) @ self.relative_bias.weight).permute(2, 0, 1)
        return relative[None] + super().bias(places, mask, relative.dtype)


def bucket_of(distance: Tensor) -> Tensor:
    """Return the bucket of each relative distance; larger distances have wider buckets."""
    half = BUCKETS // 2
    exact = half // 2
    size = distance.abs()
    scaled = torch.log(size.clamp(min=1).float() / exact) / math.log(FARTHEST / exact)
    log_bucket = (exact + (scaled * (half - exact)).long()).clamp(max=half - 1)
    return half * (distance > 0).long() + torch.where(size < exact, size, log_bucket)


def read_teacher(checkpoint: Path, pieces: WordPieces) -> tuple[MpnetBody, Tensor]:
    """Load an MPNet body from a checkpoint, and its embeddings in the order of `pieces`."""
    weights, vocabulary = read_checkpoint(checkpoint)
    row = {piece: i for i, piece in enumerate(vocabulary)}
    rows = [row.get(SPECIALS.get(piece, piece), row["[UNK]"]) for piece in pieces.rows]
    table = torch.from_numpy(weights["embeddings.word_embeddings.weight"][rows]).float()
    return build_teacher(weights), table


def build_teacher(weights: dict[str, Any]) -> MpnetBody:
    """Build an `MpnetBody` from checkpoint weights."""
    state = {
        "position.weight": weights["embeddings.position_embeddings.weight"],
        "norm.weight": weights["embeddings.LayerNorm.weight"],
        "norm.bias": weights["embeddings.LayerNorm.bias"],
        "relative_bias.weight": weights["encoder.relative_attention_bias.weight"],
        **layer_weights(weights, QKV, PARTS),
    }
    body = MpnetBody()
    arrays = {name: torch.from_numpy(np.asarray(a, dtype=np.float32)) for name, a in state.items()}
    body.load_state_dict(arrays, strict=False)
    return body
