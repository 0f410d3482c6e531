"""Random search over the settings of fine-tuning, and learning curves: Appendices F and G."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct, structs

from tatian.errors import InputError
from tatian.progress import Progress, silent
from tatian.training.seq2seq.train import METRICS, RESULT, Seq2SeqConfig, Seq2SeqResult, fine_tune
from tatian.union.data import UnionInstance

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
    """Fine-tune, unless this very run has ended before; a mark says that it has."""
    done = folder / "done"
    if done.is_file():
        result = msgspec.json.decode((folder / RESULT).read_bytes(), type=Seq2SeqResult)
        if result.model == name and result.config == config:
            return result
        done.unlink()
    result = fine_tune(name, train, dev, config, folder, progress)
    done.touch()
    return result
