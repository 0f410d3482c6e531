"""How the edit model learns: one stage of training, and what is measured after it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from msgspec import Struct
from torch.nn import functional

from tatian.training.edit.examples import EditExample, batched, collate
from tatian.training.edit.model import BEGIN, EditModel, inputs_of, places_of, state_features
from tatian.training.loop import (
    TrainingPlan,
    TrainingTask,
    Update,
    autocast,
    body_and_heads,
    prepare_device,
    to_device,
    train,
)
from tatian.union.models.edit.decoder import END, FIRST
from tatian.union.models.edit.search import BARRED, USED, Walk

Tensor = Any

ALPHA = 0.7
"""Length normalisation."""
ENDS = 3
"""Walks that may end at each step."""
_NEVER = -1e9


@torch.no_grad()
def beam_search(
    model: EditModel, memory: Tensor, batch: dict[str, Tensor], *, beams: int = 6
) -> list[list[tuple[float, Walk]]]:
    """The best walks of each pair with their scores, best first."""
    count, words = batch["sentence"].shape
    device = memory.device
    memory = memory.repeat_interleave(beams, 0)
    sentence, stems, content, present = (
        batch[name].repeat_interleave(beams, 0)
        for name in ("sentence", "stems", "content", "present")
    )
    walks = torch.zeros((count * beams, 0), dtype=torch.long, device=device)
    begin = torch.full((count * beams, 1), BEGIN, device=device)
    nowhere = torch.full((count * beams, 1), -1, device=device)
    scores = torch.full((count, beams), _NEVER, device=device)
    scores[:, 0] = 0.0
    first_rows = torch.arange(count, device=device)[:, None] * beams
    done: list[list[tuple[float, Walk]]] = [[] for _ in range(count)]
    for step in range(min(model.shape.longest - 1, words + 8)):
        places = torch.cat((places_of(walks), nowhere), 1)
        features = state_features(sentence, stems, content, places)
        given = torch.cat((begin, inputs_of(walks)), 1)
        logits = model.decode(memory, present, given, features)[:, -1].float()
        used = features[:, -1, :, USED] > 0
        logits[:, FIRST:] = logits[:, FIRST:].masked_fill(used, BARRED)
        total = torch.log_softmax(logits, -1).view(count, beams, -1) + scores.unsqueeze(-1)
        ended, which = total[:, :, END].topk(min(ENDS, beams), 1)
        for pair, (values, rows) in enumerate(zip(ended.tolist(), which.tolist(), strict=True)):
            for value, row in zip(values, rows, strict=True):
                if value > _NEVER / 2:
                    walk = tuple(walks[pair * beams + row].tolist())
                    done[pair].append((value / (step + 1) ** ALPHA, walk))
        total[:, :, END] = _NEVER
        scores, index = total.view(count, -1).topk(beams, 1)
        rows = (first_rows + index // total.shape[-1]).view(-1)
        items = (index % total.shape[-1]).view(-1, 1)
        walks = torch.cat((walks[rows], items), 1)
    return [sorted(found, key=lambda one: -one[0]) for found in done]


Batch = dict[str, Tensor]
Record = dict[str, int | float | str]
REPORTS = 20
"""Times that a stage tells its loss."""
_CLOSED = BARRED / 2
"""Logits below it belong to words that are not there."""


class EditStage(Struct, frozen=True, forbid_unknown_fields=True):
    """One pass of training over one kind of data."""

    epochs: float = 1.0
    size: int = 96
    rate: float = 1e-3
    """Of the adapter; the decoder learns at `head_rate`."""
    head_rate: float = 1.5e-3
    warmup: float = 0.05
    """Share of all steps in which the rates rise; then they fall to zero."""
    smoothing: float = 0.0
    tag_weight: float = 0.3
    """Of telling which words are in the union, beside walking through them."""
    average: float = 0.0
    """The decay of a moving average of the weights; 0 for none."""


class Trainer:
    """One model, its table of word pieces, and the device it learns on."""

    def __init__(self, model: EditModel, table: Tensor, device: str, seed: int) -> None:
        prepare_device(seed)
        self.model = model.to(device)
        self.table = table.to(device)
        self.device = device

    def tensors(self, examples: Sequence[EditExample]) -> Batch:
        """A batch on the device."""
        return to_device(collate(examples), self.device)

    def memory(self, batch: Batch) -> Tensor:
        """The encoded words of a batch."""
        embedded = self.table[batch["rows"]] * batch["mask"].unsqueeze(-1)
        names = ("mask", "shapes", "segments", "words", "matches")
        with autocast(self.device):
            return self.model.encode(embedded, *(batch[name] for name in names)).float()

    def decoded(self, memory: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
        """Features and logits at each step of the walks given."""
        target = batch["steps"]
        features = state_features(
            batch["sentence"], batch["stems"], batch["content"], places_of(target)
        )
        inputs = inputs_of(target)
        given = torch.cat((torch.full_like(inputs[:, :1], BEGIN), inputs[:, :-1]), 1)
        return features, self.model.decode(memory, batch["present"], given, features)

    def losses(self, batch: Batch, stage: EditStage) -> Tensor:
        """Of the walk, and of telling which words it uses."""
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
        rising = max(1, int(total * stage.warmup))

        def updates(_: int) -> Iterator[Update]:
            generator = np.random.default_rng(seed)
            torch.manual_seed(seed)
            passes = (batched(examples, stage.size, generator) for _ in itertools.count())
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
            rate=lambda step: min(1.0, (step + 1) / rising) * max(0.0, 1 - step / total),
            average=stage.average,
            eased=False,
            reports=REPORTS,
            device=self.device,
        )
        train(task, plan, log)

    @torch.no_grad()
    def loss(self, examples: Sequence[EditExample], size: int = 64) -> float:
        """The mean loss a step on held-out pairs."""
        self.model.eval()
        stage = EditStage(tag_weight=0.0)
        values = [
            (float(self.losses(self.tensors(group), stage)), len(group))
            for group in batched(examples, size, None)
        ]
        return sum(value * count for value, count in values) / sum(count for _, count in values)

    @torch.no_grad()
    def best_walks(
        self, examples: Sequence[EditExample], beams: int = 6, size: int = 48
    ) -> dict[int, Walk]:
        """The likeliest walk of each example, by its id."""
        self.model.eval()
        found: dict[int, Walk] = {}
        for group in batched(examples, size, None):
            batch = self.tensors(group)
            walks = beam_search(self.model, self.memory(batch), batch, beams=beams)
            found |= {e.id: ranked[0][1] for e, ranked in zip(group, walks, strict=True)}
        return found

    @torch.no_grad()
    def scores(self, examples: Sequence[EditExample]) -> list[float]:
        """The log-probability of each example's walk, as the runtime tells it."""
        self.model.eval()
        found: list[float] = []
        for example in examples:
            batch = self.tensors([example])
            features, logits = self.decoded(self.memory(batch), batch)
            logits[..., FIRST:] = logits[..., FIRST:].masked_fill(features[..., USED] > 0, BARRED)
            logp = torch.log_softmax(logits.float(), -1)
            found.append(float(logp.gather(-1, batch["steps"].unsqueeze(-1)).sum()))
        return found


def _smoothed(logits: Tensor, target: Tensor, smoothing: float) -> Tensor:
    """Cross entropy of the steps that are there; smoothed over the items that are there."""
    real = target >= 0
    logp = torch.log_softmax(logits.float(), -1)
    loss = -logp.gather(-1, target.clamp(min=0).unsqueeze(-1)).squeeze(-1)
    if smoothing:
        open_ = logits > _CLOSED
        spread = -(logp * open_).sum(-1) / open_.sum(-1).clamp(min=1)
        loss = (1 - smoothing) * loss + smoothing * spread
    return (loss * real).sum() / real.sum()
