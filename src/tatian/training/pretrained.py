"""Start directories with the pretrained encoder: an int8 embedding table and a body."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from tatian.analysis.pieces import WordPieces
from tatian.errors import AssetError, MissingExtra
from tatian.training.model import BodyShape

Tensor = Any
_FAR_SCRIPTS = tuple(
    "CJK HIRAGANA KATAKANA HANGUL ARABIC HEBREW BENGALI DEVANAGARI TAMIL KANNADA SINHALA THAI "
    "TIBETAN MYANMAR GEORGIAN".split()
)
QKV = tuple(f"attention.self.{part}" for part in ("query", "key", "value"))
PARTS = {
    "out": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "inner": "intermediate.dense",
    "outer": "output.dense",
    "output_norm": "output.LayerNorm",
}
"""Names of a layer's parts, here and in a checkpoint."""
FILES = ("vocab.txt", "embeddings.npy", "scales.npy", "body.npz")


def quantise_rows(table: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.int8], Any]:
    """Return a table in int8, with a float16 scale for each row."""
    scales = (np.abs(table).max(1) / 127).clip(1e-6).astype(np.float16)
    scaled = np.rint(table / scales.astype(np.float32)[:, None])
    return scaled.clip(-127, 127).astype(np.int8), scales


def is_useful(piece: str) -> bool:
    """Return whether a piece is useful for English: not reserved, not of a distant script."""
    if piece.startswith("[unused"):
        return False
    return not any(
        unicodedata.category(c) == "Lo" and unicodedata.name(c, "").startswith(_FAR_SCRIPTS)
        for c in piece
    )


def read_checkpoint(directory: Path) -> tuple[dict[str, Any], list[str]]:
    """Return the weights and the vocabulary of a checkpoint."""
    try:
        from safetensors.numpy import load_file
    except ImportError:
        raise MissingExtra("reading safetensors", "train") from None
    vocabulary = (directory / "vocab.txt").read_text(encoding="utf-8")
    return load_file(directory / "model.safetensors"), vocabulary.removesuffix("\n").split("\n")


def prepare(source: Path, target: Path) -> None:
    """Convert a BERT checkpoint (``model.safetensors``, ``vocab.txt``) to a start directory."""
    named, vocabulary = read_checkpoint(source)
    target.mkdir(parents=True, exist_ok=True)
    weights = {key.removeprefix("bert."): value for key, value in named.items()}
    kept = [i for i, piece in enumerate(vocabulary) if is_useful(piece)]
    table, scales = quantise_rows(weights["embeddings.word_embeddings.weight"][kept])
    np.save(target / "embeddings.npy", table)
    np.save(target / "scales.npy", scales)
    lines = "".join(f"{vocabulary[i]}\n" for i in kept)
    (target / "vocab.txt").write_text(lines, encoding="utf-8")
    body = {key: value.astype(np.float16) for key, value in _body_arrays(weights).items()}
    np.savez(target / "body.npz", **body)  # type: ignore[arg-type, unused-ignore]


def _body_arrays(weights: dict[str, Any]) -> dict[str, Any]:
    """Return a checkpoint's arrays, renamed for `Body`."""
    old = "embeddings"
    return {
        "position.weight": weights[f"{old}.position_embeddings.weight"],
        "segment.weight": weights[f"{old}.token_type_embeddings.weight"],
        "norm.weight": weights[f"{old}.LayerNorm.weight"],
        "norm.bias": weights[f"{old}.LayerNorm.bias"],
        **layer_weights(weights, QKV, PARTS),
    }


def layer_weights(
    weights: Mapping[str, Any], qkv: Sequence[str], parts: Mapping[str, str]
) -> dict[str, Any]:
    """Return a checkpoint's layers, renamed for `Body`, with joint queries, keys and values."""
    renamed = {}
    layers = 1 + max(int(k.split(".")[2]) for k in weights if k.startswith("encoder.layer."))
    for i in range(layers):
        old, new = f"encoder.layer.{i}", f"layers.{i}"
        for kind in ("weight", "bias"):
            joined = [weights[f"{old}.{name}.{kind}"] for name in qkv]
            renamed[f"{new}.qkv.{kind}"] = np.concatenate(joined)
            for part, name in parts.items():
                renamed[f"{new}.{part}.{kind}"] = weights[f"{old}.{name}.{kind}"]
    return renamed


class Start:
    """Contents of a start directory: the pieces, their vectors, and the body's weights."""

    def __init__(self, directory: Path) -> None:
        missing = [name for name in FILES if not (directory / name).is_file()]
        if missing:
            raise AssetError(
                f"{directory} lacks {', '.join(missing)}: make it with "
                "'python -m tatian.training prepare CHECKPOINT DIRECTORY'"
            )
        self.directory = directory
        lines = (directory / "vocab.txt").read_text(encoding="utf-8").split("\n")
        self.pieces = WordPieces(lines[:-1])
        rows = torch.from_numpy(np.load(directory / "embeddings.npy")).float()
        scales = torch.from_numpy(np.load(directory / "scales.npy")).float()
        self.table: Tensor = rows * scales[:, None]

    def body_weights(self) -> dict[str, Tensor]:
        """Return the weights of the pretrained body, in float32."""
        with np.load(self.directory / "body.npz") as body:
            return {key: torch.from_numpy(body[key]).float() for key in body.files}

    def shape(self, *, heads: int = 12) -> BodyShape:
        """Return the body's dimensions; the weights do not show the number of attention heads."""
        weights = self.body_weights()
        positions, width = weights["position.weight"].shape
        layers = 1 + max(int(key.split(".")[1]) for key in weights if key.startswith("layers."))
        inner = len(weights["layers.0.inner.bias"])
        return BodyShape(width, layers, heads, inner, positions)


def run_prepare(options: Any) -> None:
    """Run the step ``prepare``."""
    prepare(options.checkpoint, options.start)
