"""A Llama-shaped language model in float32, run by numpy.

Everything goes through one operation, `Network.extend`: some tokens are added to a cache, each of
them seeing those that it is told to see. A text is the case in which each token sees all before it;
many texts that begin alike are a tree in which each sees its ancestors; several continuations of
one prompt share its part of the cache. The products are exact float32, so a text has the same
probability alone and among others.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.errors import AssetError
from tatian.union.models.lm.gguf import GGUF, Floats

Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]

HIDDEN = np.float32(-1e30)
"""Added to the attention score of a token that is not to be seen."""
FUSED = {
    "qkv": ("attn_q", "attn_k", "attn_v"),
    "out": ("attn_output",),
    "gate_up": ("ffn_gate", "ffn_up"),
    "down": ("ffn_down",),
}
"""Matrices of one input that are multiplied as one."""


class Shape(Struct, frozen=True):
    """The dimensions that a model's file gives."""

    layers: int
    width: int
    heads: int
    key_heads: int
    """Each serves several heads of queries."""
    inner: int
    positions: int
    epsilon: float
    rotation: float
    """Base of the rotation frequencies."""

    @property
    def head(self) -> int:
        """Width of one head."""
        return self.width // self.heads

    @classmethod
    def of(cls, file: GGUF) -> Shape:
        """Read from a file's metadata."""
        if (architecture := file.text("general.architecture")) != "llama":
            raise AssetError(f"{file.path} is a '{architecture}' model; only 'llama' runs here")
        numbers = {
            name: file.number(f"llama.{key}")
            for name, key in (
                ("layers", "block_count"),
                ("width", "embedding_length"),
                ("heads", "attention.head_count"),
                ("key_heads", "attention.head_count_kv"),
                ("inner", "feed_forward_length"),
                ("positions", "context_length"),
            )
        }
        return cls(
            **{name: int(number) for name, number in numbers.items()},
            epsilon=file.number("llama.attention.layer_norm_rms_epsilon"),
            rotation=file.number("llama.rope.freq_base"),
        )


class Layer(NamedTuple):
    """The weights of one layer, each matrix as ``[output, input]``."""

    attention_norm: Floats
    qkv: Floats
    out: Floats
    inner_norm: Floats
    gate_up: Floats
    down: Floats


class LowRank(NamedTuple):
    """What an adapter adds to one matrix: ``up @ down``, already scaled."""

    down: Floats
    up: Floats


Adapter = tuple[Mapping[str, LowRank], ...]
"""For each layer, what is added to which of the `FUSED` matrices."""


class Cache:
    """Keys and values of the tokens read so far."""

    def __init__(self, shape: Shape, room: int = 256) -> None:
        self.length = 0
        self._shape = shape
        size = (2, shape.layers, shape.key_heads, shape.head, room)
        self._data = np.empty(size, np.float32)

    def copy(self, room: int) -> Cache:
        """The same tokens, with room for more."""
        copied = Cache(self._shape, self.length + room)
        copied.length = self.length
        copied._data[..., : self.length] = self._data[..., : self.length]
        return copied

    def reserve(self, count: int) -> int:
        """Make room for `count` more tokens; where the first of them goes."""
        begin = self.length
        if begin + count > self._data.shape[-1]:
            self._data = self.copy(begin + count)._data
        self.length = begin + count
        return begin

    def store(self, layer: int, begin: int, keys: Floats, values: Floats) -> tuple[Floats, Floats]:
        """Keep ``[key_heads, head, count]`` at `begin`; all keys and values of the layer."""
        self._data[0, layer, ..., begin : self.length] = keys
        self._data[1, layer, ..., begin : self.length] = values
        return self._data[0, layer, ..., : self.length], self._data[1, layer, ..., : self.length]


class Network:
    """The weights of a language model and what is computed with them."""

    def __init__(
        self, shape: Shape, layers: tuple[Layer, ...], table: Floats, norm: Floats
    ) -> None:
        self.shape = shape
        self.layers = layers
        self.table = table
        """One row per piece: its vector, and what a state is compared with to predict it."""
        self.norm = norm
        half = shape.head // 2
        self._frequencies = (shape.rotation ** (-np.arange(half) / half)).astype(np.float32)

    @classmethod
    def of(cls, file: GGUF) -> Network:
        """Read and unpack the weights; layers on several threads."""
        if "output.weight" in file.tensors:
            raise AssetError(f"{file.path} has an output layer of its own, which is not known here")
        shape = Shape.of(file)
        with ThreadPoolExecutor() as pool:
            table = pool.submit(file.tensor, "token_embd.weight")
            layers = tuple(pool.map(lambda index: _layer(file, index), range(shape.layers)))
            return cls(shape, layers, table.result(), file.tensor("output_norm.weight"))

    def extend(
        self,
        cache: Cache,
        ids: Integers,
        positions: Integers,
        visible: Booleans,
        adapter: Adapter | None = None,
    ) -> Floats:
        """Read tokens into `cache`; the state after each of them, as a column.

        `visible` is ``[cache after them, tokens]``: what each token sees, itself included.
        """
        begin = cache.reserve(len(ids))
        angles = self._frequencies[:, None] * positions.astype(np.float32)
        turn = np.cos(angles), np.sin(angles)
        hidden = np.where(visible, np.float32(0), HIDDEN)
        state: Floats = np.ascontiguousarray(self.table[ids].T)
        for index, layer in enumerate(self.layers):
            added = adapter[index] if adapter else {}
            near = _normed(state, layer.attention_norm, self.shape.epsilon)
            mixed = _times(layer.qkv, near, added.get("qkv"))
            seen = self._attend(cache, index, begin, mixed, turn, hidden)
            state = state + _times(layer.out, seen, added.get("out"))
            near = _normed(state, layer.inner_norm, self.shape.epsilon)
            gate, up = np.vsplit(_times(layer.gate_up, near, added.get("gate_up")), 2)
            state = state + _times(layer.down, _swish(gate) * up, added.get("down"))
        return _normed(state, self.norm, self.shape.epsilon)

    def _attend(
        self,
        cache: Cache,
        index: int,
        begin: int,
        mixed: Floats,
        turn: tuple[Floats, Floats],
        hidden: Floats,
    ) -> Floats:
        shape, count = self.shape, mixed.shape[1]
        width, keys_end = shape.width, shape.width + shape.key_heads * shape.head
        groups = shape.heads // shape.key_heads
        queries = _turned(mixed[:width].reshape(shape.heads, shape.head, count), turn)
        queries *= np.float32(shape.head**-0.5)
        queries = queries.reshape(shape.key_heads, groups, shape.head, count)
        queries = queries.transpose(0, 2, 1, 3).reshape(shape.key_heads, shape.head, -1)
        keys = _turned(mixed[width:keys_end].reshape(shape.key_heads, shape.head, count), turn)
        values = mixed[keys_end:].reshape(shape.key_heads, shape.head, count)
        all_keys, all_values = cache.store(index, begin, keys, values)
        scores: Floats = all_keys.transpose(0, 2, 1) @ queries
        scores = scores.reshape(shape.key_heads, -1, groups, count)
        scores += hidden[:, None]
        scores -= scores.max(1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(1, keepdims=True)
        seen: Floats = all_values @ scores.reshape(shape.key_heads, -1, groups * count)
        seen = seen.reshape(shape.key_heads, shape.head, groups, count).transpose(0, 2, 1, 3)
        return seen.reshape(shape.width, count)

    def logits(self, states: Floats) -> Floats:
        """For each state, a column with a score for every piece that could come next."""
        logits: Floats = self.table @ states
        return logits


def _layer(file: GGUF, index: int) -> Layer:
    def read(*names: str) -> Floats:
        parts = [file.tensor(f"blk.{index}.{name}.weight") for name in names]
        return np.concatenate(parts) if len(parts) > 1 else parts[0]

    fused = {name: read(*parts) for name, parts in FUSED.items()}
    return Layer(attention_norm=read("attn_norm"), inner_norm=read("ffn_norm"), **fused)


def _times(matrix: Floats, state: Floats, added: LowRank | None) -> Floats:
    product: Floats = matrix @ state
    if added is not None:
        product += added.up @ (added.down @ state)
    return product


def _normed(state: Floats, weight: Floats, epsilon: float) -> Floats:
    scale = np.sqrt(np.mean(state * state, axis=0) + np.float32(epsilon))
    normed: Floats = state / scale * weight[:, None]
    return normed


def _swish(gate: Floats) -> Floats:
    swished: Floats = gate / (1 + np.exp(-gate))
    return swished


def _turned(vectors: Floats, turn: tuple[Floats, Floats]) -> Floats:
    """Neighbouring pairs of numbers rotated by the angle of the token's position."""
    cosine, sine = turn
    even, odd = vectors[:, 0::2], vectors[:, 1::2]
    turned = np.empty_like(vectors)
    turned[:, 0::2] = even * cosine - odd * sine
    turned[:, 1::2] = even * sine + odd * cosine
    return turned
