"""Write the resolver beside the encoder: ``coref.onnx`` and ``coref.npz``.

coref.onnx
----------
The tokens body with the adapter. Its own matrices are not stored again: the file points to their
bytes inside ``tokens.onnx``, so both must lie in one directory and be of one training.

Inputs: ``embeddings``, ``mask``, ``shapes``, ``words`` as for tokens.onnx; a sequence is a window
of running text (`tatian.analysis.windows.cut`), ``[CLS] pieces [SEP]``.
Output: ``states`` ``[batch, words, width]``: the mean of the last layer at each word's first and
last piece.

coref.npz
---------
The arrays of the heads under their names in `tatian.training.coref.model`. Matrices of at least
`LARGE` numbers are int8 with one float16 scale a row, ``NAME`` and ``NAME.scale``; all else is
float16. A product is ``x @ NAME.T``.

=============================  ====================================================================
``word_features.K.weight``     ``[values, 16]``: what the word's feature K adds to its state
``enter``, ``norm``            state and features to a vector of 256, then normalised (eps 1e-5)
``mention_hidden``,            vector to hidden to the log-odds of heading a mention, by scheme
``mention``
``scheme``                     ``[schemes, 256]``: added to vectors before pairs are scored
``anaphor``, ``antecedent``    vectors to the hidden layer of a pair, one part each
``anaphor_factors``,           vectors to factors, whose products go through ``product`` to the
``antecedent_factors``         hidden layer
``pair``                       ``[192, PAIR + 2]``: the pair's features, then the probabilities of
                               the anaphor and of the antecedent to head mentions
``distance``, ``sentences``,   added to the hidden layer, by bucket or number
``kinds``, ``scheme_hidden``
``narrow``, ``out``            hidden layer (after GELU) to 64 to (after GELU) the fine score
``coarse``                     the coarse score is ``x_i . coarse . x_j / 16``
``pair_weights``               ``[schemes, PAIR]``: the pair's features weighed plainly
``none``                       GELU of the vector to the score of having no antecedent
``edges.0.…``, ``edges.1.…``   the first and the last word of a mention: ``query`` of the head and
                               ``key`` of the word, their product over 8, plus columns 0 and
                               1 + scheme of ``features``, ``via``, ``offset``, ``tag``
=============================  ====================================================================
"""

from __future__ import annotations

import copy
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from tatian.training.coref.model import CorefModel
from tatian.training.edit.export import export_adapted
from tatian.training.export import OPSET, shrink
from tatian.training.pretrained import quantise_rows

Tensor = Any
INPUTS = ("embeddings", "mask", "shapes", "words")
FILES = ("coref.onnx", "coref.npz")
LARGE = 4096
"""Matrices of fewer numbers keep float16: int8 would save nothing worth having."""
_ELSEWHERE = ("body.", "shape_embedding.")


class _Reader(nn.Module):
    """The part of the model that runs in ONNX."""

    def __init__(self, model: CorefModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, *arrays: Tensor) -> Tensor:
        return self.model.states(*arrays)


def export_coref(model: CorefModel, directory: Path) -> None:
    """Add the resolver to a weights directory that holds the tokens body it was trained on."""
    model = model.eval()
    export_adapted(partial(export_reader, shrink(copy.deepcopy(model))), directory, "coref.onnx")
    np.savez_compressed(directory / "coref.npz", **head_arrays(model))


def export_reader(model: CorefModel, path: Path) -> None:
    """The adapted body in float32."""
    sample = (
        torch.randn(2, 9, model.body.shape.width),
        torch.ones(2, 9, dtype=torch.int64),
        torch.zeros(2, 9, dtype=torch.int64),
        torch.ones(2, 5, 2, dtype=torch.int64),
    )
    pieces, words = {0: "batch", 1: "time"}, {0: "batch", 1: "words"}
    axes = dict.fromkeys(INPUTS, pieces) | dict.fromkeys(("words", "states"), words)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            _Reader(model).eval(),
            sample,
            str(path),
            input_names=list(INPUTS),
            output_names=["states"],
            dynamic_axes=axes,
            opset_version=OPSET,
            dynamo=False,
        )


def head_arrays(model: CorefModel) -> dict[str, Any]:
    """What ``coref.npz`` holds."""
    arrays: dict[str, Any] = {}
    for name, value in model.state_dict().items():
        if name.startswith(_ELSEWHERE):
            continue
        array = value.detach().float().numpy()
        if array.ndim == 2 and array.size >= LARGE:
            arrays[name], arrays[f"{name}.scale"] = quantise_rows(array)
        else:
            arrays[name] = array.astype(np.float16)
    return arrays
