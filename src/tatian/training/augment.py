"""Unlabelled pairs for distillation: near copies of the training pairs that teachers then label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from msgspec import structs

from tatian.analysis.pieces import WordPieces
from tatian.training.examples import PairExample

Tensor = Any
Ints = npt.NDArray[np.int64]


def neighbours(table: Tensor, pieces: WordPieces, count: int = 8) -> Ints:
    """For each piece the pieces nearest in meaning; pieces that are not words keep themselves."""
    rows = [row for piece, row in pieces.rows.items() if piece.isalpha() and len(piece) > 1]
    words = torch.tensor(sorted(rows), device=table.device)
    count = min(count, len(rows) - 1)
    centred = torch.nn.functional.normalize(table - table.mean(0), dim=-1)[words]
    nearest = torch.arange(len(table), device=table.device)[:, None].repeat(1, count)
    for part in torch.arange(len(words), device=table.device).split(4096):
        likeness = centred[part] @ centred.T
        likeness[torch.arange(len(part)), part] = -1.0
        nearest[words[part]] = words[likeness.topk(count).indices]
    return np.asarray(nearest.cpu().numpy())


def turned(example: PairExample) -> PairExample:
    """The hypothesis as premise and the premise as hypothesis."""
    rows, segments = example.rows, example.segments
    second = int(segments.argmax())
    return structs.replace(
        example,
        rows=np.concatenate((rows[:1], rows[second:], rows[1:second])),
        segments=np.concatenate(
            (np.zeros(len(rows) - second + 1), np.ones(second - 1)),
        ).astype(np.int64),
    )


def perturbed(
    example: PairExample,
    nearest: Ints,
    pieces: WordPieces,
    share: float,
    generator: np.random.Generator,
) -> PairExample:
    """The pair with a share of its pieces replaced by neighbours or left out."""
    rows = example.rows.copy()
    special = np.isin(rows, (pieces.start, pieces.end))
    touched = (generator.random(len(rows)) < share) & ~special
    chosen = generator.integers(nearest.shape[1], size=len(rows))
    rows[touched] = nearest[rows[touched], chosen[touched]]
    kept = ~(touched & (generator.random(len(rows)) < 0.25))
    return structs.replace(example, rows=rows[kept], segments=example.segments[kept])


def near_copies(
    examples: Sequence[PairExample],
    table: Tensor,
    pieces: WordPieces,
    copies: int,
    generator: np.random.Generator,
) -> list[PairExample]:
    """Each pair turned once, and perturbed `copies` times."""
    if not copies:
        return []
    nearest = neighbours(table, pieces)
    result = [turned(example) for example in examples]
    for _ in range(copies):
        result.extend(perturbed(e, nearest, pieces, 0.2, generator) for e in examples)
    return result
