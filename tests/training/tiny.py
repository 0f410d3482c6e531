"""A start directory with nothing learned in it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from tatian.training.model import Body, BodyShape
from tatian.training.pretrained import quantise_rows


def prepare_tiny(target: Path, vocabulary: list[str], shape: BodyShape, seed: int = 0) -> None:
    """A random start directory of any shape."""
    target.mkdir(parents=True, exist_ok=True)
    generator = np.random.default_rng(seed)
    table = generator.normal(0, 0.05, (len(vocabulary), shape.width)).astype(np.float32)
    rows, scales = quantise_rows(table)
    np.save(target / "embeddings.npy", rows)
    np.save(target / "scales.npy", scales)
    lines = "".join(f"{piece}\n" for piece in vocabulary)
    (target / "vocab.txt").write_text(lines, encoding="utf-8")
    torch.manual_seed(seed)
    body = {k: v.numpy().astype(np.float16) for k, v in Body(shape).state_dict().items()}
    np.savez(target / "body.npz", **body)
