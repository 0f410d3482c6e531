"""Entailment pairs: training data, perturbed copies, and evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from msgspec import Struct, structs

from tatian.analysis.pieces import WordPieces
from tatian.training.data import (
    ENTAILMENT,
    NON_COMMERCIAL_PAIRS,
    EntailmentPair,
    read_pairs,
    read_unions,
)
from tatian.training.evaluation import Predict, area_under_curve, evaluate_pairs, pair_probabilities
from tatian.training.examples import PairExample, Scores, encode_pair
from tatian.training.unions import deletion_test, project_unions, union_pairs

Tensor = Any


class PairData(Struct, frozen=True):
    """Training and development data of a run."""

    train: list[EntailmentPair]
    dev: list[EntailmentPair]
    deletions: list[EntailmentPair]
    """Unions with and without a deleted span, for the area under the curve."""


def load_pair_data(root: Path, bundles: Sequence[Path] = ()) -> PairData:
    """Load the corpora in a data directory, and the unions of its and of further bundles."""
    pairs = read_pairs(root / "entailment/train.jsonl.gz")
    unions = project_unions((root / "consolidation/train", *bundles))
    cut = union_pairs(unions, np.random.default_rng(1))
    return PairData(
        train=[*(pair for pair in pairs if pair.source not in NON_COMMERCIAL_PAIRS), *cut],
        dev=read_pairs(root / "entailment/dev.jsonl.gz"),
        deletions=deletion_test(read_unions(root / "union/eval.csv")),
    )


class PairJudge:
    """Scorer of a model on all development pairs."""

    def __init__(self, data: PairData, pieces: WordPieces, longest: int = 256) -> None:
        self.data = data
        self.dev = [encode_pair(p, pieces, ENTAILMENT, longest) for p in data.dev]
        self.deletions = [encode_pair(p, pieces, ENTAILMENT, longest) for p in data.deletions]

    def __call__(self, predict: Predict) -> Scores:
        scores = evaluate_pairs(predict, self.data.dev, self.dev)
        if self.deletions:
            chances = pair_probabilities(predict, self.deletions)[:, 0]
            is_whole = [pair.label == "entailment" for pair in self.data.deletions]
            scores["deletion_auc"] = area_under_curve(list(zip(chances, is_whole, strict=True)))
        return scores


Ints = npt.NDArray[np.int64]
NEAREST = 8
"""Number of pieces that can replace another."""


def nearest_pieces(table: Tensor, pieces: WordPieces) -> Ints:
    """Return the nearest pieces of each piece; for pieces that are not words, the piece itself."""
    rows = [row for piece, row in pieces.rows.items() if piece.isalpha() and len(piece) > 1]
    words = torch.tensor(sorted(rows), device=table.device)
    count = min(NEAREST, len(rows) - 1)
    centred = torch.nn.functional.normalize(table - table.mean(0), dim=-1)[words]
    nearest = torch.arange(len(table), device=table.device)[:, None].repeat(1, count)
    for part in torch.arange(len(words), device=table.device).split(4096):
        likeness = centred[part] @ centred.T
        likeness[torch.arange(len(part)), part] = -1.0
        nearest[words[part]] = words[likeness.topk(count).indices]
    return np.asarray(nearest.cpu().numpy())


def turn_pair(example: PairExample) -> PairExample:
    """Exchange premise and hypothesis."""
    rows, segments = example.rows, example.segments
    second = int(segments.argmax())
    return structs.replace(
        example,
        rows=np.concatenate((rows[:1], rows[second:], rows[1:second])),
        segments=np.repeat([0, 1], [len(rows) - second + 1, second - 1]),
    )


def perturb(
    example: PairExample,
    nearest: Ints,
    pieces: WordPieces,
    share: float,
    generator: np.random.Generator,
) -> PairExample:
    """Replace a share of a pair's pieces by neighbours, or delete them."""
    rows = example.rows.copy()
    special = np.isin(rows, (pieces.start, pieces.end))
    perturbed = (generator.random(len(rows)) < share) & ~special
    drawn = generator.integers(nearest.shape[1], size=len(rows))
    rows[perturbed] = nearest[rows[perturbed], drawn[perturbed]]
    kept = ~(perturbed & (generator.random(len(rows)) < 0.25))
    return structs.replace(example, rows=rows[kept], segments=example.segments[kept])


def near_copies(
    examples: Sequence[PairExample],
    table: Tensor,
    pieces: WordPieces,
    copies: int,
    generator: np.random.Generator,
) -> list[PairExample]:
    """Return each pair with its sides exchanged, and `copies` perturbed copies of it."""
    if not copies:
        return []
    nearest = nearest_pieces(table, pieces)
    result = [turn_pair(example) for example in examples]
    for _ in range(copies):
        result.extend(perturb(e, nearest, pieces, 0.2, generator) for e in examples)
    return result


def limit_data(data: PairData, limit: int) -> PairData:
    """Return a small part of the data, for a dry run."""
    return PairData(data.train[:limit], data.dev[:20], data.deletions[:20])
