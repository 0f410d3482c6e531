"""The training itself: short, stopped by held-out unions, written as an adapter for llama.cpp."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
from msgspec import Struct

from tatian.progress import Progress, silent
from tatian.training.small.examples import Data, Encoded, Mixture, batches, encode, load
from tatian.training.small.model import MATRICES, Trainee
from tatian.union.models.lm.adapter import DOWN, UP
from tatian.union.models.lm.gguf import GGUF, Value, fits, write
from tatian.union.models.lm.pieces import Pieces
from tatian.union.models.small import END

Tensor = Any


class SmallConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the adapter is trained; a JSON file of these fields is the config."""

    rank: int = 4
    alpha: float = 16.0
    dropout: float = 0.05
    matrices: tuple[str, ...] = MATRICES
    lr: float = 1e-3
    warmup: float = 0.1
    weight_decay: float = 0.01
    epochs: int = 6
    patience: int = 2
    """Epochs without a better loss on held-out unions after which to stop."""
    budget: int = 8192
    """Padded tokens in a batch."""
    clip: float = 1.0
    seed: int = 1
    device: str = "cpu"
    mixture: Mixture = Mixture()


def train_small(
    config: SmallConfig, weights: Path, folder: Path, out: Path, progress: Progress = silent
) -> float:
    """Train on a folder of data, write ``small.gguf`` to `out`; the best held-out loss."""
    file = GGUF(weights)
    pieces = Pieces.of(file)
    data = load(folder, config.mixture, config.seed)
    torch.manual_seed(config.seed)
    cuda = config.device.startswith("cuda")
    model = Trainee(
        file,
        rank=config.rank,
        alpha=config.alpha,
        dropout=config.dropout,
        matrices=config.matrices,
        dtype=torch.bfloat16 if cuda else torch.float32,
    ).to(config.device)
    out.mkdir(parents=True, exist_ok=True)
    return _train(model, config, pieces, data, out, progress)


def _train(
    model: Trainee, config: SmallConfig, pieces: Pieces, data: Data, out: Path, progress: Progress
) -> float:
    padding = pieces.control(END)
    train = [encode(example, pieces) for example in data.train]
    dev = batches([encode(one, pieces) for one in data.dev], config.budget, padding, None)
    parameters = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(parameters, lr=config.lr, weight_decay=config.weight_decay)
    total = config.epochs * len(_epoch(train, config, padding, 0))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: _rate(step, total, config.warmup)
    )
    best, waited, began = _evaluate(model, dev, config.device), 0, time.monotonic()
    _log(out, {"epoch": 0, "dev": best, "examples": len(train)})
    for epoch in range(config.epochs):
        model.train()
        losses = []
        steps = _epoch(train, config, padding, epoch)
        for number, batch in enumerate(steps, 1):
            loss = _loss(model, batch, config.device)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, config.clip)
            optimizer.step()
            schedule.step()
            losses.append(loss.detach())
            progress(f"epoch {epoch + 1} of {config.epochs}", number, len(steps))
        found = _evaluate(model, dev, config.device)
        record = {"epoch": epoch + 1, "train": float(torch.stack(losses).mean()), "dev": found}
        _log(out, {**record, "seconds": round(time.monotonic() - began, 1)})
        if found < best:
            best, waited = found, 0
            export(model, out / "small.gguf", describe(config, best, epoch + 1))
        else:
            waited += 1
            if waited >= config.patience:
                break
    return best


def _epoch(train: list[Encoded], config: SmallConfig, padding: int, epoch: int) -> list[Any]:
    generator = np.random.default_rng((config.seed, epoch))
    return batches(train, config.budget, padding, generator)


def _loss(model: Trainee, batch: Any, device: str) -> Tensor:
    ids, counted = (torch.from_numpy(batch[name]).to(device) for name in ("ids", "counted"))
    return model.losses(ids, counted).mean()


def _evaluate(model: Trainee, dev: list[Any], device: str) -> float:
    """The mean loss per token of held-out unions."""
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for batch in dev:
            ids, counted = (torch.from_numpy(batch[name]).to(device) for name in ("ids", "counted"))
            losses = model.losses(ids, counted)
            total, count = total + float(losses.sum()), count + len(losses)
    return total / max(1, count)


def _rate(step: int, total: int, warmup: float) -> float:
    rising = max(1.0, warmup * total)
    if step < rising:
        return (step + 1) / rising
    return 0.5 * (1 + math.cos(math.pi * min(1.0, (step - rising) / max(1.0, total - rising))))


def _log(out: Path, record: dict[str, Any]) -> None:
    line = json.dumps({k: round(v, 5) if isinstance(v, float) else v for k, v in record.items()})
    print(line, flush=True)
    with (out / "log.jsonl").open("a", encoding="utf-8") as log:
        log.write(line + "\n")


def describe(config: SmallConfig, loss: float, epoch: int) -> str:
    """What the adapter's file says of its making."""
    plain = msgspec.to_builtins(config)
    return json.dumps({"config": plain, "held_out_loss": round(loss, 5), "epoch": epoch})


def export(model: Trainee, path: Path, description: str) -> None:
    """Write the adapter as llama.cpp reads it: int8 where rows allow it, else float16."""
    tensors = {}
    for name, matrix in model.adapted():
        for part, values in ((DOWN, matrix.down), (UP, matrix.up)):
            numbers = values.detach().float().cpu().numpy()
            kind = "Q8_0" if fits(numbers.shape, "Q8_0") else "F16"
            tensors[f"{name}.{part}"] = (kind, numbers)
    metadata: dict[str, Value] = {
        "general.architecture": "llama",
        "general.type": "adapter",
        "general.name": "tatian-small",
        "general.license": "cc-by-nc-4.0",
        "general.description": description,
        "adapter.type": "lora",
        "adapter.lora.alpha": float(model.alpha),
    }
    partial = path.with_suffix(".partial")
    write(partial, metadata, tensors)
    partial.replace(path)
