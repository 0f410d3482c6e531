"""The language model as PyTorch trains it: frozen weights of a GGUF file, low-rank changes to them.

The same computation as `tatian.union.models.lm.network`, in the layout of the file, so that an
adapter trained here is written as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from tatian.union.models.lm.gguf import GGUF
from tatian.union.models.lm.network import Shape

Tensor = Any
MATRICES = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")


class Adapted(nn.Module):
    """A frozen matrix with a trainable change of low rank, which is nothing at first."""

    def __init__(self, weight: Tensor, rank: int, alpha: float, dropout: float) -> None:
        super().__init__()
        self.register_buffer("weight", weight, persistent=False)
        outputs, inputs = weight.shape
        self.down: Tensor = nn.Parameter(torch.empty(rank, inputs)) if rank else None
        self.up: Tensor = nn.Parameter(torch.zeros(outputs, rank)) if rank else None
        if self.down is not None:
            nn.init.normal_(self.down, std=inputs**-0.5)
        self.scale = alpha / max(1, rank)
        self.dropout = dropout

    def forward(self, inputs: Tensor) -> Tensor:
        """The product with the changed matrix."""
        product = functional.linear(inputs, self.weight)
        if self.down is None:
            return product
        dropped = functional.dropout(inputs, self.dropout, self.training)
        low = functional.linear(dropped, self.down.to(inputs.dtype))
        return product + self.scale * functional.linear(low, self.up.to(inputs.dtype))


class Block(nn.Module):
    """One layer."""

    def __init__(self, file: GGUF, index: int, shape: Shape, options: dict[str, Any]) -> None:
        super().__init__()
        self.shape = shape
        for name in MATRICES:
            weight = _read(file, f"blk.{index}.{name}.weight", options["dtype"])
            rank = options["rank"] if name in options["matrices"] else 0
            self.add_module(name, Adapted(weight, rank, options["alpha"], options["dropout"]))
        for name in ("attn_norm", "ffn_norm"):
            weight = _read(file, f"blk.{index}.{name}.weight", options["dtype"])
            self.register_buffer(name, weight, persistent=False)

    def forward(self, state: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
        """The state after the layer."""
        near = functional.rms_norm(state, state.shape[-1:], self.attn_norm, self.shape.epsilon)
        state = state + self.attn_output(self._attend(near, turn))
        near = functional.rms_norm(state, state.shape[-1:], self.ffn_norm, self.shape.epsilon)
        return state + self.ffn_down(functional.silu(self.ffn_gate(near)) * self.ffn_up(near))

    def _attend(self, near: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
        shape = self.shape
        queries = _turned(self._heads(self.attn_q(near), shape.heads), turn)
        keys = _turned(self._heads(self.attn_k(near), shape.key_heads), turn)
        values = self._heads(self.attn_v(near), shape.key_heads)
        groups = shape.heads // shape.key_heads
        seen = functional.scaled_dot_product_attention(
            queries,
            keys.repeat_interleave(groups, 1),
            values.repeat_interleave(groups, 1),
            is_causal=True,
        )
        return seen.transpose(1, 2).flatten(2)

    def _heads(self, mixed: Tensor, heads: int) -> Tensor:
        return mixed.unflatten(-1, (heads, self.shape.head)).transpose(1, 2)


class Trainee(nn.Module):
    """A language model of which only the adapter learns."""

    def __init__(
        self,
        file: GGUF,
        *,
        rank: int,
        alpha: float,
        dropout: float = 0.0,
        matrices: tuple[str, ...] = MATRICES,
        dtype: Any = torch.float32,
    ) -> None:
        super().__init__()
        self.shape = Shape.of(file)
        self.alpha = alpha
        options = {
            "rank": rank,
            "alpha": alpha,
            "dropout": dropout,
            "matrices": matrices,
            "dtype": dtype,
        }
        self.blocks = nn.ModuleList(
            Block(file, index, self.shape, options) for index in range(self.shape.layers)
        )
        table = _read(file, "token_embd.weight", dtype)
        self.register_buffer("table", table, persistent=False)
        norm = _read(file, "output_norm.weight", dtype)
        self.register_buffer("norm", norm, persistent=False)
        half = self.shape.head // 2
        frequencies = self.shape.rotation ** (-torch.arange(half) / half)
        self.register_buffer("frequencies", frequencies.float(), persistent=False)

    def forward(self, ids: Tensor) -> Tensor:
        """The state after each token of ``[texts, tokens]``; texts end in padding, if in any."""
        angles = torch.arange(ids.shape[1], device=ids.device)[:, None] * self.frequencies
        turn = angles.cos(), angles.sin()
        state = self.table[ids]
        for block in self.blocks:
            state = block(state, turn)
        return functional.rms_norm(state, state.shape[-1:], self.norm, self.shape.epsilon)

    def losses(self, ids: Tensor, counted: Tensor) -> Tensor:
        """The negative log-probability of each counted token, given those before it."""
        states = self(ids)[:, :-1][counted[:, 1:]]
        logits = functional.linear(states, self.table).float()
        return functional.cross_entropy(logits, ids[:, 1:][counted[:, 1:]], reduction="none")

    def adapted(self) -> Iterator[tuple[str, Adapted]]:
        """The matrices that are changed, by their names in the file."""
        for index, block in enumerate(self.blocks):
            for name in MATRICES:
                matrix = getattr(block, name)
                if matrix.down is not None:
                    yield f"blk.{index}.{name}.weight", matrix


def _read(file: GGUF, name: str, dtype: Any) -> Tensor:
    return torch.from_numpy(file.tensor(name).copy()).to(dtype)


def _turned(vectors: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
    """Neighbouring pairs of numbers rotated by the angle of the token's position."""
    cosine, sine = turn
    even, odd = vectors[..., 0::2].float(), vectors[..., 1::2].float()
    turned = torch.stack((even * cosine - odd * sine, even * sine + odd * cosine), -1)
    return turned.flatten(-2).to(vectors.dtype)
