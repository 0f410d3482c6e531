"""Low-rank adapters (LoRA) in GGUF, as llama.cpp keeps them, fitted to the network's matrices."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tatian.errors import AssetError
from tatian.union.models.lm.gguf import GGUF, Floats
from tatian.union.models.lm.network import FUSED, Adapter, LowRank, Network

DOWN, UP = "lora_a", "lora_b"


def read_adapter(path: Path, network: Network) -> Adapter:
    """The adapter of a file, for `Network.extend`."""
    file = GGUF(path)
    if file.metadata.get("adapter.type") != "lora":
        raise AssetError(f"{path} is not a LoRA adapter")
    alpha = file.number("adapter.lora.alpha")
    adapter = tuple(_layer(file, index, alpha, network) for index in range(network.shape.layers))
    used = sum(len(FUSED[name]) for layer in adapter for name in layer)
    if not used:
        raise AssetError(f"{path} changes no matrix of this language model")
    return adapter


def _layer(file: GGUF, index: int, alpha: float, network: Network) -> dict[str, LowRank]:
    found: dict[str, LowRank] = {}
    for name, parts in FUSED.items():
        heights = _heights(name, network)
        pairs = [_pair(file, f"blk.{index}.{part}.weight") for part in parts]
        downs = [pair[0] for pair in pairs if pair]
        if not downs:
            continue
        up = np.zeros((sum(heights), sum(len(down) for down in downs)), np.float32)
        row = column = 0
        for pair, height in zip(pairs, heights, strict=True):
            if pair:
                rank = len(pair[0])
                _fit(file, pair, height, network, name)
                up[row : row + height, column : column + rank] = pair[1] * (alpha / rank)
                column += rank
            row += height
        found[name] = LowRank(np.concatenate(downs), up)
    return found


def _pair(file: GGUF, matrix: str) -> tuple[Floats, Floats] | None:
    if f"{matrix}.{DOWN}" not in file.tensors:
        return None
    return file.tensor(f"{matrix}.{DOWN}"), file.tensor(f"{matrix}.{UP}")


def _heights(name: str, network: Network) -> tuple[int, ...]:
    """Outputs of each of the matrices that are multiplied as one."""
    shape = network.shape
    keys = shape.key_heads * shape.head
    return {
        "qkv": (shape.width, keys, keys),
        "out": (shape.width,),
        "gate_up": (shape.inner, shape.inner),
        "down": (shape.width,),
    }[name]


def _fit(file: GGUF, pair: tuple[Floats, Floats], height: int, network: Network, name: str) -> None:
    down, up = pair
    width = network.shape.inner if name == "down" else network.shape.width
    if down.shape[1] != width or up.shape != (height, len(down)):
        raise AssetError(f"{file.path} was made for a language model of another shape")
