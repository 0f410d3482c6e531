"""Export of the shipped weights: one int8 embedding table and three int8 ONNX bodies.

``docs/models/weights.md`` describes the files, their inputs and their outputs.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch

from tatian.analysis.coverage import OTHER_SAME
from tatian.analysis.loading import Labels
from tatian.errors import AssetError
from tatian.training.data import show
from tatian.training.evaluation import Predict
from tatian.training.examples import Batch, Scores, TokenEncoder, pair_batch, token_batch
from tatian.training.int8 import Graph, compress_bodies, export_int8, export_plain, write_checksums
from tatian.training.loop import Recipe
from tatian.training.model import PairsModel, TokensModel, VectorsModel
from tatian.training.pairs import PairData, PairJudge, load_pair_data
from tatian.training.pretrained import Start
from tatian.training.tokens import (
    INPUTS,
    TokenData,
    TokenJudge,
    TokensConfig,
    head_sizes,
    load_token_data,
    predictor,
)

Tensor = Any
PAIRS_GRAPH = Graph(
    ("embeddings", *INPUTS["pairs"]),
    {"logits": ("batch",), "states": ("batch",), "told": ("batch", "time"), "whole": ("batch",)},
)
GRAPHS = {
    "tokens": Graph(
        ("embeddings", *INPUTS["tokens"]),
        {
            **dict.fromkeys(("upos", "xpos", "features", "scripts", "names"), ("batch", "words")),
            "arcs": ("batch", "words", "nodes"),
            "dependents": ("batch", "words"),
            "heads": ("batch", "nodes"),
            "states": ("batch", "words"),
        },
    ),
    "pairs": PAIRS_GRAPH,
    "vectors": Graph(("embeddings", *INPUTS["vectors"]), {"vectors": ("batch",)}),
}
COMPRESSED_BODIES = ("pairs", "vectors")
"""Bodies that are compressed, since no other file points into them."""
FLOAT_TOLERANCE = 1e-3
"""Maximum difference of a float32 ONNX output from PyTorch's."""
MIN_COSINE = 0.98
"""Minimum mean cosine of int8 sentence vectors with PyTorch's."""
MAX_DROP = 0.5
"""Maximum loss of a development score in int8, in points."""
CHECKED_SCORES = ("upos", "lemma", "las", "names_uner", "accuracy", "deletion_auc")
"""Scores to which `MAX_DROP` applies."""

_ON_CPU = Recipe(epochs=0, lr=0.0, head_lr=0.0)


def session_predictor(path: Path, table: Tensor) -> Predict:
    """Return the prediction function of an exported body, for evaluation."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    session = onnxruntime.InferenceSession(str(path), options)
    input_names = [argument.name for argument in session.get_inputs()]
    names = [output.name for output in session.get_outputs()]
    vectors = table.numpy()

    def predict(batch: Batch) -> dict[str, Any]:
        inputs = {"embeddings": vectors[batch["rows"]] * batch["mask"][..., None], **batch}
        inputs["embeddings"] = inputs["embeddings"].astype(np.float32)
        outputs = session.run(names, {name: inputs[name] for name in input_names})
        return dict(zip(names, outputs, strict=True))

    return predict


class TrainedModels(msgspec.Struct, frozen=True):
    """The three models of one weights directory."""

    tokens: Any
    pairs: Any
    vectors: Any
    labels: Labels


def load_trained(
    start: Start, tokens: Path, pairs: Path, attention_heads: int = 12
) -> TrainedModels:
    """Load the models of training runs from their directories."""
    shape = start.shape(heads=attention_heads)
    labels = msgspec.json.decode((tokens / "labels.json").read_bytes(), type=Labels)
    options = msgspec.json.decode((tokens / "heads.json").read_bytes(), type=dict[str, int])
    token_model = TokensModel(shape, head_sizes(labels, options))
    token_model.load_state_dict(torch.load(tokens / "tokens.pt", map_location="cpu"))
    pair_model = PairsModel(msgspec.structs.replace(shape, segments=OTHER_SAME + 1))
    pair_model.load_state_dict(torch.load(pairs / "pairs.pt", map_location="cpu"))
    vector_model = VectorsModel(shape)
    vector_model.body.load_state_dict(start.body_weights())
    return TrainedModels(token_model.eval(), pair_model.eval(), vector_model.eval(), labels)


def export_weights(start: Start, trained: TrainedModels, licence: str, directory: Path) -> None:
    """Write a weights directory, which must pass `check_weights` and `check_scores`."""
    directory.mkdir(parents=True, exist_ok=True)
    for name in ("vocab.txt", "embeddings.npy", "scales.npy"):
        (directory / name).write_bytes((start.directory / name).read_bytes())
    relations = trained.tokens.relations.detach().numpy().astype(np.float16)
    np.save(directory / "relations.npy", relations)
    transitions = trained.tokens.transitions.detach().numpy().round(4).tolist()
    labels = msgspec.structs.replace(
        trained.labels, transitions=tuple(tuple(row) for row in transitions)
    )
    (directory / "labels.json").write_bytes(msgspec.json.encode(labels) + b"\n")
    (directory / "LICENSE.md").write_text(licence, encoding="utf-8")
    for kind, graph in GRAPHS.items():
        export_int8(getattr(trained, kind), graph, directory / f"{kind}.onnx")
    write_checksums(directory)


def compare(first_predictor: Predict, second_predictor: Predict, batch: Batch) -> float:
    """Return the maximum difference of any output on a batch."""
    first, second = first_predictor(batch), second_predictor(batch)
    return max(float(np.abs(first[name] - second[name]).max()) for name in second)


def check_weights(
    directory: Path, start: Start, trained: TrainedModels, tokens: TokenData, pairs: PairData
) -> dict[str, Scores]:
    """Return development scores in float32 and int8.

    Raise an AssetError if a float32 export differs from PyTorch.
    """
    judge = TokenJudge(tokens, TokenEncoder(start.pieces, trained.labels))
    pair_judge = PairJudge(pairs, start.pieces, min(256, int(trained.labels.positions)))
    sentences, pair = token_batch(judge.tree_examples[:1]), pair_batch(pair_judge.dev[:1])
    batches = {"tokens": sentences, "vectors": sentences, "pairs": pair}
    with tempfile.TemporaryDirectory() as temporary:
        for kind, batch in batches.items():
            path = Path(temporary, f"{kind}.onnx")
            model = getattr(trained, kind)
            export_plain(model, GRAPHS[kind], path)
            exported = session_predictor(path, start.table)
            difference = compare(predictor(model, start.table, _ON_CPU, kind), exported, batch)
            if difference > FLOAT_TOLERANCE:
                raise AssetError(f"{kind}: float32 ONNX differs from PyTorch by {difference:.2g}")
    scores: dict[str, Scores] = {"float32": {}, "int8": {}}
    for name in scores:
        engines = {
            kind: session_predictor(directory / f"{kind}.onnx", start.table)
            if name == "int8"
            else predictor(getattr(trained, kind), start.table, _ON_CPU, kind)
            for kind in ("tokens", "pairs")
        }
        relations, transitions = trained.tokens.relations, trained.tokens.transitions
        scores[name] |= judge(engines["tokens"], relations, transitions)
        scores[name] |= pair_judge(engines["pairs"])
    scores["int8"]["vector_cosine"] = vector_cosine(directory, start, trained, judge)
    return scores


def vector_cosine(
    directory: Path, start: Start, trained: TrainedModels, judge: TokenJudge
) -> float:
    """Return the mean cosine of int8 and float32 sentence vectors."""
    int8 = session_predictor(directory / "vectors.onnx", start.table)
    float32 = predictor(trained.vectors, start.table, _ON_CPU, "vectors")
    cosines: list[Any] = []
    for example in judge.tree_examples[:200]:
        batch = token_batch([example])
        cosines.append((int8(batch)["vectors"] * float32(batch)["vectors"]).sum())
    return float(np.mean(cosines))


def check_scores(scores: dict[str, Scores]) -> None:
    """Raise an AssetError if int8 lowers one of `CHECKED_SCORES` by more than `MAX_DROP`."""
    for name in CHECKED_SCORES:
        before, after = scores["float32"][name], scores["int8"][name]
        allowed = MAX_DROP / 100 if name == "deletion_auc" else MAX_DROP
        if before - after > allowed:
            raise AssetError(
                f"int8 takes {name} from {before:.2f} to {after:.2f}: more than {MAX_DROP}"
            )
    if scores["int8"]["vector_cosine"] < MIN_COSINE:
        raise AssetError(f"int8 sentence vectors: mean cosine {scores['int8']['vector_cosine']}")


def run_export(options: Any) -> None:
    """Run the step ``export``."""
    start = Start(options.start)
    trained = load_trained(start, options.tokens, options.pairs)
    export_weights(start, trained, options.licence.read_text(encoding="utf-8"), options.out)
    tokens = load_token_data(options.data, TokensConfig(recipe=_ON_CPU))
    pairs = load_pair_data(options.data)
    scores = check_weights(options.out, start, trained, tokens, pairs)
    show(scores)
    check_scores(scores)
    compress_bodies(options.out, COMPRESSED_BODIES)
