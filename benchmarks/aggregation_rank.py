"""Comparison of rankers: quality with its uncertainty, by type and size, and training time.

All are measured on one task with the same background information, filled from a knowledge base;
times are processor times of one process, so that a busy machine does not blur them.

    python benchmarks/aggregation_rank.py ../shared/data/aggregation
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from tatian.aggregation.data import Instance
from tatian.aggregation.data.background import Backgrounds
from tatian.aggregation.data.jsonl import read
from tatian.aggregation.metrics import By, RankingScores, score
from tatian.aggregation.models import Ranker, rankers
from tatian.knowledge import open_base
from tatian.statistics import Cell, Column, Table

MEASURES = {"MAP": "map", "R@10": "r@10", "MRR": "mrr"}
JUDGED = Path(__file__).with_name("aggregation_judged.json")
PAPER_SECONDS = 15 * 60
"""Training time in seconds on a CPU in TESA, Appendix D.1."""


class Result:
    """Scores and processing times of one ranker."""

    def __init__(self, make: Callable[[], Ranker], task: Sequence[Instance]) -> None:
        started = time.process_time()
        ranker = make()
        trained = time.process_time()
        self.rankings = {instance.id: ranker.rank(instance) for instance in task}
        self.scores: RankingScores = score(task, self.rankings)
        self.training = trained - started
        self.ranking = (time.process_time() - trained) / len(task)


def read_filled(path: Path, kb: str | None) -> list[Instance]:
    """Read instances, add background from the base, and print the share of known entities."""
    instances = list(read(str(path)))
    if kb is None:
        return instances
    backgrounds = Backgrounds(open_base(kb))
    filled = [backgrounds.fill(instance) for instance in instances]
    asked, covered = backgrounds.pop_counts()
    share = covered / asked if asked else 0.0
    print(
        f"{path.name}: {len(filled)} instances, {covered} of {asked} entities known ({share:.1%})"
    )
    return filled


def ranker_makers(train: list[Instance], others: Sequence[str]) -> dict[str, Callable[[], Ranker]]:
    """Return the constructors of the compared rankers, by their names in the table."""
    rankers_by_name: dict[str, Callable[[], Ranker]] = {
        "random": partial(rankers.create, "random"),
        "frequency": partial(rankers.create, "frequency", training=train),
        "cosine": partial(rankers.create, "cosine"),
        "logistic, as shipped": partial(rankers.create, "logistic"),
        "logistic, trained": partial(rankers.create, "logistic", training=train),
        "tatian": partial(rankers.create, "tatian"),
    }
    return rankers_by_name | {name: partial(rankers.create, name) for name in others}


def overview_table(results: dict[str, Result]) -> Table:
    """Tabulate all measures and the seconds of training."""
    columns: list[Column | str] = ["ranker", *(Column(name, 3, best="max") for name in MEASURES)]
    columns += [Column("train s", 1), Column("paper/ours", 0), Column("ms/instance", 1)]
    rows: list[list[Cell]] = []
    for name, result in results.items():
        learned = name.startswith("logistic, ") and "shipped" not in name
        rows.append(
            [
                name,
                *(result.scores.score(measure) for measure in MEASURES.values()),
                result.training,
                PAPER_SECONDS / result.training if learned else None,
                result.ranking * 1000,
            ]
        )
    return Table.of(columns, rows)


def group_table(results: dict[str, Result]) -> Table:
    """Tabulate mean average precision for each type and each number of entities."""
    first_scores = next(iter(results.values())).scores
    kinds: tuple[By, ...] = ("type", "size")
    groups = {
        f"{group} ({len(part.ids)})": (kind, group)
        for kind in kinds
        for group, part in first_scores.by(kind).items()
    }
    columns: list[Column | str] = ["MAP", *(Column(name, 3, best="max") for name in groups)]
    rows: list[list[Cell]] = [
        [name, *(result.scores.by(kind)[group].value("map") for kind, group in groups.values())]
        for name, result in results.items()
    ]
    return Table.of(columns, rows)


def judged_table(results: dict[str, Result], task: Sequence[Instance]) -> Table:
    """Score the rankings by the labels of a judge who marked every right candidate."""
    places = json.loads(JUDGED.read_text("utf-8"))["judged"]
    read = [
        replace(instance, aggregations=tuple(instance.candidates[at] for at in places[instance.id]))
        for instance in task
        if instance.id in places
    ]
    columns: list[Column | str] = [f"judged ({len(read)})"]
    columns += [Column(name, 3, best="max") for name in MEASURES]
    rows: list[list[Cell]] = []
    for name, result in results.items():
        scores = score(read, {instance.id: result.rankings[instance.id] for instance in read})
        rows.append([name, *(scores.score(measure) for measure in MEASURES.values())])
    return Table.of(columns, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path, help="a folder with news-train.jsonl and news-val.jsonl")
    parser.add_argument("--kb", default="starter", help="a knowledge base, or 'none'")
    parser.add_argument("--model", action="append", default=[], help="another ranker, by its name")
    chosen = parser.parse_args()
    kb = None if chosen.kb == "none" else chosen.kb
    train = read_filled(chosen.data / "news-train.jsonl", kb)
    task = read_filled(chosen.data / "news-val.jsonl", kb)
    results = {
        name: Result(make, task) for name, make in ranker_makers(train, chosen.model).items()
    }
    for table in (overview_table(results), group_table(results), judged_table(results, task)):
        print(f"\n{table.render('text')}")


if __name__ == "__main__":
    main()
