"""Write the resolver beside the encoder: ``coref.onnx`` and ``coref.npz``.

coref.onnx
----------
The tokens body with the adapter. Its own matrices are not stored again: the file points to their
bytes inside ``tokens.onnx``, so both must lie in one directory and be of one training.

Inputs: ``embeddings``, ``mask``, ``shapes``, ``words`` as for tokens.onnx; a sequence is a window
of running text (`tatian.analysis.pieces.cut`), ``[CLS] pieces [SEP]``.
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

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from msgspec import Struct

from tatian.analysis.loading import Weights
from tatian.coreference.models.network import Network
from tatian.coreference.models.resolver import read_states
from tatian.errors import AssetError, InputError
from tatian.training.adapter import Base
from tatian.training.coref.data import CorefData, read_data
from tatian.training.coref.evaluate import ResolverJudge
from tatian.training.coref.examples import DocumentEncoder
from tatian.training.coref.losses import Reader
from tatian.training.coref.model import CorefModel, head_arrays
from tatian.training.coref.train import config_of, trained_model
from tatian.training.data import show
from tatian.training.int8 import Graph, bare_copy, export_adapted, take, write_checksums
from tatian.training.pretrained import Start

FILES = ("coref.onnx", "coref.npz")
GRAPH = Graph(
    ("embeddings", "mask", "shapes", "words"),
    {"states": ("batch", "words")},
    lambda model, given: {"states": model.states(**given)},
)


def export_coref(model: CorefModel, directory: Path) -> None:
    """Add the resolver to a weights directory that holds the tokens body it was trained on."""
    export_adapted(model, GRAPH, directory, "coref.onnx")
    np.savez_compressed(directory / "coref.npz", **head_arrays(model))


LEAST = 0.98
"""The mean cosine of int8 states and PyTorch's that an export must reach."""
SAMPLE = 10
"""Documents compared."""


class ResolverExport(Struct, frozen=True):
    """What was found about an exported resolver."""

    documents: int
    cosine: float
    """Mean, of a word's state in int8 and in PyTorch."""
    lowest: float
    scores: dict[str, float]
    """On the documents that were kept out, by what is shipped."""


def export_checked(base: Base, run: Path, weights: Path, data: CorefData) -> ResolverExport:
    """Put a run's model into a weights directory, if it reads words as PyTorch does."""
    model = trained_model(base, run)
    with tempfile.TemporaryDirectory() as scratch:
        trial = Path(scratch, "weights")
        bare_copy(weights, trial)
        export_coref(model, trial)
        write_checksums(trial)
        loaded = Weights(trial)
        maker = DocumentEncoder(base.start.pieces, base.labels.shapes, base.labels.positions)
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
        judge = ResolverJudge(
            lambda told: read_states(told.analysis.tokens, loaded, threads=1),
            Network(trial / "coref.npz"),
        )
        scores = judge.scores(data)
        take(FILES, trial, weights)
    return ResolverExport(len(cosines), float(found.mean()), float(found.min()), scores)


def run_export(options: Any) -> None:
    """The step ``coref-export``."""
    heads = config_of(options.coref).attention_heads
    base = Base(Start(options.start), options.tokens, heads)
    show(export_checked(base, options.coref, options.weights, read_data(options.data)))
