"""Which samples are computed together: those of nearly one length, so that little is padding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

POOL = 50
"""Batches among whose samples lengths are sorted; more leave less to chance."""
MULTIPLE = 8
"""Of which widths are multiples: what the hardware is made for."""
Tensor = Any


def planned(
    lengths: Sequence[int], batch: int, tokens: int, lots: np.random.Generator
) -> list[list[int]]:
    """Indices of the samples of each batch of an epoch, in random order.

    A batch has at most `batch` samples and, if `tokens` is not 0, no more tokens than that with
    its padding; a sample that is longer is a batch by itself.
    """
    sizes = np.asarray(lengths)
    order = lots.permutation(len(sizes))
    pool = POOL * batch
    found: list[list[int]] = []
    for begin in range(0, len(order), pool):
        drawn = order[begin : begin + pool]
        found += _filled(drawn[np.argsort(sizes[drawn], kind="stable")], sizes, batch, tokens)
    return [found[int(index)] for index in lots.permutation(len(found))]


def _filled(order: Iterable[int], sizes: Any, batch: int, tokens: int) -> list[list[int]]:
    found: list[list[int]] = []
    for index in map(int, order):
        room = bool(found) and len(found[-1]) < batch
        if room and (not tokens or int(sizes[index]) * (len(found[-1]) + 1) <= tokens):
            found[-1].append(index)
        else:
            found.append([index])
    return found


def padded(rows: Sequence[Sequence[int]], filler: int, device: str) -> tuple[Tensor, Tensor]:
    """Rows of ids as one tensor, and which of them count; as wide as `MULTIPLE` allows."""
    import torch

    width = -(-max(map(len, rows)) // MULTIPLE) * MULTIPLE
    ids = torch.tensor([[*row, *[filler] * (width - len(row))] for row in rows])
    mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows])
    return ids.to(device), mask.to(device)
