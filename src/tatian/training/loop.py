"""The training loop that all models share: seeded, resumable, averaged, logged."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from msgspec import Struct
from torch import nn

from tatian.progress import Progress, silent
from tatian.training.examples import Batch, Scores

Tensor = Any


class Recipe(Struct, frozen=True, kw_only=True):
    """How long, how fast and how carefully to train."""

    epochs: int
    lr: float
    """Peak learning rate of the body's last layer."""
    head_lr: float
    layer_decay: float = 1.0
    """Factor on the learning rate from each layer to the one below."""
    warmup: float = 0.06
    """Share of all steps in which the rate rises."""
    weight_decay: float = 0.01
    average: float = 0.999
    """Decay of the moving average of weights that is evaluated and kept; 0 keeps the last."""
    clip: float = 1.0
    budget: int = 2048
    """Padded pieces in a batch."""
    mixed: bool = True
    """Compute in bfloat16 where the device can."""
    every: int = 1
    """Epochs between evaluations; the last epoch is always evaluated."""
    seed: int = 1
    device: str = "cpu"


class Task(Struct):
    """What the loop trains: a model, its batches, its loss and its scores on development data."""

    model: Any
    batches: Callable[[np.random.Generator], Iterable[Batch]]
    """All batches of one epoch, as numpy arrays; as many in every epoch."""
    loss: Callable[[Any, Batch], Tensor]
    evaluate: Callable[[Any], Scores]
    steps: int
    """Batches in one epoch, or a close estimate."""


def train(task: Task, recipe: Recipe, directory: Path, progress: Progress = silent) -> Scores:
    """Train, or go on from the last whole epoch in `directory`; the last scores."""
    directory.mkdir(parents=True, exist_ok=True)
    prepare_device(recipe)
    model = task.model.to(recipe.device)
    average = Average(model, recipe.average)
    optimizer = torch.optim.AdamW(
        parameter_groups(model, recipe),
        weight_decay=recipe.weight_decay,
        fused=recipe.device.startswith("cuda"),
    )
    total = max(1, recipe.epochs * task.steps)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: rate(s, total, recipe.warmup))
    keeper = Checkpoint(directory / "checkpoint.pt", model, average, optimizer, schedule)
    first, scores = keeper.resume(recipe.device)
    began = time.monotonic()
    for epoch in range(first, recipe.epochs):
        generator = np.random.default_rng((recipe.seed, epoch))
        torch.manual_seed(recipe.seed * 1000 + epoch)
        model.train()
        losses: list[Tensor] = []
        for step, batch in enumerate(task.batches(generator), start=1):
            losses.append(_step(task, model, batch, optimizer, recipe))
            schedule.step()
            average.update(model)
            progress(f"epoch {epoch + 1} of {recipe.epochs}", min(step, task.steps), task.steps)
        if (epoch + 1) % recipe.every == 0 or epoch + 1 == recipe.epochs:
            with average.applied(model):
                model.eval()
                scores = task.evaluate(model)
        record = {
            "epoch": epoch + 1,
            "loss": round(float(torch.stack(losses).mean()), 5),
            "seconds": round(time.monotonic() - began, 1),
            **{name: round(value, 5) for name, value in scores.items()},
        }
        with (directory / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(record) + "\n")
        print(json.dumps(record), flush=True)
        keeper.save(epoch + 1, scores)
    average.move_into(model)
    model.eval()
    return scores


def _step(task: Task, model: Any, batch: Batch, optimizer: Any, recipe: Recipe) -> Tensor:
    tensors = to_device(batch, recipe.device)
    with autocast(recipe):
        loss = task.loss(model, tensors)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
    optimizer.step()
    return loss.detach()


def prepare_device(recipe: Recipe) -> None:
    """Seed, and ask for the deterministic kernels; on GPUs also for fast float32 products."""
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.manual_seed(recipe.seed)
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.utils.deterministic.fill_uninitialized_memory = False
    torch.set_float32_matmul_precision("high")


def autocast(recipe: Recipe) -> Any:
    """Mixed precision on a GPU, full precision elsewhere."""
    wanted = recipe.mixed and recipe.device.startswith("cuda")
    return torch.autocast(recipe.device.split(":")[0], dtype=torch.bfloat16, enabled=wanted)


def to_device(batch: Batch, device: str) -> Batch:
    """Numpy arrays as tensors on the device."""
    cuda = device.startswith("cuda")
    tensors = {name: torch.from_numpy(array) for name, array in batch.items()}
    if cuda:
        tensors = {name: tensor.pin_memory() for name, tensor in tensors.items()}
    return {name: tensor.to(device, non_blocking=cuda) for name, tensor in tensors.items()}


def rate(step: int, total: int, warmup: float) -> float:
    """Linear rise, then half a cosine down to zero."""
    rising = max(1.0, warmup * total)
    if step < rising:
        return (step + 1) / rising
    done = min(1.0, (step - rising) / max(1.0, total - rising))
    return 0.5 * (1 + math.cos(math.pi * done))


def parameter_groups(model: Any, recipe: Recipe) -> list[dict[str, Any]]:
    """Heads at their own rate, body layers at rates that fall towards the input."""
    layers = len(model.body.layers)
    grouped: dict[float, list[Tensor]] = {}
    for name, parameter in model.named_parameters():
        if not parameter.requires_grad:
            continue
        if name.startswith("body.layers."):
            depth = layers - 1 - int(name.split(".")[2])
            lr = recipe.lr * recipe.layer_decay**depth
        elif name.startswith("body."):
            lr = recipe.lr * recipe.layer_decay**layers
        else:
            lr = recipe.head_lr
        grouped.setdefault(lr, []).append(parameter)
    return [{"params": parameters, "lr": lr} for lr, parameters in grouped.items()]


class Average:
    """A moving average of a model's parameters, steadier than any one step's."""

    def __init__(self, model: Any, decay: float) -> None:
        self.decay = decay
        self.steps = 0
        self.parameters = [p.detach().clone() for p in model.parameters()]

    def update(self, model: Any) -> None:
        """Move towards the model, faster in the first steps."""
        self.steps += 1
        decay = min(self.decay, (1 + self.steps) / (10 + self.steps)) if self.decay else 0.0
        current = [p.detach() for p in model.parameters()]
        torch._foreach_lerp_(self.parameters, current, 1 - decay)

    def move_into(self, model: Any) -> None:
        """Make the model the average."""
        with torch.no_grad():
            for parameter, mean in zip(model.parameters(), self.parameters, strict=True):
                parameter.copy_(mean)

    def applied(self, model: Any) -> _Applied:
        """The model as the average, within a ``with``."""
        return _Applied(self, model)


class _Applied:
    def __init__(self, average: Average, model: Any) -> None:
        self.average = average
        self.model = model
        self.own: list[Tensor] = []

    def __enter__(self) -> None:
        self.own = [p.detach().clone() for p in self.model.parameters()]
        self.average.move_into(self.model)

    def __exit__(self, *_: object) -> None:
        with torch.no_grad():
            for parameter, own in zip(self.model.parameters(), self.own, strict=True):
                parameter.copy_(own)


class Checkpoint:
    """Everything needed to go on after the last whole epoch."""

    def __init__(self, path: Path, model: Any, average: Average, *others: Any) -> None:
        self.path = path
        self.model = model
        self.average = average
        self.others = others

    def save(self, epoch: int, scores: Scores) -> None:
        """Write, then rename, so that an interrupted write leaves the old file."""
        state = {
            "epoch": epoch,
            "scores": scores,
            "model": self.model.state_dict(),
            "average": self.average.parameters,
            "averaged": self.average.steps,
            "others": [other.state_dict() for other in self.others],
        }
        partial = self.path.with_suffix(".partial")
        torch.save(state, partial)
        partial.replace(self.path)

    def resume(self, device: str) -> tuple[int, Scores]:
        """The epochs done and their last scores."""
        if not self.path.is_file():
            return 0, {}
        state = torch.load(self.path, map_location=device, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.average.parameters = state["average"]
        self.average.steps = state["averaged"]
        for other, own in zip(self.others, state["others"], strict=True):
            other.load_state_dict(own)
        return int(state["epoch"]), state["scores"]
