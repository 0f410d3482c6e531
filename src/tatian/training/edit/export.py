"""Write the edit model beside the encoder: ``edit.onnx`` and ``edit.npz``.

edit.onnx
---------
The tokens body with the adapter, over both sentences at once: ``[CLS] first [SEP] second [SEP]``.
The body's own matrices are not stored again: the file points to their bytes inside
``tokens.onnx``, so both must lie in one directory and be of one training.

Inputs: ``embeddings``, ``mask``, ``shapes``, ``words`` as for tokens.onnx; ``segments``
``[batch, time]``, 0 for the first sentence; ``matches`` ``[batch, words, 4]``
(`tatian.union.models.edit.words.matches`).
Outputs: ``memory`` ``[batch, words, width]`` for the decoder, and ``used`` ``[batch, words]``: the
log-odds of each word to be in the union.

edit.npz
--------
The decoder's arrays under their names in `tatian.training.edit.model`. Matrices are int8 with one
float16 scale a row, ``NAME`` and ``NAME.scale``, the product being ``x @ NAME.T``.

edit-rank.npz
-------------
The ranker's arrays in float32: ``mean`` and ``scale`` of the features
(`tatian.union.models.edit.ranking.features`), ``hidden`` and ``hidden_bias`` of a layer of
rectified units, and ``out``, which weighs them.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from tatian.analysis.loading import Weights
from tatian.errors import AssetError, InputError
from tatian.training.adapter import Base, restore
from tatian.training.data import show
from tatian.training.edit.data import UnionWords, read_data
from tatian.training.edit.examples import make_example
from tatian.training.edit.model import EditModel, new_model
from tatian.training.edit.run import WHOLE, base_of, config_of
from tatian.training.edit.train import Trainer
from tatian.training.int8 import (
    Graph,
    bare_copy,
    export_adapted,
    int8_arrays,
    take,
    write_checksums,
)
from tatian.union.models.edit.decoder import Decoder
from tatian.union.models.edit.search import log_likelihoods
from tatian.union.models.edit.words import in_pieces, read_pair, source_words

FILES = ("edit.onnx", "edit.npz")
_IN_ONNX = ("body.", "shape_embedding.", "enter.", "memory_norm.", "used.", "sentence")
"""What of the model is not in ``edit.npz``."""


def _encoded(model: EditModel, given: Mapping[str, Any]) -> Mapping[str, Any]:
    memory = model.encode(**given)
    return {"memory": memory, "used": model.used(memory).squeeze(-1)}


GRAPH = Graph(
    ("embeddings", "mask", "shapes", "segments", "words", "matches"),
    dict.fromkeys(("memory", "used"), ("batch", "words")),
    _encoded,
)


def furnish(model: EditModel, weights: Path, directory: Path) -> None:
    """A weights directory of its own for a model: the tokens body and the edit model alone."""
    bare_copy(weights, directory)
    export_edit(model, directory)
    write_checksums(directory)


def export_edit(model: EditModel, directory: Path) -> None:
    """Add the edit model to a weights directory that holds the tokens body it was trained on."""
    export_adapted(model, GRAPH, directory, "edit.onnx")
    np.savez_compressed(directory / "edit.npz", **int8_arrays(model, _IN_ONNX))


TOLERANCE = 0.02
"""Mean absolute difference of log-likelihoods, a step of the walk, that int8 may cost."""
SAMPLE = 100
RANKER = "edit-rank.npz"


class ExportAgreement(Struct, frozen=True):
    """How the runtime's log-likelihoods differ from PyTorch's, a step of the walk."""

    pairs: int
    mean: float
    largest: float
    correlation: float
    """Of the log-likelihoods of whole walks."""


def agreement(
    trainer: Trainer, base: Base, directory: Path, told: Sequence[UnionWords]
) -> ExportAgreement:
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
    return ExportAgreement(len(steps), float(apart.mean()), float(apart.max()), correlation)


def export_checked(
    base: Base, run: Path, weights: Path, told: Sequence[UnionWords]
) -> ExportAgreement:
    """Put a run's model and ranker into a weights directory, if they agree with PyTorch."""
    if not (run / RANKER).is_file():
        raise AssetError(f"{run} has no ranker: run 'python -m tatian.training edit-rank'")
    config = config_of(run)
    model = new_model(base, config.shape)
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
        shutil.copyfile(run / RANKER, weights / RANKER)
        take(FILES, trial, weights)
    return found


def run_export(options: Any) -> None:
    """The step ``edit-export``."""
    told = [union.told for union in read_data(options.data).unions]
    show(export_checked(base_of(options), options.edit, options.weights, told))
