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

import copy
import shutil
import tempfile
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from msgspec import Struct
from torch import nn

from tatian.analysis.loading import Weights
from tatian.errors import AssetError, InputError
from tatian.training.adapter import Base, restore
from tatian.training.data import show
from tatian.training.edit.data import Told, read_data
from tatian.training.edit.examples import make_example
from tatian.training.edit.model import EditModel, new_model
from tatian.training.edit.run import WHOLE, base_of, config_of
from tatian.training.edit.train import Trainer
from tatian.training.export import OPSET, quantise, shrink, write_checksums
from tatian.training.pretrained import quantise_rows
from tatian.union.models.edit.decoder import Decoder
from tatian.union.models.edit.search import log_likelihoods
from tatian.union.models.edit.words import MATCHES, in_pieces, read_pair, source_words

Tensor = Any
INPUTS = ("embeddings", "mask", "shapes", "segments", "words", "matches")
OUTPUTS = ("memory", "used")
SHARED_FROM = 1024
"""Arrays of fewer bytes are stored again rather than pointed to."""
SHARED = 0.5
"""The least share of all bytes that another training of the body could not have."""
FILES = ("edit.onnx", "edit.npz")
_NOT_NEEDED = ("pairs.onnx*", "vectors.onnx*", "edit*", "checksums.json")


class _Encoder(nn.Module):
    def __init__(self, model: EditModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, *arrays: Tensor) -> tuple[Tensor, Tensor]:
        memory = self.model.encode(*arrays)
        return memory, self.model.used(memory).squeeze(-1)


def furnish(model: EditModel, weights: Path, directory: Path) -> None:
    """A weights directory of its own for a model: the tokens body and the edit model alone."""
    shutil.copytree(weights, directory, ignore=shutil.ignore_patterns(*_NOT_NEEDED))
    export_edit(model, directory)
    write_checksums(directory)


def export_edit(model: EditModel, directory: Path) -> None:
    """Add the edit model to a weights directory that holds the tokens body it was trained on."""
    model = model.eval()
    export_adapted(partial(export_encoder, shrink(copy.deepcopy(model))), directory, "edit.onnx")
    np.savez_compressed(directory / "edit.npz", **decoder_arrays(model))


def export_adapted(export: Callable[[Path], None], directory: Path, name: str) -> None:
    """Write a model on the tokens body, int8, that points into the body of a weights directory."""
    with tempfile.TemporaryDirectory() as scratch:
        plain, small = Path(scratch, "plain.onnx"), Path(scratch, "small.onnx")
        export(plain)
        quantise(plain, small)
        shared = borrow(small, directory / "tokens.onnx", directory / name)
    if shared < SHARED:
        (directory / name).unlink()
        raise AssetError(f"{directory} holds another tokens body than {name} was trained on")


def export_encoder(model: EditModel, path: Path) -> None:
    """The encoder in float32."""
    width = model.body.shape.width
    sample = (
        torch.randn(1, 9, width),
        torch.ones(1, 9, dtype=torch.int64),
        torch.zeros(1, 9, dtype=torch.int64),
        torch.zeros(1, 9, dtype=torch.int64),
        torch.ones(1, 5, 2, dtype=torch.int64),
        torch.zeros(1, 5, MATCHES),
    )
    pieces, words = {0: "batch", 1: "time"}, {0: "batch", 1: "words"}
    axes = {name: words if name in ("words", "matches") else pieces for name in INPUTS}
    axes |= dict.fromkeys(OUTPUTS, words)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            _Encoder(model).eval(),
            sample,
            str(path),
            input_names=list(INPUTS),
            output_names=list(OUTPUTS),
            dynamic_axes=axes,
            opset_version=OPSET,
            dynamo=False,
        )


def borrow(path: Path, lender: Path, target: Path) -> float:
    """Write the model at `path` with every array that `lender` holds replaced by a pointer.

    The result is the share of bytes that are pointed to.
    """
    import onnx

    model = onnx.load(str(path))
    lent = lender.read_bytes()
    every = sum(len(tensor.raw_data) for tensor in model.graph.initializer)
    shared = 0
    for tensor in model.graph.initializer:
        data = tensor.raw_data
        at = lent.find(data) if len(data) >= SHARED_FROM else -1
        if at < 0:
            continue
        shared += len(data)
        tensor.ClearField("raw_data")
        tensor.data_location = onnx.TensorProto.EXTERNAL
        for key, value in (("location", lender.name), ("offset", at), ("length", len(data))):
            entry = tensor.external_data.add()
            entry.key, entry.value = key, str(value)
    target.write_bytes(model.SerializeToString())
    return shared / every


def decoder_arrays(model: EditModel) -> dict[str, Any]:
    """What `edit.npz` holds."""
    skipped = ("body.", "shape_embedding.", "enter.", "memory_norm.", "used.")
    arrays: dict[str, Any] = {}
    for name, value in model.state_dict().items():
        if name.startswith(skipped) or name == "sentence":
            continue
        array = value.detach().float().numpy()
        if array.ndim == 2:
            arrays[name], arrays[f"{name}.scale"] = quantise_rows(array)
        else:
            arrays[name] = array.astype(np.float32)
    return arrays


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
        for name in FILES:
            shutil.copyfile(trial / name, weights / name)
    shutil.copyfile(run / RANKER, weights / RANKER)
    write_checksums(weights)
    return found


def run_export(options: Any) -> None:
    """The step ``edit-export``."""
    told = [union.told for union in read_data(options.data).unions]
    show(export_checked(base_of(options), options.edit, options.weights, told))
