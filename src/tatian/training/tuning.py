"""Fine-tuning of a hub's encoder-decoders, whose best epoch is stored in a folder.

Searches and ablations have a folder for each run; finished runs are not repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from tatian.errors import InputError
from tatian.progress import Progress
from tatian.pytorch import hub
from tatian.statistics import fingerprint
from tatian.training.examples import Scores
from tatian.training.loop import Log, TrainingPlan, TrainingTask, linear, train

BEST = "best"
RESULT = "result.json"


class TunedModel(Struct, frozen=True):
    """The best epoch of a run."""

    model: str
    parameters: int
    samples: int
    updates: int
    epoch: int
    scores: dict[str, float]
    settings: dict[str, Any]


def tune(
    task: TrainingTask,
    loaded: Any,
    samples: int,
    config: Any,
    warmup: Callable[[int], int],
    out: Path,
    progress: Progress,
    add: Callable[[Path], None] = lambda folder: None,
    **plan_fields: Any,
) -> TunedModel:
    """Fine-tune a model, and write the best epoch to ``out/best``.

    `warmup` returns the number of updates in which the rate rises, given that of all updates; then
    it falls to zero. `add` writes further files beside the model.
    """
    if config.epochs < 1:
        raise InputError("no epochs to train")
    out.mkdir(parents=True, exist_ok=True)
    log = Log(out / "log.jsonl", quiet=True)
    log.path.unlink(missing_ok=True)
    total = sum(sum(1 for _ in task.updates(epoch)) for epoch in range(config.epochs))
    rising = warmup(total)
    counts = sum(parameter.numel() for parameter in task.model.parameters()), samples, total
    kept: list[TunedModel] = []

    def keep(epoch: int, scores: Scores) -> None:
        kept[:] = [TunedModel(loaded.name, *counts, epoch, scores, msgspec.to_builtins(config))]
        hub.save(loaded, out / BEST, add)
        (out / RESULT).write_bytes(msgspec.json.format(msgspec.json.encode(kept[0])))

    task.keep = keep
    plan = TrainingPlan(
        epochs=config.epochs,
        steps=-(-total // config.epochs),
        rate=lambda step: linear(step, total, rising),
        clip=config.clip,
        device=loaded.device,
        **plan_fields,
    )
    train(task, plan, log, progress)
    return kept[0]


class Runs:
    """Runs of one fine-tuning with different settings; `names` identify model and data."""

    def __init__(
        self, tune: Callable[..., TunedModel], names: Sequence[str], out: Path, progress: Progress
    ) -> None:
        self._tune, self._names, self._out, self._progress = tune, names, out, progress

    def result(self, folder: str, config: Any) -> TunedModel:
        """Return the stored result of a run, or run it in its own folder.

        A different device does not make a different run.
        """
        settings = msgspec.json.encode(structs.replace(config, device=None)).decode()
        run, place = fingerprint([*self._names, settings]), self._out / folder
        done = place / "done"
        if done.is_file() and done.read_text(encoding="utf-8") == run and (place / BEST).is_dir():
            # A result of an earlier version is computed again.
            with suppress(msgspec.ValidationError):
                return msgspec.json.decode((place / RESULT).read_bytes(), type=TunedModel)
        done.unlink(missing_ok=True)

        def progress(stage: str, at: int, total: int) -> None:
            self._progress(f"{folder}, {stage}", at, total)

        result = self._tune(config, place, progress)
        done.write_text(run, encoding="utf-8")
        return result
