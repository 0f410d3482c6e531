"""Whether an exported resolver may be shipped: does int8 read words as PyTorch does?"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import numpy as np
import torch
from msgspec import Struct

from tatian.analysis.loading import Weights
from tatian.coreference.models.network import Network
from tatian.coreference.models.resolver import read_states
from tatian.errors import AssetError, InputError
from tatian.training.coref.data import CorefData
from tatian.training.coref.evaluate import Judge
from tatian.training.coref.examples import Maker
from tatian.training.coref.export import FILES, export_coref
from tatian.training.coref.losses import Reader
from tatian.training.coref.train import trained_model
from tatian.training.edit.base import Base
from tatian.training.export import write_checksums

LEAST = 0.98
"""The mean cosine of int8 states and PyTorch's that an export must reach."""
SAMPLE = 10
"""Documents compared."""
_NOT_NEEDED = ("pairs.onnx*", "vectors.onnx*", "edit*", "coref*", "checksums.json")


class Export(Struct, frozen=True):
    """What was found about an exported resolver."""

    documents: int
    cosine: float
    """Mean, of a word's state in int8 and in PyTorch."""
    lowest: float
    scores: dict[str, float]
    """On the documents that were kept out, by what is shipped."""


def export_checked(base: Base, run: Path, weights: Path, data: CorefData) -> Export:
    """Put a run's model into a weights directory, if it reads words as PyTorch does."""
    model = trained_model(base, run)
    with tempfile.TemporaryDirectory() as scratch:
        trial = Path(scratch, "weights")
        shutil.copytree(weights, trial, ignore=shutil.ignore_patterns(*_NOT_NEEDED))
        export_coref(model, trial)
        write_checksums(trial)
        loaded = Weights(trial)
        maker = Maker(base.start.pieces, base.labels.shapes, base.labels.positions)
        reader = Reader(model, base.start.table, "cpu")
        cosines = []
        for told in data.documents[:SAMPLE]:
            with torch.no_grad():
                theirs = reader.states(maker.example(told)).numpy()
            ours = read_states(told.analysis.tokens, loaded, threads=1)
            lengths = np.linalg.norm(ours, axis=1) * np.linalg.norm(theirs, axis=1)
            cosines.append((ours * theirs).sum(1) / lengths)
        if not cosines:
            raise InputError("no documents to check the export on")
        found = np.concatenate(cosines)
        if not found.mean() >= LEAST:
            raise AssetError(
                f"int8 states have a cosine of {found.mean():.3f} with PyTorch's, less than {LEAST}"
            )
        judge = Judge(
            lambda told: read_states(told.analysis.tokens, loaded, threads=1),
            Network(trial / "coref.npz"),
        )
        scores = judge.scores(data)
        for name in FILES:
            shutil.copyfile(trial / name, weights / name)
    write_checksums(weights)
    return Export(len(cosines), float(found.mean()), float(found.min()), scores)
