"""Several runs of fine-tuning in one folder, which can be broken off and taken up again.

The record in the folder says what is finished; only the rest is run.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from tatian.aggregation.data.inputs import Input
from tatian.aggregation.data.records import Instance
from tatian.aggregation.metrics.ablation import Inputs
from tatian.aggregation.metrics.ranking import fingerprint_of
from tatian.progress import Progress, silent
from tatian.statistics import fingerprint
from tatian.training.encoder_decoder.network import SETUP, Task
from tatian.training.encoder_decoder.train import RankerResult, RankerSettings, fine_tune
from tatian.training.seq2seq import BEST

RECORD = "finished.jsonl"
GRIDS: dict[Task, dict[str, tuple[float, ...]]] = {
    "generative": {"lr": (3e-6, 5e-6, 1e-5, 2e-5, 3e-5), "tokens": (1024, 2048)},
    "discriminative": {"lr": (5e-6, 1e-5, 2e-5, 3e-5), "batch": (4, 8, 16)},
}
"""What Appendices D.3 and D.4 searched."""
ABLATIONS: dict[Inputs, tuple[Input, ...]] = {
    "all": ("background", "context", "entities"),
    "context": ("context", "entities"),
    "background": ("background", "entities"),
    "entities": ("entities",),
}
"""What each model of Table 5 (§6.1) is given, by the name of its folder."""


class Finished(Struct, frozen=True):
    """One line of the record."""

    folder: str
    run: str
    """Of what was trained on what: a run with other data or settings is another one."""
    result: RankerResult


class Runs:
    """Runs of one model on one task."""

    def __init__(
        self,
        name: str,
        task: Task,
        train: Sequence[Instance],
        valid: Sequence[Instance],
        out: Path,
        progress: Progress = silent,
    ) -> None:
        self._given = name, task, train, valid
        self._data = f"{fingerprint_of(train)} {fingerprint_of(valid)}"
        self._out = out
        self._progress = progress
        self._finished = {(one.folder, one.run): one.result for one in _read(out / RECORD)}

    def result(self, folder: str, settings: RankerSettings) -> RankerResult:
        """Of a run in a folder of its own: from the record, or once it is done."""
        run = self._run(settings)
        found = self._finished.get((folder, run))
        if found is not None and (self._out / folder / BEST / SETUP).is_file():
            return found
        found = fine_tune(*self._given, settings, self._out / folder, self._told(folder))
        self._finished[folder, run] = found
        self._write()
        return found

    def _write(self) -> None:
        """The record, whole or as it was."""
        lines = [
            msgspec.json.encode(Finished(folder, run, result)) + b"\n"
            for (folder, run), result in self._finished.items()
        ]
        partial = self._out / f"{RECORD}.partial"
        partial.write_bytes(b"".join(lines))
        partial.replace(self._out / RECORD)

    def _run(self, settings: RankerSettings) -> str:
        """What makes a run this run; on which device it was done does not."""
        name, task, *_ = self._given
        told = msgspec.json.encode(structs.replace(settings, device=None)).decode()
        return fingerprint([name, task, self._data, told])

    def _told(self, folder: str) -> Progress:
        return lambda stage, done, total: self._progress(f"{folder}, {stage}", done, total)


def grid_search(
    runs: Runs, start: RankerSettings, grid: Mapping[str, Sequence[float]]
) -> RankerResult:
    """Every combination of a grid, each in a folder of its own; the best of them."""
    results = []
    for number, values in enumerate(itertools.product(*grid.values()), start=1):
        settings = structs.replace(start, **dict(zip(grid, values, strict=True)))
        results.append(runs.result(f"trial-{number:03}", settings))
    return max(results, key=lambda result: result.scores["map"])


def ablations(runs: Runs, start: RankerSettings) -> dict[Inputs, RankerResult]:
    """A model for each column of Table 5, trained with what it is given there and with all."""
    return {
        name: runs.result(name, structs.replace(start, inputs=inputs))
        for name, inputs in ABLATIONS.items()
    }


def _read(path: Path) -> list[Finished]:
    """The record; a line that cannot be read counts as not written, and its run is done again."""
    found: list[Finished] = []
    for line in path.read_bytes().splitlines() if path.is_file() else ():
        try:
            found.append(msgspec.json.decode(line, type=Finished))
        except msgspec.DecodeError:
            continue
    return found
