"""Whether exported weights may be shipped: do they agree with PyTorch and score as well?"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from tatian.errors import AssetError
from tatian.training.data import show
from tatian.training.evaluation import Predict
from tatian.training.examples import Batch, Scores, TokenEncoder, pair_batch, token_batch
from tatian.training.export import (
    Trained,
    export_plain,
    export_weights,
    load_trained,
    pack,
    session_predictor,
)
from tatian.training.loop import Recipe
from tatian.training.pairs import PairData, PairJudge, load_pair_data
from tatian.training.pretrained import Start
from tatian.training.tokens import Judge, TokenData, TokensConfig, load_token_data, predictor

FLOAT_TOLERANCE = 1e-3
"""Largest difference of any float32 ONNX output from PyTorch's."""
COSINE = 0.98
"""Least mean cosine of int8 sentence vectors with PyTorch's."""
DROP = 0.5
"""Points that a development score may lose by int8."""

GATES = ("upos", "lemma", "las", "names_uner", "accuracy", "deletion_auc")
"""The scores that int8 may not cost more."""

_ON_CPU = Recipe(epochs=0, lr=0.0, head_lr=0.0)


def compare(one: Predict, other: Predict, batch: Batch) -> float:
    """The largest difference of any output on a batch, rows of padding words left out."""
    first, second = one(batch), other(batch)
    return max(float(np.abs(first[name] - second[name]).max()) for name in second)


def check_weights(
    directory: Path, start: Start, trained: Trained, tokens: TokenData, pairs: PairData
) -> dict[str, Scores]:
    """Development scores in float32 and int8, for `complain` to judge.

    Raises at once if a float32 export computes something else than PyTorch does.
    """
    encoder = TokenEncoder(start.pieces, trained.labels)
    judge, pair_judge = Judge(tokens, encoder), PairJudge(pairs, start.pieces, _longest(trained))
    sentences = token_batch(judge.tree_examples[:1])
    batches = {
        "tokens": sentences,
        "vectors": sentences,
        "pairs": pair_batch(pair_judge.dev[:1]),
    }
    with tempfile.TemporaryDirectory() as temporary:
        for kind, batch in batches.items():
            path = Path(temporary, f"{kind}.onnx")
            model = getattr(trained, kind)
            export_plain(model, kind, path)
            plain = session_predictor(path, start.table)
            apart = compare(predictor(model, start.table, _ON_CPU, kind), plain, batch)
            if apart > FLOAT_TOLERANCE:
                raise AssetError(f"{kind}: float32 ONNX differs from PyTorch by {apart:.2g}")
    scores: dict[str, Scores] = {"float32": {}, "int8": {}}
    for name in scores:
        engines = _engines(name, directory, start, trained)
        weights, steps = trained.tokens.relations, trained.tokens.transitions
        scores[name] |= judge(engines["tokens"], weights, steps)
        scores[name] |= pair_judge(engines["pairs"])
    scores["int8"]["vector_cosine"] = vector_cosine(directory, start, trained, judge)
    return scores


def _engines(name: str, directory: Path, start: Start, trained: Trained) -> dict[str, Predict]:
    if name == "int8":
        return {
            kind: session_predictor(directory / f"{kind}.onnx", start.table)
            for kind in ("tokens", "pairs")
        }
    return {
        kind: predictor(getattr(trained, kind), start.table, _ON_CPU, kind)
        for kind in ("tokens", "pairs")
    }


def vector_cosine(directory: Path, start: Start, trained: Trained, judge: Judge) -> float:
    """The mean cosine of int8 and float32 sentence vectors."""
    int8 = session_predictor(directory / "vectors.onnx", start.table)
    float32 = predictor(trained.vectors, start.table, _ON_CPU, "vectors")
    cosines: list[Any] = []
    for example in judge.tree_examples[:200]:
        batch = token_batch([example])
        cosines.append((int8(batch)["vectors"] * float32(batch)["vectors"]).sum())
    return float(np.mean(cosines))


def _longest(trained: Trained) -> int:
    return min(256, int(trained.labels.positions))


def complain(scores: dict[str, Scores]) -> None:
    """Raise if int8 costs one of the scores that weights are chosen by more than `DROP` points."""
    for name in GATES:
        before, after = scores["float32"][name], scores["int8"][name]
        allowed = DROP / 100 if name == "deletion_auc" else DROP
        if before - after > allowed:
            raise AssetError(
                f"int8 takes {name} from {before:.2f} to {after:.2f}: more than {DROP}"
            )
    if scores["int8"]["vector_cosine"] < COSINE:
        raise AssetError(f"int8 sentence vectors: mean cosine {scores['int8']['vector_cosine']}")


def run_export(options: Any) -> None:
    """The step ``export``."""
    start = Start(options.start)
    trained = load_trained(start, options.tokens, options.pairs)
    export_weights(start, trained, options.licence.read_text(encoding="utf-8"), options.out)
    tokens = load_token_data(options.data, TokensConfig(recipe=_ON_CPU))
    pairs = load_pair_data(options.data)
    scores = check_weights(options.out, start, trained, tokens, pairs)
    show(scores)
    complain(scores)
    pack(options.out)
