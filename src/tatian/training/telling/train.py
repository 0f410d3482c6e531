"""Training of the pairs body in what tells what, beside the entailment that it knows already."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from msgspec import Struct, structs
from torch.nn import functional

from tatian.analysis.pieces import WordPieces
from tatian.analysis.telling import OWN, OWN_SAME, OTHER_SAME, Told, decoded, encode
from tatian.progress import Progress, silent
from tatian.training.data import ENTAILMENT
from tatian.training.evaluate import Predict, pair_probabilities
from tatian.training.examples import (
    Batch,
    PairExample,
    batches_by_length,
    encode_pair,
    pair_batch,
)
from tatian.training.loop import Recipe, Scores, Task, train
from tatian.training.model import BodyShape, PairsModel
from tatian.training.pairs import PairData, PairJudge
from tatian.training.telling.examples import (
    UNKNOWN,
    Drawn,
    Example,
    batch_of,
    draw,
    encode_drawn,
)
from tatian.training.telling.judge import Tell, areas, matrix
from tatian.training.telling.stories import Story
from tatian.training.tokens import predictor

Tensor = Any
State = dict[str, Tensor]


class TellingConfig(Struct, frozen=True, kw_only=True):
    """One training run."""

    recipe: Recipe
    dropout: float = 0.1
    told: float = 1.0
    """Weights of the losses: words, and the whole."""
    whole: float = 1.0
    entailment: float = 1.0
    own: float = 0.5
    """Share of the targets of entailment that the body at the start gives itself."""
    marks: bool = True
    """Whether words of both sides have segments of their own."""


def shipped(path: Path) -> State:
    """The weights of an exported pairs body, its int8 matrices in float32."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load_model_from_string(gzip.decompress(path.read_bytes())).graph
    arrays = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    state = {
        name.removeprefix("model."): value
        for name, value in arrays.items()
        if name.startswith("model.") and value.dtype == np.float32 and "scale" not in name
    }
    rows, scales = (arrays[f"model.body.position.{part}"] for part in ("rows", "scales"))
    state["body.position.weight"] = rows * scales[:, None]
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            matrix = node.input[1]
            scale = arrays[matrix.replace("_quantized", "_scale")]
            name = ".".join(node.name.split("/")[2:-1]) or "label"
            state[f"{name}.weight"] = (arrays[matrix] * scale).T
    return {name: torch.tensor(value, dtype=torch.float32) for name, value in state.items()}


def started(weights: Path, dropout: float) -> PairsModel:
    """The shipped pairs body with heads for telling that know nothing yet."""
    state = shipped(weights / "pairs.onnx.gz")
    segments = state["body.segment.weight"]
    if len(segments) == OWN + 1:
        state["body.segment.weight"] = segments[[0, 1, 1, 0]]
    model = PairsModel(BodyShape(dropout=dropout, segments=OTHER_SAME + 1))
    model.load_state_dict(state, strict=False)
    return model


def telling_loss(found: dict[str, Tensor], batch: Batch, config: TellingConfig) -> Tensor:
    """Cross entropy of every known target, words and whole."""
    words = _known(found["told"].float(), batch["words"])
    whole = _known(found["whole"].float(), batch["whole"])
    return config.told * words + config.whole * whole


def _known(odds: Tensor, targets: Tensor) -> Tensor:
    known = targets > UNKNOWN
    each = functional.binary_cross_entropy_with_logits(odds, targets.clamp(min=0), reduction="none")
    return (each * known).sum() / known.sum().clamp(min=1) * odds.shape[-1]


def mixed_loss(model: Any, batch: Batch, table: Tensor, config: TellingConfig) -> Tensor:
    """The loss of a batch of either kind."""
    found = model(table[batch["rows"]], batch["mask"], batch["segments"])
    if "soft" in batch:
        return config.entailment * functional.cross_entropy(found["logits"].float(), batch["soft"])
    return telling_loss(found, batch, config)


def train_telling(
    config: TellingConfig,
    model: Any,
    table: Tensor,
    pieces: WordPieces,
    examples: Sequence[Example],
    entailment: PairData,
    dev: Sequence[Story],
    directory: Path,
    progress: Progress = silent,
    soft: npt.NDArray[np.float32] | None = None,
) -> Scores:
    """Train both tasks; leaves ``pairs.pt`` in `directory`."""
    recipe = config.recipe
    table = table.to(recipe.device)
    pairs = [encode_pair(one, pieces, ENTAILMENT) for one in entailment.train]
    if soft is None:
        predict = predictor(model.to(recipe.device).eval(), table, recipe, "pairs")
        soft = pair_probabilities(predict, pairs).astype(np.float32)
    pairs = softened(pairs, soft, config.own)
    if not config.marks:
        examples = [unmarked(one) for one in examples]
    lengths = [len(one.rows) for one in examples], [len(one.rows) for one in pairs]
    judge = PairJudge(entailment, _Pieces(pieces))

    def batches(generator: np.random.Generator) -> Iterator[Batch]:
        own, other = (batches_by_length(each, recipe.budget, generator) for each in lengths)
        order = generator.permutation(len(own) + len(other))
        for index in order.tolist():
            if index < len(own):
                yield batch_of([examples[i] for i in own[index]])
            else:
                yield pair_batch([pairs[i] for i in other[index - len(own)]])

    def evaluate(trained: Any) -> Scores:
        predict = predictor(trained, table, recipe, "pairs")
        tell = teller(predict, pieces, marks=config.marks)
        found = areas(dev, [matrix(story, tell) for story in dev]) if dev else {}
        kept = ("accuracy", "sick", "snli", "deletion_auc")
        return found | {k: v for k, v in judge(predict).items() if k.lower().startswith(kept)}

    task = Task(
        model=model,
        batches=batches,
        loss=lambda m, b: mixed_loss(m, b, table, config),
        evaluate=evaluate,
        steps=sum(len(batches_by_length(each, recipe.budget)) for each in lengths),
    )
    scores = train(task, recipe, directory, progress)
    torch.save(model.state_dict(), directory / "pairs.pt")
    return scores


class _Pieces(Struct, frozen=True):
    pieces: Any


def softened(
    pairs: Sequence[PairExample], soft: npt.NDArray[np.float32], share: float
) -> list[PairExample]:
    """Targets of entailment, part label, part what a model thinks."""
    hard = np.eye(len(ENTAILMENT), dtype=np.float32)
    return [
        structs.replace(pair, soft=share * row + (1 - share) * hard[pair.label])
        for pair, row in zip(pairs, soft, strict=True)
    ]


def unmarked(one: Example) -> Example:
    """An example without marks on words of both sides."""
    own = (one.segments == OWN) | (one.segments == OWN_SAME)
    return structs.replace(one, segments=own.astype(np.int64))


def teller(
    predict: Predict, pieces: WordPieces, *, budget: int = 65536, marks: bool = True
) -> Tell:
    """A model in training as the judge calls it."""

    def tell(pairs: Sequence[tuple[str, str]]) -> list[Told]:
        encoded = [encode(pieces, *pair) for pair in pairs]
        result: dict[int, Told] = {}
        for batch in batches_by_length([len(one.rows) for one in encoded], budget):
            blank = [
                Example(encoded[i].rows, encoded[i].segments, np.zeros((len(encoded[i].rows), 2)), np.zeros(3))
                for i in batch
            ]
            found = predict(batch_of(blank if marks else [unmarked(one) for one in blank]))
            for place, i in enumerate(batch):
                result[i] = decoded(encoded[i], found["told"][place], found["whole"][place])
        return [result[i] for i in range(len(pairs))]

    return tell
