"""Training of the pairs body in what tells what, beside the entailment that it knows already.

A larger encoder learns entailment, then the annotated stories; the body that ships learns from the
annotation, from what the larger one says of these and of further stories, and from entailment, half
of whose targets are what the body said before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from msgspec import Struct, structs
from torch.nn import functional

from tatian.analysis.pieces import WordPieces
from tatian.analysis.telling import Told, decoded, encode
from tatian.training.data import ENTAILMENT
from tatian.training.evaluate import Predict, pair_probabilities
from tatian.training.examples import (
    Batch,
    batches_by_length,
    encode_pair,
)
from tatian.training.loop import Recipe, Scores, Task, train
from tatian.training.pairs import PairData, PairJudge
from tatian.training.telling.examples import UNKNOWN, batch_of, blank
from tatian.training.telling.judge import Tell, areas, matrix
from tatian.training.telling.packed import Packed
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
    worst: float = 0.3
    """How much more the worst judged word of each sentence counts: one untold word is enough."""
    device: str = "cpu"


class Data(Struct, frozen=True):
    """What all runs share."""

    pieces: WordPieces
    entailment: PairData
    dev: list[Story]


def train_teacher(
    config: TellingConfig, model: Any, table: Tensor, data: Data, known: Packed, out: Path
) -> None:
    """Entailment first, then the annotated stories."""
    pairs = [encode_pair(one, data.pieces, ENTAILMENT) for one in data.entailment.train]
    hard = np.eye(len(ENTAILMENT))[[pair.label for pair in pairs]]
    packed = Packed.of_pairs(pairs, hard, config.device)
    _run(config, config.entailment, model, table, data, {"pairs": packed}, out / "entailment")
    _run(config, config.teacher, model, table, data, {"known": known}, out / "stories")


def train_student(
    config: TellingConfig,
    model: Any,
    table: Tensor,
    data: Data,
    stories: Mapping[str, Packed],
    out: Path,
) -> Scores:
    """Both tasks at once; leaves ``pairs.pt`` in `out`."""
    pairs = [encode_pair(one, data.pieces, ENTAILMENT) for one in data.entailment.train]
    before = predictor(
        model.to(config.device).eval(), table.to(config.device), _on(config), "pairs"
    )
    hard = np.eye(len(ENTAILMENT))[[pair.label for pair in pairs]]
    soft = config.kept * pair_probabilities(before, pairs) + (1 - config.kept) * hard
    packed = Packed.of_pairs(pairs, soft, config.device)
    scores = _run(config, config.student, model, table, data, {**stories, "pairs": packed}, out)
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
    sources: Mapping[str, Packed],
    out: Path,
) -> Scores:
    recipe = _on(config, recipe)
    table = table.to(recipe.device)
    judge = PairJudge(data.entailment, data.pieces)

    def batches(generator: np.random.Generator) -> Iterator[Batch]:
        listed = [
            {name: batch["index"], "places": batch["places"]}
            for name, source in sources.items()
            for batch in source.batches(recipe.budget, generator)
        ]
        yield from (listed[i] for i in generator.permutation(len(listed)).tolist())

    def loss(trained: Any, batch: Batch) -> Tensor:
        (name,) = batch.keys() - {"places"}
        chosen = sources[name].batch(batch[name], batch["places"])
        return mixed_loss(trained, chosen, table, config.worst)

    def evaluate(trained: Any) -> Scores:
        predict = predictor(trained, table, recipe, "pairs")
        tell = teller(predict, data.pieces)
        found: Scores = judge(predict) if "pairs" in sources else {}
        if sources.keys() - {"pairs"}:
            found |= areas(data.dev, [matrix(story, tell) for story in data.dev])
        return found

    task = Task(
        model=model,
        batches=batches,
        loss=loss,
        evaluate=evaluate,
        steps=sum(len(source.batches(recipe.budget)) for source in sources.values()),
    )
    return train(task, recipe, out)


def mixed_loss(model: Any, batch: Batch, table: Tensor, worst: float = 0.0) -> Tensor:
    """Cross entropy of every known target of a batch of either kind; a `worst` word counts more."""
    found = model(table[batch["rows"]], batch["mask"], batch["segments"])
    if "soft" in batch:
        return functional.cross_entropy(found["logits"].float(), batch["soft"])
    words = _entropies(found["told"].float(), batch["words"])
    whole = _entropies(found["whole"].float(), batch["whole"])
    total = _mean(words, batch["words"]) + _mean(whole, batch["whole"])
    if worst:
        targets = batch["words"]
        weights = (targets[:, :, 0] > UNKNOWN) * targets[:, :, 1].abs()
        known = targets[:, :, 0].clamp(min=0)
        least = torch.special.entr(known) + torch.special.entr(1 - known)
        total = total + worst * ((words[:, :, 0] - least) * weights).amax(1).mean()
    return total


def _entropies(odds: Tensor, targets: Tensor) -> Tensor:
    return functional.binary_cross_entropy_with_logits(odds, targets.clamp(min=0), reduction="none")


def _mean(each: Tensor, targets: Tensor) -> Tensor:
    known = targets > UNKNOWN
    return (each * known).sum() / known.sum().clamp(min=1) * targets.shape[-1]


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
