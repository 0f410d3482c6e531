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
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from tatian.errors import AssetError
from tatian.training.edit.model import EditModel
from tatian.training.export import OPSET, quantise, shrink, write_checksums
from tatian.training.pretrained import quantise_rows
from tatian.union.models.edit.words import MATCHES

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
