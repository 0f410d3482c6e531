"""Fine-tuning of T5, BART or PRIMERA on unions: Hirsch et al. 2023, §6 and Appendices F and G.

The best epoch by ROUGE-1 on development data is kept. There are a random search of settings and
learning curves over growing parts of the data. The extra ``hub`` is needed.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from msgspec import Struct, structs

from tatian.errors import InputError
from tatian.progress import Progress, silent
from tatian.pytorch import hub
from tatian.pytorch.hub import LoadedSeq2Seq
from tatian.scoring.rouge import ROUGE
from tatian.training.loop import TrainingTask, Update, decay_groups
from tatian.training.settings import Seq2SeqConfig
from tatian.training.tuning import Runs, TunedModel, tune
from tatian.union.data import UnionInstance


def fine_tune(
    name: str,
    train: Sequence[UnionInstance],
    dev: Sequence[UnionInstance],
    config: Seq2SeqConfig,
    out: Path,
    progress: Progress = silent,
) -> TunedModel:
    """Fine-tune a model; its best epoch is written to ``out/best``."""
    examples = _examples(train, config)
    loaded = hub.load(name, config.device)
    torch.manual_seed(config.seed)

    def updates(epoch: int) -> Iterator[Update]:
        order = np.random.default_rng((config.seed, epoch + 1)).permutation(len(examples))
        for begin in range(0, len(order), config.batch):
            chosen = [examples[int(i)] for i in order[begin : begin + config.batch]]
            size = -(-len(chosen) // config.accumulate)
            parts = [chosen[at : at + size] for at in range(0, len(chosen), size)]
            yield [(part, len(part) / len(chosen)) for part in parts]

    def loss(part: Sequence[UnionInstance]) -> Any:
        inputs = hub.inputs(loaded, [instance.sentences for instance in part])
        target = hub.labels(loaded, [instance.merged or "" for instance in part])
        return loaded.model(**inputs, labels=target).loss

    task = TrainingTask(
        model=loaded.model,
        groups=decay_groups(loaded.model, config.lr, config.weight_decay),
        updates=updates,
        loss=loss,
        evaluate=lambda: evaluate(loaded, dev, config.beams),
    )

    def warmup(total: int) -> int:
        return config.warmup

    return tune(task, loaded, len(examples), config, warmup, out, progress, best="rouge1")


def _examples(train: Sequence[UnionInstance], config: Seq2SeqConfig) -> list[UnionInstance]:
    """Return the part of the training data that is used, by the seed."""
    merged = [instance for instance in train if instance.merged]
    if not merged:
        raise InputError("the training data hold no unions")
    order = np.random.default_rng(config.seed).permutation(len(merged))
    count = max(1, round(config.share * len(merged)))
    chosen = [merged[int(index)] for index in order[:count]]
    if config.both_orders:
        chosen += [structs.replace(item, sentences=item.sentences[::-1]) for item in chosen]
    return chosen


def evaluate(loaded: LoadedSeq2Seq, dev: Sequence[UnionInstance], beams: int) -> dict[str, float]:
    """Return ROUGE of the model's unions on the development data, with standard errors."""
    from tatian.union.metrics import rouge

    scored = [instance for instance in dev if instance.merged]
    if not scored:
        raise InputError("the development data hold no unions")
    written = hub.write(loaded, [instance.sentences for instance in scored], beams=beams)
    references = [instance.merged or "" for instance in scored]
    rouge_scores = rouge(list(zip(references, written, strict=True)))
    scores: dict[str, float] = {}
    for name in ROUGE:
        column = np.array([row_scores[name] for row_scores in rouge_scores])
        spread = float(column.std(ddof=1)) if len(column) > 1 else 0.0
        scores |= {name: float(column.mean()), f"{name}_error": spread / len(column) ** 0.5}
    return scores


SHARES = (0.25, 0.5, 0.75, 1.0)
"""Shares of the training data in learning curves."""
CURVES = "curves.csv"


class SearchSpace(Struct, frozen=True):
    """Ranges of the settings, by default those of Appendix F."""

    lr: tuple[float, float] = (1e-8, 5e-5)
    """Range of the learning rate, whose logarithm is drawn uniformly."""
    batch: tuple[int, ...] = (8, 16, 32)
    weight_decay: tuple[float, float] = (0.0, 0.5)
    warmup: tuple[int, int] = (0, 300)


def draw_settings(space: SearchSpace, trial: int, start: Seq2SeqConfig) -> Seq2SeqConfig:
    """Draw the settings of one trial, by its number and the seed."""
    generator = np.random.default_rng((start.seed, trial))
    low, high = np.log(space.lr)
    return structs.replace(
        start,
        lr=float(np.exp(generator.uniform(low, high))),
        batch=int(generator.choice(space.batch)),
        weight_decay=float(generator.uniform(*space.weight_decay)),
        warmup=int(generator.integers(space.warmup[0], space.warmup[1] + 1)),
    )


def random_search(
    name: str,
    train: Sequence[UnionInstance],
    dev: Sequence[UnionInstance],
    start: Seq2SeqConfig,
    out: Path,
    *,
    trials: int,
    space: SearchSpace | None = None,
    progress: Progress = silent,
) -> TunedModel:
    """Run trials in their own folders, unless finished, and return the best by ROUGE-1."""
    if trials < 1:
        raise InputError("a search has at least one trial")
    runs = Runs(partial(fine_tune, name, train, dev), [name], out, progress)
    results = [
        runs.result(f"trial-{trial:03}", draw_settings(space or SearchSpace(), trial, start))
        for trial in range(1, trials + 1)
    ]
    return max(results, key=lambda result: result.scores["rouge1"])


def learning_curves(
    names: Sequence[str],
    train: Sequence[UnionInstance],
    dev: Sequence[UnionInstance],
    config: Seq2SeqConfig | Sequence[Seq2SeqConfig],
    out: Path,
    *,
    shares: Sequence[float] = SHARES,
    progress: Progress = silent,
) -> list[TunedModel]:
    """Train each model on growing parts of the data, and write ``curves.csv``.

    `config` is for all models, or one for each. `tatian union plot curves` draws the file.
    """
    configs = [config] * len(names) if isinstance(config, Seq2SeqConfig) else list(config)
    results = []
    for number, name in enumerate(names):
        runs = Runs(partial(fine_tune, name, train, dev), [name], out, progress)
        for share in shares:
            folder = f"model-{number}-{round(100 * share):03}"
            results.append(runs.result(folder, structs.replace(configs[number], share=share)))
    write_curves(results, out / CURVES)
    return results


def write_curves(results: Iterable[TunedModel], path: Path) -> None:
    """Write a CSV file with a row per model and size: all metrics and their standard errors."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        columns = [column for name in ROUGE for column in (name, f"{name}_error")]
        writer.writerow(["model", "size", *columns])
        for result in results:
            label = f"{Path(result.model).name} ({result.parameters / 1e6:.0f}M)"
            writer.writerow([label, result.samples, *(result.scores[name] for name in columns)])
