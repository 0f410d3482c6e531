"""Decoder in plain numpy: a small transformer that points at words, step by step.

Its matrix products are too small for a runtime to pay off, and numpy starts at once.
"""

from __future__ import annotations

from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tatian.errors import AssetError
from tatian.union.models.edit.words import GLUE, PairEncoding

Floats = npt.NDArray[np.float32]
HEADS = 4
END = len(GLUE)
"""Index of the end item; glue words have lower indices, words of the pair higher ones."""
FIRST = END + 1


class Decoder:
    """Arrays of the decoder."""

    def __init__(self, path: Path) -> None:
        with np.load(path) as stored:
            self._arrays = {name: _restored(stored, name) for name in stored.files}
        if len(self._arrays["items"]) != len(GLUE) + 2:
            raise AssetError(f"{path} belongs to another version of tatian: reinstall tatian")
        self.layers = 1 + max(int(n.split(".")[1]) for n in self._arrays if n.startswith("blocks."))
        self.longest = len(self._arrays["position"])

    def __getitem__(self, name: str) -> Floats:
        return self._arrays[name]

    def linear(self, name: str, x: Floats) -> Floats:
        """Apply an affine layer as one product, whatever the number of axes of `x`."""
        result: Floats = x.reshape(-1, x.shape[-1]) @ self[f"{name}.weight"].T
        return result.reshape(*x.shape[:-1], -1) + self[f"{name}.bias"]

    def norm(self, name: str, x: Floats) -> Floats:
        """Apply layer normalisation."""
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5)
        return x * self[f"{name}.weight"] + self[f"{name}.bias"]


class Decoding:
    """Decoding of one pair's walks, with cached keys and values of past steps."""

    def __init__(self, decoder: Decoder, memory: PairEncoding, count: int) -> None:
        self.decoder = decoder
        states = memory.states
        self._inputs = np.concatenate((decoder["items"], states))
        self._keys = decoder.linear("key", states)
        self._across = []
        self._past: list[tuple[Floats, Floats]] = []
        self._step = 0
        width = states.shape[1]
        for layer in range(decoder.layers):
            k, v = np.split(decoder.linear(f"blocks.{layer}.memory", states), 2, -1)
            self._across.append((_heads(k), _heads(v)))
            empty = np.zeros((count, HEADS, 0, width // HEADS), np.float32)
            self._past.append((empty, empty))

    def begin(self, count: int) -> Floats:
        """Return the states ``[count, width]`` to point from at the first step."""
        return self.step(np.arange(count), np.full(count, END))

    def step(self, rows: npt.NDArray[Any], items: npt.NDArray[Any]) -> Floats:
        """Continue the walks in `rows` with their items and return the states to point from."""
        self._past = [(keys[rows], values[rows]) for keys, values in self._past]
        self._step += 1
        return self._states(items[:, None], self._step - 1)[:, 0]

    def follow(self, items: npt.NDArray[Any]) -> Floats:
        """Return the states ``[walks, steps, width]`` to point from along known walks."""
        count, steps = items.shape
        inputs = np.concatenate((np.full((count, 1), END), items[:, :-1]), 1)
        return self._states(inputs, 0, np.triu(np.full((steps, steps), -1e9, np.float32), 1))

    def _states(self, items: npt.NDArray[Any], first: int, future: Floats | None = None) -> Floats:
        """Compute the states of steps from `first` on, given the cached past."""
        d = self.decoder
        # The start is input END + 1 but arrives as END, because an ended walk never continues.
        x = self._inputs[np.where(items >= END, items + 1, items)]
        x = x + d["position"][first : first + items.shape[1]]
        for layer in range(d.layers):
            name = f"blocks.{layer}"
            q, k, v = np.split(d.linear(f"{name}.qkv", d.norm(f"{name}.norm_self", x)), 3, -1)
            past_k, past_v = self._past[layer]
            keys = np.concatenate((past_k, _heads(k)), 2)
            values = np.concatenate((past_v, _heads(v)), 2)
            self._past[layer] = (keys, values)
            x = x + d.linear(f"{name}.out", _attend(_heads(q), keys, values, future))
            q = d.linear(f"{name}.query", d.norm(f"{name}.norm_cross", x))
            x = x + d.linear(f"{name}.cross_out", _attend(_heads(q), *self._across[layer]))
            hidden = _gelu(d.linear(f"{name}.inner", d.norm(f"{name}.norm_inner", x)))
            x = x + d.linear(f"{name}.outer", hidden)
        return d.norm("norm", x)

    def logits(self, x: Floats, features: Floats) -> Floats:
        """Return the scores of all items, from the states of a step and the words' features."""
        d = self.decoder
        pointed = d.linear("point", x) @ self._keys.T / sqrt(x.shape[-1])
        pointed = pointed + (features @ d.linear("weigh", x)[:, :, None])[..., 0]
        scores: Floats = np.concatenate((d.linear("item_bias", x), pointed), -1)
        return scores


def _restored(stored: Any, name: str) -> Floats:
    array = stored[name]
    if array.dtype == np.int8:
        scales = stored[f"{name}.scale"].astype(np.float32)
        array = array.astype(np.float32) * scales[:, None]
    result: Floats = array.astype(np.float32)
    return result


def _heads(x: Floats) -> Floats:
    """Reshape ``[..., time, width]`` to ``[..., heads, time, width / heads]``."""
    split = x.reshape(*x.shape[:-1], HEADS, -1)
    return np.swapaxes(split, -2, -3)


def _attend(q: Floats, k: Floats, v: Floats, mask: Floats | None = None) -> Floats:
    """Return the attention-weighted values at each step, ``[walks, steps, width]``."""
    scores = q @ np.swapaxes(k, -1, -2) / np.float32(sqrt(q.shape[-1]))
    if mask is not None:
        scores = scores + mask
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    mixed = np.swapaxes((scores / scores.sum(-1, keepdims=True)) @ v, -2, -3)
    joined: Floats = mixed.reshape(*mixed.shape[:2], -1)
    return joined


def _gelu(x: Floats) -> Floats:
    result: Floats = x * 0.5 * (1 + _erf(x / np.float32(sqrt(2))))
    return result


def _erf(x: Floats) -> Floats:
    """Approximate erf within 1.5e-7 (Abramowitz and Stegun 7.1.26), faster than `math.erf`."""
    sign, x = np.sign(x), np.abs(x)
    t = 1 / (1 + np.float32(0.3275911) * x)
    poly = t * (
        0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))
    )
    result: Floats = (sign * (1 - poly * np.exp(-x * x))).astype(np.float32)
    return result
