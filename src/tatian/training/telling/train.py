"""Training of the pairs body in what tells what, beside the entailment that it knows already.

A larger encoder learns entailment, then the annotated stories; the body that ships learns from the
annotation, from what the larger one says of these and of further stories, and from entailment, half
of whose targets are what the body said before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from msgspec import Struct, structs
from torch.nn import functional

from tatian.analysis.pieces import WordPieces
from tatian.analysis.telling import OWN, OWN_SAME, Told, decoded, encode
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
from tatian.training.pairs import PairData, PairJudge
from tatian.training.telling.examples import UNKNOWN, Example, batch_of, blank
from tatian.training.telling.judge import Tell, areas, matrix
from tatian.training.telling.stories import Story
from tatian.training.tokens import predictor

Tensor = Any
ASKED_AT_ONCE = 65536
"""Padded pieces of a batch that is only read."""


class TellingConfig(Struct, frozen=True, kw_only=True):
    """The three runs, and how much of a target is a model's word rather than the annotation's."""

    entailment: Recipe = Recipe(
        epochs=2, lr=5e-5, head_lr=1e-3, layer_decay=0.95, budget=16384, average=0.0, every=2
    )
    """Of the teacher, first."""
    teacher: Recipe = Recipe(
        epochs=2, lr=4e-5, head_lr=1e-3, layer_decay=0.95, budget=16384, average=0.998, every=2
    )
    student: Recipe = Recipe(
        epochs=3, lr=3e-4, head_lr=1e-3, layer_decay=0.95, budget=16384, average=0.998, every=3
    )
    taught: float = 0.5
    kept: float = 0.5
    """Of the targets of entailment, what the body said before."""
    device: str = "cpu"


class Data(Struct, frozen=True):
    """What all runs share."""

    pieces: WordPieces
    known: list[Example]
    """With targets."""
    further: list[Example]
    """Without."""
    entailment: PairData
    dev: list[Story]


def train_teacher(config: TellingConfig, model: Any, table: Tensor, data: Data, out: Path) -> None:
    """Entailment first, then the annotated stories."""
    pairs = [encode_pair(one, data.pieces, ENTAILMENT) for one in data.entailment.train]
    _run(config, config.entailment, model, table, data, [], pairs, out / "entailment")
    _run(config, config.teacher, model, table, data, data.known, [], out / "stories")


def train_student(
    config: TellingConfig,
    model: Any,
    table: Tensor,
    data: Data,
    examples: Sequence[Example],
    out: Path,
) -> Scores:
    """Both tasks at once; leaves ``pairs.pt`` in `out`."""
    pairs = [encode_pair(one, data.pieces, ENTAILMENT) for one in data.entailment.train]
    before = predictor(
        model.to(config.device).eval(), table.to(config.device), _on(config), "pairs"
    )
    soft = pair_probabilities(before, pairs).astype(np.float32)
    hard = np.eye(len(ENTAILMENT), dtype=np.float32)
    pairs = [
        structs.replace(pair, soft=config.kept * row + (1 - config.kept) * hard[pair.label])
        for pair, row in zip(pairs, soft, strict=True)
    ]
    scores = _run(config, config.student, model, table, data, examples, pairs, out)
    torch.save(model.state_dict(), out / "pairs.pt")
    return scores


def _on(config: TellingConfig, recipe: Recipe | None = None) -> Recipe:
    return structs.replace(recipe or config.student, device=config.device)


def _run(
    config: TellingConfig,
    recipe: Recipe,
    model: Any,
    table: Tensor,
    data: Data,
    examples: Sequence[Example],
    pairs: Sequence[PairExample],
    out: Path,
) -> Scores:
    recipe = _on(config, recipe)
    table = table.to(recipe.device)
    lengths = [len(one.rows) for one in examples], [len(one.rows) for one in pairs]
    judge = PairJudge(data.entailment, data.pieces)

    def batches(generator: np.random.Generator) -> Iterator[Batch]:
        own, other = (batches_by_length(each, recipe.budget, generator) for each in lengths)
        for index in generator.permutation(len(own) + len(other)).tolist():
            if index < len(own):
                yield batch_of([examples[i] for i in own[index]])
            else:
                yield pair_batch([pairs[i] for i in other[index - len(own)]])

    def evaluate(trained: Any) -> Scores:
        predict = predictor(trained, table, recipe, "pairs")
        tell = teller(predict, data.pieces)
        found = areas(data.dev, [matrix(story, tell) for story in data.dev]) if examples else {}
        return found | (judge(predict) if pairs else {})

    task = Task(
        model=model,
        batches=batches,
        loss=lambda m, b: mixed_loss(m, b, table),
        evaluate=evaluate,
        steps=sum(len(batches_by_length(each, recipe.budget)) for each in lengths),
    )
    return train(task, recipe, out)


def mixed_loss(model: Any, batch: Batch, table: Tensor) -> Tensor:
    """Cross entropy of every known target of a batch of either kind."""
    found = model(table[batch["rows"]], batch["mask"], batch["segments"])
    if "soft" in batch:
        return functional.cross_entropy(found["logits"].float(), batch["soft"])
    return _known(found["told"].float(), batch["words"]) + _known(
        found["whole"].float(), batch["whole"]
    )


def _known(odds: Tensor, targets: Tensor) -> Tensor:
    known = targets > UNKNOWN
    each = functional.binary_cross_entropy_with_logits(odds, targets.clamp(min=0), reduction="none")
    return (each * known).sum() / known.sum().clamp(min=1) * odds.shape[-1]


def taught(
    examples: Sequence[Example], predict: Predict, share: float, budget: int = ASKED_AT_ONCE
) -> list[Example]:
    """The examples with a teacher's word: a share of what is known, all of what is not."""
    result: dict[int, Example] = {}
    for batch in batches_by_length([len(one.rows) for one in examples], budget):
        found = predict(batch_of([examples[i] for i in batch]))
        words, whole = (1 / (1 + np.exp(-found[name])) for name in ("told", "whole"))
        for place, i in enumerate(batch):
            one = examples[i]
            own = (one.segments == OWN) | (one.segments == OWN_SAME)
            own[-1] = False
            mixed = _mixed(one.words, words[place, : len(own)], share)
            mixed[~own] = UNKNOWN
            result[i] = structs.replace(
                one, words=mixed, whole=_mixed(one.whole, whole[place], share)
            )
    return [result[i] for i in range(len(examples))]


def _mixed(known: Any, said: Any, share: float) -> Any:
    return np.where(known > UNKNOWN, share * said + (1 - share) * known, said).astype(np.float32)


def teller(predict: Predict, pieces: WordPieces, budget: int = ASKED_AT_ONCE) -> Tell:
    """A model in training as the judge calls it."""

    def tell(pairs: Sequence[tuple[str, str]]) -> list[Told]:
        encoded = [encode(pieces, *pair) for pair in pairs]
        result: dict[int, Told] = {}
        for batch in batches_by_length([len(one.rows) for one in encoded], budget):
            found = predict(batch_of([blank(encoded[i]) for i in batch]))
            for place, i in enumerate(batch):
                result[i] = decoded(encoded[i], found["told"][place], found["whole"][place])
        return [result[i] for i in range(len(pairs))]

    return tell
