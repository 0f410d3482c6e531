"""Fine-tuning of T5, BART or PRIMERA on unions: Hirsch et al. 2023, §6 and Appendices F and G.

The best epoch by ROUGE-1 on development data is kept; settings are searched at random, and curves
drawn over growing parts of the data. Needs the extra ``hub``.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
import torch
from msgspec import Struct, structs

from tatian.errors import InputError
from tatian.progress import Progress, silent
from tatian.statistics import fingerprint
from tatian.training import hub
from tatian.training.hub import LoadedSeq2Seq
from tatian.training.loop import Log, TrainingPlan, TrainingTask, Update, decayed, linear, train
from tatian.union.data import UnionInstance

METRICS = ("rouge1", "rouge2", "rougeL")
BEST = "best"
LOG = "log.jsonl"
RESULT = "result.json"
T = TypeVar("T")


class Seq2SeqConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a model is fine-tuned; a JSON file of these fields is the config."""

    lr: float = 4.3e-6
    batch: int = 32
    weight_decay: float = 0.0
    warmup: int = 0
    """Steps in which the rate rises; then it falls to zero."""
    epochs: int = 20
    beams: int = 4
    share: float = 1.0
    """Of the training data; the learning curves of Appendix G use a quarter to all of it."""
    both_orders: bool = False
    """Whether each pair is also shown the other way round; the paper does not say."""
    clip: float = 1.0
    accumulate: int = 1
    """Parts in which a batch is computed, where memory is short."""
    seed: int = 1
    device: str | None = None


T5 = Seq2SeqConfig(lr=4.3e-6, weight_decay=0.0, warmup=0, batch=32, epochs=18)
"""The best run of T5-large in Appendix F."""
PRIMERA = Seq2SeqConfig(lr=3.5e-6, weight_decay=0.5, warmup=80, batch=16, epochs=9)
"""The best run of PRIMERA in Appendix F."""


class Seq2SeqResult(Struct, frozen=True):
    """The best epoch of a run."""

    model: str
    parameters: int
    examples: int
    epoch: int
    scores: dict[str, float]
    errors: dict[str, float]
    """Standard errors of the scores."""
    config: Seq2SeqConfig


def fine_tune(
    name: str,
    given: Sequence[UnionInstance],
    dev: Sequence[UnionInstance],
    config: Seq2SeqConfig,
    out: Path,
    progress: Progress = silent,
) -> Seq2SeqResult:
    """Fine-tune a model; its best epoch is written to ``out/best``."""
    examples = _examples(given, config)
    loaded = hub.load(name, config.device)
    torch.manual_seed(config.seed)
    out.mkdir(parents=True, exist_ok=True)
    (out / LOG).unlink(missing_ok=True)
    steps = -(-len(examples) // config.batch)
    best: list[Seq2SeqResult] = []
    errors: dict[str, float] = {}

    def updates(epoch: int) -> Iterator[Update]:
        order = np.random.default_rng((config.seed, epoch + 1)).permutation(len(examples))
        for step in range(steps):
            chosen = [examples[int(i)] for i in order[step * config.batch :][: config.batch]]
            size = -(-len(chosen) // config.accumulate)
            parts = [chosen[begin : begin + size] for begin in range(0, len(chosen), size)]
            yield [(part, len(part) / len(chosen)) for part in parts]

    def loss(part: Sequence[UnionInstance]) -> Any:
        fed = hub.inputs(loaded, [instance.sentences for instance in part])
        target = hub.labels(loaded, [instance.merged or "" for instance in part])
        return loaded.model(**fed, labels=target).loss

    def judge() -> dict[str, float]:
        scores, spread = evaluate(loaded, dev, config.beams)
        errors.update(spread)
        return scores

    def keep(epoch: int, scores: dict[str, float]) -> None:
        size = len(examples)
        best[:] = [
            Seq2SeqResult(name, loaded.parameters, size, epoch, scores, dict(errors), config)
        ]
        hub.save(loaded, out / BEST)
        (out / RESULT).write_bytes(msgspec.json.format(msgspec.json.encode(best[0])))

    task = TrainingTask(
        model=loaded.model,
        groups=decayed(loaded.model, config.lr, config.weight_decay),
        updates=updates,
        loss=loss,
        evaluate=judge,
        keep=keep,
    )
    plan = TrainingPlan(
        epochs=config.epochs,
        steps=steps,
        rate=lambda step: linear(step, config.epochs * steps, config.warmup),
        clip=config.clip,
        best="rouge1",
        device=loaded.device,
    )
    train(task, plan, Log(out / LOG, quiet=True), progress)
    if not best:
        raise InputError("no epochs to train")
    return best[0]


def _examples(train: Sequence[UnionInstance], config: Seq2SeqConfig) -> list[UnionInstance]:
    """The part of the training data that is used, the same for the same seed."""
    merged = [instance for instance in train if instance.merged]
    if not merged:
        raise InputError("the training data hold no unions")
    order = np.random.default_rng(config.seed).permutation(len(merged))
    count = max(1, round(config.share * len(merged)))
    chosen = [merged[int(index)] for index in order[:count]]
    if config.both_orders:
        turned = [msgspec.structs.replace(i, sentences=i.sentences[::-1]) for i in chosen]
        chosen += turned
    return chosen


def evaluate(
    loaded: LoadedSeq2Seq, dev: Sequence[UnionInstance], beams: int
) -> tuple[dict[str, float], dict[str, float]]:
    """ROUGE of what the model writes for the development data, with standard errors."""
    from tatian.union.metrics import rouge

    judged = [instance for instance in dev if instance.merged]
    if not judged:
        raise InputError("the development data hold no unions")
    written = hub.write(loaded, [instance.sentences for instance in judged], beams=beams)
    references = [instance.merged or "" for instance in judged]
    found = rouge(list(zip(references, written, strict=True)))
    values = {name: np.array([one[name] for one in found]) for name in METRICS}
    scores = {name: float(column.mean()) for name, column in values.items()}
    spread = {
        name: float(column.std(ddof=1)) if len(column) > 1 else 0.0
        for name, column in values.items()
    }
    return scores, {name: value / len(judged) ** 0.5 for name, value in spread.items()}


SHARES = (0.25, 0.5, 0.75, 1.0)
CURVES = "curves.csv"


class Space(Struct, frozen=True):
    """Where settings are drawn from; the defaults are Appendix F's."""

    lr: tuple[float, float] = (1e-8, 5e-5)
    """Drawn evenly by its logarithm."""
    batch: tuple[int, ...] = (8, 16, 32)
    weight_decay: tuple[float, float] = (0.0, 0.5)
    warmup: tuple[int, int] = (0, 300)


def draw(space: Space, trial: int, start: Seq2SeqConfig) -> Seq2SeqConfig:
    """The settings of one trial: the same for the same number and seed."""
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
    space: Space | None = None,
    progress: Progress = silent,
) -> Seq2SeqResult:
    """Run trials, each in a folder of its own; the best by ROUGE-1. Finished ones are not rerun."""
    if trials < 1:
        raise InputError("a search has at least one trial")
    results = [
        _run(name, train, dev, draw(space or Space(), t, start), out / f"trial-{t:03}", progress)
        for t in range(1, trials + 1)
    ]
    return max(results, key=lambda result: result.scores["rouge1"])


def learning_curves(
    names: Sequence[str],
    train: Sequence[UnionInstance],
    dev: Sequence[UnionInstance],
    config: Seq2SeqConfig,
    out: Path,
    *,
    shares: Sequence[float] = SHARES,
    progress: Progress = silent,
) -> list[Seq2SeqResult]:
    """Each model on growing parts of the data; `tatian union plot curves` draws the file."""
    results = []
    for number, name in enumerate(names):
        for share in shares:
            part = structs.replace(config, share=share)
            folder = out / f"model-{number}-{round(100 * share):03}"
            results.append(_run(name, train, dev, part, folder, progress))
    write_curves(results, out / CURVES)
    return results


def write_curves(results: Iterable[Seq2SeqResult], path: Path) -> None:
    """One row per model and size: every metric and its standard error."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        columns = [column for name in METRICS for column in (name, f"{name}_error")]
        writer.writerow(["model", "size", *columns])
        for result in results:
            label = f"{Path(result.model).name} ({result.parameters / 1e6:.0f}M)"
            numbers = [n for name in METRICS for n in (result.scores[name], result.errors[name])]
            writer.writerow([label, result.examples, *numbers])


def _run(
    name: str,
    train: Sequence[UnionInstance],
    dev: Sequence[UnionInstance],
    config: Seq2SeqConfig,
    folder: Path,
    progress: Progress,
) -> Seq2SeqResult:
    run = fingerprint([name, msgspec.json.encode(config).decode()])
    return once(
        folder,
        run,
        Seq2SeqResult,
        lambda: fine_tune(name, train, dev, config, folder, progress),
    )


def once(folder: Path, run: str, kind: type[T], fine_tune: Callable[[], T]) -> T:
    """A run's result: as it stands in the folder if this very run ended there, or else by running.

    `run` says what was trained how: a mark in the folder tells which run came to its end.
    """
    done = folder / "done"
    if done.is_file() and done.read_text(encoding="utf-8") == run and (folder / BEST).is_dir():
        return msgspec.json.decode((folder / RESULT).read_bytes(), type=kind)
    done.unlink(missing_ok=True)
    found = fine_tune()
    done.write_text(run, encoding="utf-8")
    return found
