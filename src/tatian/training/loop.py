"""The training loop, with clipping, averages of weights, checkpoints and a log.

`train` trains a `TrainingTask` by a `TrainingPlan`. `train_body` trains a body of the encoder by a
`Recipe`.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from msgspec import Struct
from torch import nn

from tatian.progress import Progress, silent
from tatian.pytorch.hub import autocast, on_gpu
from tatian.training.examples import Batch, Scores

Tensor = Any
Update = Sequence[tuple[Any, float]]
"""Parts of a batch with their weights, whose gradients are accumulated for one step."""
DECAY = 0.01
"""Default weight decay."""


class TrainingTask(Struct, kw_only=True):
    """The model, its data and its loss."""

    model: Any
    groups: list[dict[str, Any]]
    """Parameter groups with their learning rates."""
    updates: Callable[[int], Iterable[Update]]
    """Returns all updates of an epoch, counted from 0; it may set seeds by `epoch_generator`."""
    loss: Callable[[Any], Tensor]
    """Returns the loss of one part of an update."""
    evaluate: Callable[[], Scores] | None = None
    keep: Callable[[int, Scores], None] | None = None
    """Called with the number (from 1) and scores of each epoch that is the best so far."""


class TrainingPlan(Struct, frozen=True, kw_only=True):
    """Hyperparameters of training."""

    epochs: int
    steps: int
    """Number of updates in one epoch, or a close estimate."""
    rate: Callable[[int], float]
    """Returns the factor on the learning rates at an update."""
    betas: tuple[float, float] = (0.9, 0.999)
    clip: float | None = 1.0
    """Maximum norm of the gradient."""
    average: float = 0.0
    """Decay of a moving average of the weights, which is used at the end; 0 for none."""
    eased: bool = True
    """True if the average moves faster in the first steps."""
    half: bool = False
    """True to compute in bfloat16."""
    every: int = 1
    """Number of epochs between evaluations; the last epoch is always evaluated."""
    best: str = ""
    """Score by which epochs are compared."""
    reports: int = 0
    """Number of log lines within an epoch, instead of one after it."""
    device: str = "cpu"


class Log:
    """Log of a run, which is also printed unless it is quiet."""

    def __init__(
        self, path: Path, about: dict[str, Any] | None = None, *, quiet: bool = False
    ) -> None:
        self.path = path
        self.about = about or {}
        self.quiet = quiet

    def __call__(self, record: dict[str, Any]) -> None:
        """Add a line, with fractions rounded to five digits."""
        fields = {**self.about, **record}
        rounded = {k: round(v, 5) for k, v in fields.items() if isinstance(v, float)}
        line = json.dumps(fields | rounded)
        with self.path.open("a", encoding="utf-8") as log:
            log.write(line + "\n")
        if not self.quiet:
            print(f"{self.path.stem}: {line}", flush=True)


def train(
    task: TrainingTask,
    plan: TrainingPlan,
    log: Callable[[dict[str, Any]], None] = lambda record: None,
    progress: Progress = silent,
    checkpoint: Path | None = None,
) -> Scores:
    """Train, or continue after the last complete epoch in `checkpoint`; return the last scores."""
    model = task.model.to(plan.device)
    fused = plan.device.startswith("cuda")
    optimizer = torch.optim.AdamW(task.groups, betas=plan.betas, weight_decay=DECAY, fused=fused)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, plan.rate)
    average = Average(model, plan.average, eased=plan.eased)
    trained = model, average, optimizer, schedule
    checkpoints = Checkpoint(checkpoint, *trained) if checkpoint else None
    first_epoch, scores = checkpoints.resume(plan.device) if checkpoints else (0, {})
    report_interval = max(1, plan.steps // plan.reports) if plan.reports else 0
    best, started = -math.inf, time.monotonic()
    for epoch in range(first_epoch, plan.epochs):
        model.train()
        losses: list[Tensor] = []
        total_weight = 0.0
        for number, update in enumerate(task.updates(epoch), start=1):
            losses.append(_take_step(task, plan, update, optimizer))
            total_weight += sum(weight for _, weight in update)
            schedule.step()
            average.update(model)
            progress(f"epoch {epoch + 1} of {plan.epochs}", min(number, plan.steps), plan.steps)
            if report_interval and number % report_interval == 0:
                mean = float(torch.stack(losses[-report_interval:]).mean())
                log({"step": number, "of": plan.steps, "loss": mean, "seconds": _elapsed(started)})
        if task.evaluate and ((epoch + 1) % plan.every == 0 or epoch + 1 == plan.epochs):
            with average.applied(model):
                model.eval()
                scores = task.evaluate()
        if not plan.reports:
            mean = float(torch.stack(losses).sum()) / total_weight
            log({"epoch": epoch + 1, "loss": mean, "seconds": _elapsed(started), **scores})
        if task.keep and scores[plan.best] > best:
            best = scores[plan.best]
            task.keep(epoch + 1, scores)
        if checkpoints:
            checkpoints.save(epoch + 1, scores)
    average.move_into(model)
    model.eval()
    return scores


def _take_step(task: TrainingTask, plan: TrainingPlan, update: Update, optimizer: Any) -> Tensor:
    """Take one step, and return the weighted sum of the losses."""
    optimizer.zero_grad(set_to_none=True)
    total: Tensor = 0.0
    for part, weight in update:
        with autocast(plan.device, plan.half):
            loss = task.loss(part) * weight
        loss.backward()
        total = total + loss.detach()
    if plan.clip is not None:
        nn.utils.clip_grad_norm_(task.model.parameters(), plan.clip)
    optimizer.step()
    return total


def _elapsed(started: float) -> float:
    return round(time.monotonic() - started, 1)


def epoch_generator(seed: int, epoch: int) -> np.random.Generator:
    """Return the random generator of an epoch, and seed PyTorch for it."""
    torch.manual_seed(seed * 1000 + epoch)
    return np.random.default_rng((seed, epoch))


def prepare_device(seed: int) -> None:
    """Set the seed, deterministic kernels, and fast float32 products on GPUs."""
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.utils.deterministic.fill_uninitialized_memory = False
    torch.set_float32_matmul_precision("high")


def to_device(batch: Batch, device: str) -> Batch:
    """Return NumPy arrays as tensors on the device."""
    cuda = on_gpu(device)
    tensors = {name: torch.from_numpy(array) for name, array in batch.items()}
    if cuda:
        tensors = {name: tensor.pin_memory() for name, tensor in tensors.items()}
    return {name: tensor.to(device, non_blocking=cuda) for name, tensor in tensors.items()}


def body_and_heads(model: Any, rate: float, head_rate: float) -> list[dict[str, Any]]:
    """Return parameter groups for the trainable part of a model's body, and for its heads."""
    body = [p for p in model.body.parameters() if p.requires_grad]
    body_ids = {id(p) for p in body}
    heads = [p for p in model.parameters() if p.requires_grad and id(p) not in body_ids]
    return [{"params": body, "lr": rate}, {"params": heads, "lr": head_rate}]


def decay_groups(model: Any, rate: float, decay: float) -> list[dict[str, Any]]:
    """Return parameter groups with weight decay, and without it for biases and norms."""
    learned = [p for p in model.parameters() if p.requires_grad]
    return [
        {"params": [p for p in learned if p.ndim >= 2], "lr": rate, "weight_decay": decay},
        {"params": [p for p in learned if p.ndim < 2], "lr": rate, "weight_decay": 0.0},
    ]


def cosine(step: int, total: int, warmup: float) -> float:
    """Rise linearly over a share of the steps, then fall to zero as half a cosine."""
    warmup_steps = max(1.0, warmup * total)
    if step < warmup_steps:
        return (step + 1) / warmup_steps
    done = min(1.0, (step - warmup_steps) / max(1.0, total - warmup_steps))
    return 0.5 * (1 + math.cos(math.pi * done))


def linear(step: int, total: int, warmup: int) -> float:
    """Rise linearly over some steps, then fall linearly to zero."""
    if step < warmup:
        return (step + 1) / warmup
    return max(0.0, (total - step) / max(1, total - warmup))


class Average:
    """A moving average of a model's parameters, steadier than any one step's."""

    def __init__(self, model: Any, decay: float, *, eased: bool = True) -> None:
        self.decay = decay
        self.eased = eased
        self.steps = 0
        self.parameters = [p.detach().clone() for p in model.parameters()] if decay else []

    def update(self, model: Any) -> None:
        """Move towards the model."""
        if not self.decay:
            return
        self.steps += 1
        first = (1 + self.steps) / (10 + self.steps)
        decay = min(self.decay, first) if self.eased else self.decay
        current = [p.detach() for p in model.parameters()]
        torch._foreach_lerp_(self.parameters, current, 1 - decay)

    def move_into(self, model: Any) -> None:
        """Make the model the average."""
        if self.decay:
            _copy(self.parameters, model)

    @contextmanager
    def applied(self, model: Any) -> Iterator[None]:
        """Apply the average to the model, within a ``with``."""
        saved = [p.detach().clone() for p in model.parameters()] if self.decay else []
        self.move_into(model)
        yield
        if self.decay:
            _copy(saved, model)


def _copy(parameters: Iterable[Tensor], model: Any) -> None:
    with torch.no_grad():
        for parameter, value in zip(model.parameters(), parameters, strict=True):
            parameter.copy_(value)


class Checkpoint:
    """State for continuing after the last complete epoch."""

    def __init__(self, path: Path, model: Any, average: Average, *others: Any) -> None:
        self.path = path
        self.model = model
        self.average = average
        self.others = others

    def save(self, epoch: int, scores: Scores) -> None:
        """Write the state atomically, by renaming a partial file."""
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
        """Load the state; return the number of epochs done and the last scores."""
        if not self.path.is_file():
            return 0, {}
        state = torch.load(self.path, map_location=device, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.average.parameters = state["average"]
        self.average.steps = state["averaged"]
        for other, saved in zip(self.others, state["others"], strict=True):
            other.load_state_dict(saved)
        return int(state["epoch"]), state["scores"]


class Recipe(Struct, frozen=True, kw_only=True):
    """Hyperparameters for training a body of the encoder."""

    epochs: int
    lr: float
    """Peak learning rate of the body's last layer."""
    head_lr: float
    layer_decay: float = 1.0
    """Factor on the learning rate from each layer to the one below."""
    warmup: float = 0.06
    """Share of all steps in which the rate rises."""
    weight_decay: float = DECAY
    average: float = 0.999
    """Decay of the moving average of weights that is used at the end; 0 for none."""
    clip: float = 1.0
    budget: int = 2048
    """Maximum number of pieces in a batch, with padding."""
    mixed: bool = True
    """True to compute in bfloat16 if the device can."""
    every: int = 1
    """Number of epochs between evaluations; the last epoch is always evaluated."""
    seed: int = 1
    device: str = "cpu"

    @property
    def half(self) -> bool:
        """True if bfloat16 is wanted and possible."""
        return self.mixed and on_gpu(self.device)


def train_body(
    model: Any,
    recipe: Recipe,
    directory: Path,
    *,
    batches: Callable[[np.random.Generator], Iterable[Batch]],
    loss: Callable[[Any, Batch], Tensor],
    evaluate: Callable[[Any], Scores],
    steps: int,
) -> Scores:
    """Train a body with its heads, or continue after the last complete epoch in `directory`."""
    directory.mkdir(parents=True, exist_ok=True)
    prepare_device(recipe.seed)
    total = max(1, recipe.epochs * steps)

    def updates(epoch: int) -> Iterator[Update]:
        for batch in batches(epoch_generator(recipe.seed, epoch)):
            yield [(to_device(batch, recipe.device), 1.0)]

    task = TrainingTask(
        model=model,
        groups=layer_groups(model, recipe),
        updates=updates,
        loss=lambda batch: loss(model, batch),
        evaluate=lambda: evaluate(model),
    )
    plan = TrainingPlan(
        epochs=recipe.epochs,
        steps=steps,
        rate=lambda step: cosine(step, total, recipe.warmup),
        clip=recipe.clip,
        average=recipe.average,
        half=recipe.half,
        every=recipe.every,
        device=recipe.device,
    )
    log = Log(directory / "log.jsonl")
    return train(task, plan, log, checkpoint=directory / "checkpoint.pt")


def layer_groups(model: Any, recipe: Recipe) -> list[dict[str, Any]]:
    """Return parameter groups: heads at their own rate, body layers at rates by depth."""
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
    return [
        {"params": parameters, "lr": lr, "weight_decay": recipe.weight_decay}
        for lr, parameters in grouped.items()
    ]
