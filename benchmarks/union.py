"""Every union model that runs offline, side by side on the Sentence Union dataset.

    python benchmarks/union.py [--data DIR] [--split eval|train] [--models NAME,NAME] [--limit N]
                               [--baseline NAME] [--no-nli] [--format text|markdown|json]

All run on the same pairs through the code behind ``tatian union generate`` and ``tatian union
compare``; ``longer-or-both`` is the rule that anything learned must beat. A model that cannot run
here is named on standard error and left out. The analysis of the sentences, which all models read,
is made before and timed separately. If a model keeps ``seconds`` (a mapping of stages to seconds
spent so far), the stages are shown as well.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from data_folder import DATA
from tatian import Pipeline
from tatian.errors import TatianError
from tatian.scoring.comparison import SystemComparison
from tatian.statistics import Cell, Column, Table
from tatian.text import Document
from tatian.union.data import UnionInstance, read
from tatian.union.generate import generate, passages
from tatian.union.metrics import USUAL, compare
from tatian.union.models import mergers

WARM_UP = 3
"""Number of pairs merged before timing, so that one-time loading does not count."""


class Run(Struct, frozen=True):
    """Results of one model, and its time for each pair."""

    model: str
    unions: tuple[UnionInstance, ...]
    seconds: float
    stages: dict[str, float]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark from the command line."""
    options = _parser().parse_args(arguments)
    try:
        gold = read(options.data / "union" / f"{options.split}.csv")[: options.limit]
        names = options.models.split(",") if options.models else mergers.names()
        analysed, reading = analyse(gold)
        runs = list(run(gold, names, analysed))
        if not runs:
            sys.exit("error: none of these models runs here")
        metrics = [metric for metric in USUAL if metric != "nli" or not options.no_nli]
        standing = compare(
            gold, {run.model: run.unions for run in runs}, metrics, baseline=options.baseline
        )
    except TatianError as error:
        sys.exit(f"error: {error}")
    if options.format == "json":
        print(json.dumps(plain(standing, runs, reading), indent=2))
        return
    title = f"Sentence union, {options.split}, {len(gold)} pairs"
    print(results_table(standing, runs, title).render(options.format))
    print(f"{standing.note}; analysis of the sentences {1000 * reading:.0f} ms per pair\n")
    if any(run.stages for run in runs):
        print(stage_table(runs, "Milliseconds per pair in each stage").render(options.format))
    for test in standing.tests:
        change, pair = 100 * test.comparison.difference, f"{test.system} - {test.baseline}"
        print(f"{test.metric}, {pair}: {change:+.1f}, p {test.p_value:.4f}, corrected")
    print(next(iter(standing.systems.values()))["rouge1"].signature)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--split", choices=["eval", "train"], default="eval")
    parser.add_argument("--models", metavar="NAME,...", help="by default all that run here")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N pairs")
    parser.add_argument("--baseline", metavar="NAME", help="test against this model")
    parser.add_argument("--no-nli", action="store_true", help="leave out entailment")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    return parser


def analyse(gold: Sequence[UnionInstance]) -> tuple[dict[str, Document], float]:
    """Return the analysis of every sentence by its id, and the time for a pair."""
    pipeline = Pipeline.for_sentences()
    by_text: dict[str, Document] = {}

    def keep(document: Document) -> Document:
        by_text[document.id] = pipeline.process(document)
        return by_text[document.id]

    begun = time.perf_counter()
    for instance in gold:
        passages(instance, keep)
    return by_text, (time.perf_counter() - begun) / max(1, len(gold))


def run(
    gold: Sequence[UnionInstance], names: Sequence[str], analysed: Mapping[str, Document]
) -> Iterator[Run]:
    """Run every available model on every pair; name the others on standard error."""
    for name in names:
        try:
            yield _run(gold, name, analysed)
        except TatianError as error:
            print(f"note: {name} left out: {error}", file=sys.stderr)


def _run(gold: Sequence[UnionInstance], name: str, analysed: Mapping[str, Document]) -> Run:
    model = mergers.create(name)

    def look_up(document: Document) -> Document:
        return analysed[document.id]

    list(generate(gold[:WARM_UP], model, prepare=look_up))
    before = dict(getattr(model, "seconds", {}))
    begun = time.perf_counter()
    unions = tuple(generate(gold, model, prepare=look_up))
    seconds = (time.perf_counter() - begun) / len(gold)
    after = dict(getattr(model, "seconds", {}))
    stages = {stage: (spent - before.get(stage, 0.0)) / len(gold) for stage, spent in after.items()}
    return Run(name, unions, seconds, stages)


def results_table(standing: SystemComparison, runs: Sequence[Run], title: str) -> Table:
    """Tabulate the results, the worst by ROUGE-1 first."""
    speeds: dict[str, list[Cell]] = {run.model: [1000 * run.seconds] for run in runs}
    order = sorted(standing.systems, key=lambda name: standing.systems[name]["rouge1"].value)
    ordered = replace(standing, systems={name: standing.systems[name] for name in order})
    return ordered.table(title, speeds, Column("ms/pair", precision=1))


def stage_table(runs: Sequence[Run], title: str) -> Table:
    """Tabulate the time of each stage, for models that record it."""
    rows: list[tuple[Cell, ...]] = [
        (run.model, stage, 1000 * seconds) for run in runs for stage, seconds in run.stages.items()
    ]
    return Table.of(["system", "stage", Column("ms/pair", precision=1)], rows, title)


def plain(standing: SystemComparison, runs: Sequence[Run], reading: float) -> dict[str, object]:
    """Return the results as plain data."""
    return {
        **standing.to_json(),
        "analysis_seconds_per_pair": reading,
        "speed": {
            run.model: {"seconds_per_pair": run.seconds, "stages": run.stages} for run in runs
        },
    }


if __name__ == "__main__":
    main()
