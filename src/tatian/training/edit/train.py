"""Training and evaluation of one stage of the edit model."""

from __future__ import annotations

import itertools
import math
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from msgspec import Struct
from torch.nn import functional

from tatian.pytorch.hub import autocast
from tatian.training.edit.examples import EditExample, collate, make_batches
from tatian.training.edit.model import (
    BEGIN,
    IN_ONNX,
    EditModel,
    inputs_of,
    places_of,
    state_features,
)
from tatian.training.int8 import int8_arrays
from tatian.training.loop import (
    TrainingPlan,
    TrainingTask,
    Update,
    body_and_heads,
    prepare_device,
    to_device,
    train,
)
from tatian.union.models.edit.decoder import FIRST, Decoder
from tatian.union.models.edit.search import MASKED, USED, Effort, Walk, search
from tatian.union.models.edit.words import PairEncoding

Tensor = Any

Batch = dict[str, Tensor]
Record = dict[str, int | float | str]
REPORTS = 20
"""Number of reports of the loss per stage."""
LIKELIEST = Effort(beams=6, bonuses=(0.0,), kept=1)
"""Settings of a search for the likeliest walk."""
_MIN_LOGIT = MASKED / 2
"""Logit above which an item is possible; padding has `MASKED`."""


class EditStage(Struct, frozen=True, forbid_unknown_fields=True):
    """One pass of training over one kind of data."""

    epochs: float = 1.0
    size: int = 96
    """Number of examples per batch."""
    rate: float = 1e-3
    """Learning rate of the adapter."""
    head_rate: float = 1.5e-3
    """Learning rate of the decoder."""
    warmup: float = 0.05
    """Share of all steps in which the rates rise, before they fall to zero."""
    smoothing: float = 0.0
    """Label smoothing."""
    tag_weight: float = 0.3
    """Weight of the loss of predicting which words are in the union."""
    average: float = 0.0
    """Decay of a moving average of the weights; 0 for none."""


class Trainer:
    """Trainer of a model, with its embedding table on a device."""

    def __init__(self, model: EditModel, table: Tensor, device: str, seed: int) -> None:
        prepare_device(seed)
        self.model = model.to(device)
        self.table = table.to(device)
        self.device = device

    def tensors(self, examples: Sequence[EditExample]) -> Batch:
        """Return a batch on the device."""
        return to_device(collate(examples), self.device)

    def memory(self, batch: Batch) -> Tensor:
        """Return the encoded words of a batch."""
        embedded = self.table[batch["rows"]] * batch["mask"].unsqueeze(-1)
        names = ("mask", "shapes", "segments", "words", "matches")
        with autocast(self.device):
            return self.model.encode(embedded, *(batch[name] for name in names)).float()

    def decoded(self, memory: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
        """Return the features and logits at each step of the walks."""
        target = batch["steps"]
        features = state_features(
            batch["sentence"], batch["stems"], batch["content"], places_of(target)
        )
        inputs = inputs_of(target)
        shifted = torch.cat((torch.full_like(inputs[:, :1], BEGIN), inputs[:, :-1]), 1)
        return features, self.model.decode(memory, batch["present"], shifted, features)

    def losses(self, batch: Batch, stage: EditStage) -> Tensor:
        """Return the loss of the walks, and of predicting their words."""
        memory = self.memory(batch)
        target, present = batch["steps"], batch["present"]
        _, logits = self.decoded(memory, batch)
        loss = _smoothed(logits, target, stage.smoothing)
        places = places_of(target)
        chosen = functional.one_hot(places.clamp(min=0), memory.shape[1])
        used = (chosen * (places >= 0).unsqueeze(-1)).sum(1).clamp(max=1).float()
        tagged = functional.binary_cross_entropy_with_logits(
            self.model.used(memory).squeeze(-1), used, reduction="none"
        )
        return loss + stage.tag_weight * (tagged * present).sum() / present.sum()

    def fit(
        self,
        examples: Sequence[EditExample],
        stage: EditStage,
        seed: int,
        log: Callable[[Record], None] = lambda record: None,
    ) -> None:
        """Run one stage; the same seed gives the same weights."""
        total = max(1, int(math.ceil(len(examples) / stage.size) * stage.epochs))
        warmup_steps = max(1, int(total * stage.warmup))

        def updates(_: int) -> Iterator[Update]:
            generator = np.random.default_rng(seed)
            torch.manual_seed(seed)
            passes = (make_batches(examples, stage.size, generator) for _ in itertools.count())
            for group in itertools.islice(itertools.chain.from_iterable(passes), total):
                yield [(self.tensors(group), 1.0)]

        task = TrainingTask(
            model=self.model,
            groups=body_and_heads(self.model, stage.rate, stage.head_rate),
            updates=updates,
            loss=lambda batch: self.losses(batch, stage),
        )
        plan = TrainingPlan(
            epochs=1,
            steps=total,
            rate=lambda step: min(1.0, (step + 1) / warmup_steps) * max(0.0, 1 - step / total),
            average=stage.average,
            eased=False,
            reports=REPORTS,
            device=self.device,
        )
        train(task, plan, log)

    @torch.no_grad()
    def loss(self, examples: Sequence[EditExample], size: int = 64) -> float:
        """Return the mean loss per step on held-out pairs."""
        self.model.eval()
        stage = EditStage(tag_weight=0.0)
        values = [
            (float(self.losses(self.tensors(group), stage)), len(group))
            for group in make_batches(examples, size, None)
        ]
        return sum(value * count for value, count in values) / sum(count for _, count in values)

    @torch.no_grad()
    def encoding(self, example: EditExample) -> PairEncoding:
        """Return the input of the run-time decoder for an example."""
        states = self.memory(self.tensors([example]))[0]
        used = torch.sigmoid(self.model.used(states)).squeeze(-1)
        return PairEncoding(example.pair, states.cpu().numpy(), used.cpu().numpy())

    def best_walks(self, examples: Sequence[EditExample]) -> dict[int, Walk]:
        """Return the likeliest walk of each example by the run-time search, by id."""
        self.model.eval()
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch, "edit.npz")
            np.savez(path, **int8_arrays(self.model, IN_ONNX, large=sys.maxsize))
            decoder = Decoder(path)
        return {
            example.id: search(decoder, self.encoding(example), LIKELIEST)[0]
            for example in examples
        }

    @torch.no_grad()
    def scores(self, examples: Sequence[EditExample]) -> list[float]:
        """Return the log-probability of each example's walk, with used words excluded."""
        self.model.eval()
        log_probabilities: list[float] = []
        for example in examples:
            batch = self.tensors([example])
            features, logits = self.decoded(self.memory(batch), batch)
            logits[..., FIRST:] = logits[..., FIRST:].masked_fill(features[..., USED] > 0, MASKED)
            logp = torch.log_softmax(logits.float(), -1)
            log_probabilities.append(float(logp.gather(-1, batch["steps"].unsqueeze(-1)).sum()))
        return log_probabilities


def _smoothed(logits: Tensor, target: Tensor, smoothing: float) -> Tensor:
    """Return the cross entropy of steps that are not padding, with label smoothing."""
    real = target >= 0
    logp = torch.log_softmax(logits.float(), -1)
    loss = -logp.gather(-1, target.clamp(min=0).unsqueeze(-1)).squeeze(-1)
    if smoothing:
        possible = logits > _MIN_LOGIT
        uniform = -(logp * possible).sum(-1) / possible.sum(-1).clamp(min=1)
        loss = (1 - smoothing) * loss + smoothing * uniform
    return (loss * real).sum() / real.sum()
