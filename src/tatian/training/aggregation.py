"""Fine-tuning on aggregations, by default with the final settings of TESA's Appendix D.

The best epoch by average precision on validation data is kept.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from msgspec import Struct, structs

from tatian.aggregation.data.records import INPUTS, Input, Instance
from tatian.aggregation.metrics import RankingScores, score
from tatian.aggregation.metrics.ablation import Inputs
from tatian.aggregation.metrics.ranking import fingerprint_of
from tatian.aggregation.models.encoder_decoder import Setup, Task
from tatian.errors import InputError
from tatian.progress import Progress, silent
from tatian.pytorch import ranker
from tatian.pytorch.hub import on_gpu
from tatian.pytorch.ranker import LoadedRanker, rank
from tatian.training.loop import TrainingTask, Update, decay_groups
from tatian.training.tuning import Runs, TunedModel, tune

Precision = Literal["fp32", "bf16"]


class RankerSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of fine-tuning, which can be read from JSON."""

    lr: float
    batch: int
    """Maximum number of samples of a batch."""
    tokens: int = 0
    """Maximum number of tokens of a batch with padding; 0 for no limit."""
    accumulate: int = 1
    """Number of batches in an update (``update-freq``)."""
    epochs: int = 6
    warmup: float
    """Share of the updates in which the rate rises, before it falls to zero."""
    smoothing: float = 0.0
    weight_decay: float = 0.01
    clip: float = 0.1
    inputs: tuple[Input, ...] = INPUTS
    precision: Precision | None = None
    """Precision; None for bf16 on a GPU and fp32 elsewhere."""
    seed: int = 1
    device: str | None = None


class Generative(RankerSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of Appendix D.3, with the label smoothing of the original code."""

    lr: float = 5e-6
    batch: int = 64
    tokens: int = 1024
    warmup: float = 0.03
    smoothing: float = 0.1


class Discriminative(RankerSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of Appendix D.4."""

    lr: float = 2e-5
    batch: int = 8
    warmup: float = 0.06


class DiscriminativeAblation(Discriminative, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of Appendix D.4 for the ablation study."""

    lr: float = 1e-5
    tokens: int = 1024
    accumulate: int = 4
    epochs: int = 5


SETTINGS: dict[Task, type[RankerSettings]] = {
    "generative": Generative,
    "discriminative": Discriminative,
}
ABLATION_SETTINGS: dict[Task, type[RankerSettings]] = {
    "generative": Generative,
    "discriminative": DiscriminativeAblation,
}
"""Default settings of the ablation studies."""
ENTITIES_BATCH = 16
"""Maximum number of samples of a batch of the generative model with names alone (D.3)."""


class RankerSample(Struct, frozen=True):
    """A text with a phrase, as token ids."""

    text: list[int]
    phrase: list[int]
    is_gold: bool


def fine_tune(
    name: str,
    task: Task,
    train: Sequence[Instance],
    valid: Sequence[Instance],
    settings: RankerSettings,
    out: Path,
    progress: Progress = silent,
) -> TunedModel:
    """Fine-tune a model; its best epoch is written to ``out/best``."""
    torch.manual_seed(settings.seed)
    setup = Setup(task=task, inputs=settings.inputs)
    loaded = ranker.load(name, task, settings.device, setup=setup)
    samples = make_samples(loaded, train)
    lengths = [len(sample.text) for sample in samples]

    def updates(epoch: int) -> Iterator[Update]:
        generator = np.random.default_rng((settings.seed, epoch + 1))
        plan = plan_batches(lengths, settings.batch, settings.tokens, generator)
        for begin in range(0, len(plan), settings.accumulate):
            parts = plan[begin : begin + settings.accumulate]
            yield [([samples[index] for index in part], 1 / len(parts)) for part in parts]

    def validate() -> dict[str, float]:
        scores = evaluate(loaded, valid)
        return {metric: scores.value(metric) for metric in scores.metrics}

    training_task = TrainingTask(
        model=loaded.modules,
        groups=decay_groups(loaded.modules, settings.lr, settings.weight_decay),
        updates=updates,
        loss=lambda part: _loss(loaded, part, settings.smoothing),
        evaluate=validate,
    )
    return tune(
        training_task,
        loaded,
        len(samples),
        settings,
        lambda total: round(settings.warmup * total),
        out,
        progress,
        add=lambda folder: ranker.add(loaded, folder),
        best="map",
        betas=(0.9, 0.98 if loaded.head is not None else 0.999),
        half=settings.precision == "bf16" if settings.precision else on_gpu(loaded.device),
    )


def evaluate(loaded: LoadedRanker, valid: Sequence[Instance]) -> RankingScores:
    """Return the model's ranking scores on the validation data."""
    ids = [instance.id for instance in valid]
    return score(valid, dict(zip(ids, rank(loaded, valid), strict=True)))


def make_samples(loaded: LoadedRanker, train: Sequence[Instance]) -> list[RankerSample]:
    """Return a sample for each gold phrase, or for each candidate for a classifier (§5.3)."""
    classified = loaded.setup.task == "discriminative"
    samples = []
    for instance in train:
        text = ranker.text_ids(loaded, instance)
        for phrase in instance.candidates if classified else instance.aggregations:
            ids = ranker.phrase_ids(loaded, phrase)
            samples.append(RankerSample(text, ids, phrase in instance.aggregations))
    if not samples:
        kind = "candidates" if classified else "right phrases"
        raise InputError(f"the training data hold no {kind}")
    return samples


def _loss(loaded: LoadedRanker, batch: Sequence[RankerSample], smoothing: float) -> Any:
    cross_entropy = torch.nn.functional.cross_entropy
    texts, phrases = [sample.text for sample in batch], [sample.phrase for sample in batch]
    if loaded.head is None:
        states, mask = ranker.encode(loaded, texts)
        logits, labels = ranker.decode_phrases(loaded, states, mask, phrases)
        logits, labels = logits.flatten(0, 1), labels.flatten()
    else:
        logits = ranker.classify(loaded, *ranker.encode(loaded, texts), phrases)
        labels = torch.tensor([int(sample.is_gold) for sample in batch], device=loaded.device)
    return cross_entropy(logits.float(), labels, label_smoothing=smoothing)


BATCHES_IN_POOL = 50
"""Number of batches whose samples are sorted together by length."""


def plan_batches(
    lengths: Sequence[int], batch: int, tokens: int, generator: np.random.Generator
) -> list[list[int]]:
    """Return indices of the samples of each batch of an epoch, in random order.

    A batch has at most `batch` samples and, unless `tokens` is 0, at most `tokens` tokens with
    padding. A longer sample is a batch of its own.
    """
    sizes = np.asarray(lengths)
    order = generator.permutation(len(sizes))
    batches: list[list[int]] = []
    for begin in range(0, len(order), BATCHES_IN_POOL * batch):
        pool = order[begin : begin + BATCHES_IN_POOL * batch]
        by_length = pool[np.argsort(sizes[pool], kind="stable")]
        batches += _fill_batches(by_length, sizes, batch, tokens)
    return [batches[int(index)] for index in generator.permutation(len(batches))]


def _fill_batches(order: Iterable[int], sizes: Any, batch: int, tokens: int) -> list[list[int]]:
    batches: list[list[int]] = []
    for index in map(int, order):
        has_room = bool(batches) and len(batches[-1]) < batch
        if has_room and (not tokens or int(sizes[index]) * (len(batches[-1]) + 1) <= tokens):
            batches[-1].append(index)
        else:
            batches.append([index])
    return batches


GRIDS: dict[Task, dict[str, tuple[float, ...]]] = {
    "generative": {"lr": (3e-6, 5e-6, 1e-5, 2e-5, 3e-5), "tokens": (1024, 2048)},
    "discriminative": {"lr": (5e-6, 1e-5, 2e-5, 3e-5), "batch": (4, 8, 16)},
}
"""Grids of Appendices D.3 and D.4."""
ABLATIONS: dict[Inputs, tuple[Input, ...]] = {
    "all": ("background", "context", "entities"),
    "context": ("context", "entities"),
    "background": ("background", "entities"),
    "entities": ("entities",),
}
"""Inputs of each model of Table 5 (§6.1), by the name of its folder."""


def runs(
    name: str,
    task: Task,
    train: Sequence[Instance],
    valid: Sequence[Instance],
    out: Path,
    progress: Progress = silent,
) -> Runs:
    """Return the runs of one model on one task."""
    identity = [name, task, f"{fingerprint_of(train)} {fingerprint_of(valid)}"]
    return Runs(partial(fine_tune, name, task, train, valid), identity, out, progress)


def grid_search(
    runs: Runs, start: RankerSettings, grid: Mapping[str, Sequence[float]]
) -> TunedModel:
    """Run all combinations of a grid in their own folders, and return the best."""
    results = []
    for number, values in enumerate(itertools.product(*grid.values()), start=1):
        settings = structs.replace(start, **dict(zip(grid, values, strict=True)))
        results.append(runs.result(f"trial-{number:03}", settings))
    return max(results, key=lambda result: result.scores["map"])


def ablations(runs: Runs, start: RankerSettings) -> dict[Inputs, TunedModel]:
    """Train a model with all inputs, and one for each column of Table 5.

    The generative model with names alone has batches of at most `ENTITIES_BATCH` samples.
    """
    results = {}
    for name, inputs in ABLATIONS.items():
        settings = structs.replace(start, inputs=inputs)
        if name == "entities" and isinstance(start, Generative):
            settings = structs.replace(settings, batch=min(start.batch, ENTITIES_BATCH))
        results[name] = runs.result(name, settings)
    return results
