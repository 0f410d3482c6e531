"""Whether an exported edit model may be shipped: does it find walks as likely as PyTorch does?"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct

from tatian.analysis.loading import Weights
from tatian.errors import AssetError, InputError
from tatian.training.edit.base import Base, restore
from tatian.training.edit.data import Told
from tatian.training.edit.examples import make_example
from tatian.training.edit.export import FILES, furnish
from tatian.training.edit.run import WHOLE, read_config
from tatian.training.edit.train import Trainer
from tatian.training.export import write_checksums
from tatian.union.models.edit.decoder import Decoder
from tatian.union.models.edit.search import log_likelihoods
from tatian.union.models.edit.words import in_pieces, read_pair, source_words

TOLERANCE = 0.02
"""Mean absolute difference of log-likelihoods, a step of the walk, that int8 may cost."""
SAMPLE = 100
RANKER = "edit-rank.npz"


class Agreement(Struct, frozen=True):
    """How the runtime's log-likelihoods differ from PyTorch's, a step of the walk."""

    pairs: int
    mean: float
    largest: float
    correlation: float
    """Of the log-likelihoods of whole walks."""


def agreement(trainer: Trainer, base: Base, directory: Path, told: Sequence[Told]) -> Agreement:
    """Compare both on the walks of real unions, each with word pieces of its own."""
    weights = Weights(directory)
    decoder = Decoder(weights.file("edit.npz"))
    shapes = {shape: number for number, shape in enumerate(weights.labels.shapes)}
    ours: list[float] = []
    theirs: list[float] = []
    steps: list[int] = []
    for one in told:
        example = make_example(one, base.start.pieces, shapes)
        pair = in_pieces(source_words(one.first, one.second), weights.pieces, shapes)
        if example is None or pair is None or len(example.steps) > trainer.model.shape.longest:
            continue
        walk = tuple(example.steps[:-1].tolist())
        theirs += trainer.scores([example])
        ours += log_likelihoods(decoder, read_pair(pair, weights), [walk]).tolist()
        steps.append(len(example.steps))
    if len(steps) < 2:
        raise InputError("fewer than two pairs to check the export on")
    apart = np.abs(np.array(ours) - theirs) / steps
    correlation = float(np.corrcoef(ours, theirs)[0, 1])
    return Agreement(len(steps), float(apart.mean()), float(apart.max()), correlation)


def export_checked(base: Base, run: Path, weights: Path, told: Sequence[Told]) -> Agreement:
    """Put a run's model and ranker into a weights directory, if they agree with PyTorch."""
    if not (run / RANKER).is_file():
        raise AssetError(f"{run} has no ranker: run 'python -m tatian.training edit-rank'")
    config = read_config(run)
    model = base.model(config.shape)
    restore(model, run / f"{WHOLE}.pt")
    with tempfile.TemporaryDirectory() as scratch:
        trial = Path(scratch, "weights")
        furnish(model, weights, trial)
        trainer = Trainer(model, base.start.table, "cpu", config.seed)
        found = agreement(trainer, base, trial, told[:SAMPLE])
        if not found.mean <= TOLERANCE:
            raise AssetError(
                f"int8 log-likelihoods differ from PyTorch's by {found.mean:.3f} a step, "
                f"more than {TOLERANCE}"
            )
        for name in FILES:
            shutil.copyfile(trial / name, weights / name)
    shutil.copyfile(run / RANKER, weights / RANKER)
    write_checksums(weights)
    return found
