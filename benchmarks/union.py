"""Every union model that runs offline, side by side on the Sentence Union dataset.

    python benchmarks/union.py [--data DIR] [--split eval|train] [--format text|markdown|json]

Beside the registered models stands a rule that anything learned must beat: the longer sentence,
or both where more than 70% of the shorter one's content words are new. All run on the same pairs
through the code behind ``tatian union generate`` and ``tatian union score``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from tatian import Pipeline
from tatian.errors import TatianError
from tatian.statistics import (
    Cell,
    Column,
    Comparison,
    Score,
    Table,
    approximate_randomization,
    paired_bootstrap,
)
from tatian.union.data import Instance, read
from tatian.union.generate import generate
from tatian.union.metrics import content_words, score
from tatian.union.models import Merged, Merger, Passage, mergers
from tatian.union.models.concatenation import Concatenation
from tatian.union.models.longer import Longer

RULE = "longer or both"
FLOORS = ("longer", "concatenation", RULE)
WARM_UP = 20
"""Pairs merged before the clock starts, so that no model pays for what all share."""
COLUMNS = {
    "rouge1": Column("ROUGE-1", precision=1, scale=100, best="max"),
    "rouge2": Column("ROUGE-2", precision=1, scale=100, best="max"),
    "rougeL": Column("ROUGE-L", precision=1, scale=100, best="max"),
    "delta_cr": Column("ΔCR", precision=1, scale=100, signed=True, best="zero"),
    "delta_cr_abs": Column("|ΔCR|", precision=1, scale=100, best="min"),
}


class LongerOrBoth:
    """The longer sentence, but both where over 70% of the other's content words are new."""

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Decide for two passages."""
        *others, longest = sorted(passages, key=lambda passage: len(passage.text))
        said = set(content_words(longest.text))
        offered = {word for other in others for word in content_words(other.text)}
        new = len(offered - said) / max(1, len(offered))
        chosen: Merger = Concatenation() if new > 0.7 else Longer()
        return chosen.merge(passages)


class Result(Struct, frozen=True):
    """What one model did."""

    model: str
    scores: dict[str, Score]
    pairs_per_second: float


def main() -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    parser.add_argument(
        "--data", type=Path, default=Path(os.environ.get("TATIAN_DATA", default)), metavar="DIR"
    )
    parser.add_argument("--split", choices=["eval", "train"], default="eval")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    options = parser.parse_args()
    try:
        gold = read(options.data / "union" / f"{options.split}.csv")
        results = run(gold)
    except TatianError as error:
        sys.exit(f"error: {error}")
    comparisons = compare(results)
    if options.format == "json":
        print(json.dumps(plain(results, comparisons), indent=2))
        return
    title = f"Sentence union, {options.split}, {len(gold)} pairs (per cent ± standard error)"
    print(results_table(results, title).render(options.format))
    title = f"{mergers.default} against {best_floor(results).model}, the best floor"
    print(comparison_table(comparisons, title).render(options.format))
    print(results[0].scores["rouge1"].signature)


def run(gold: Sequence[Instance]) -> list[Result]:
    """Every model on every pair."""
    models: dict[str, str | Merger] = {name: name for name in mergers.names()}
    models[RULE] = LongerOrBoth()
    prepare = Pipeline().process
    results = []
    for name, model in models.items():
        list(generate(gold[:WARM_UP], model, prepare=prepare))
        begun = time.perf_counter()
        predicted = list(generate(gold, model, prepare=prepare))
        speed = len(gold) / (time.perf_counter() - begun)
        results.append(Result(name, score(gold, predicted), speed))
    return sorted(results, key=lambda result: result.scores["rouge1"].value)


def best_floor(results: Sequence[Result]) -> Result:
    """The floor with the highest ROUGE-1."""
    floors = [result for result in results if result.model in FLOORS]
    return max(floors, key=lambda result: result.scores["rouge1"].value)


def compare(results: Sequence[Result]) -> list[tuple[Comparison, Comparison]]:
    """The default model against the best floor on each metric, by both tests."""
    ours = next(result for result in results if result.model == mergers.default).scores
    floor = best_floor(results).scores
    return [
        (
            paired_bootstrap(ours[name], floor[name]),
            approximate_randomization(ours[name], floor[name]),
        )
        for name in COLUMNS
    ]


def results_table(results: Sequence[Result], title: str) -> Table:
    """The results as people read them."""
    columns: list[Column | str] = ["model", *COLUMNS.values(), Column("pairs/s", precision=0)]
    rows: list[tuple[Cell, ...]] = [
        (result.model, *(result.scores[name] for name in COLUMNS), result.pairs_per_second)
        for result in results
    ]
    return Table.of(columns, rows, title)


def comparison_table(comparisons: Sequence[tuple[Comparison, Comparison]], title: str) -> Table:
    """Differences, and how easily chance explains them."""
    columns: list[Column | str] = [
        "metric",
        Column("difference", precision=1, scale=100, signed=True),
        Column("from", precision=1, scale=100, signed=True),
        Column("to", precision=1, scale=100, signed=True),
        Column("p, paired bootstrap", precision=4),
        Column("p, approximate randomization", precision=4),
    ]
    rows: list[tuple[Cell, ...]] = []
    for drawn, swapped in comparisons:
        low, high = (drawn.interval.low, drawn.interval.high) if drawn.interval else (None, None)
        name = COLUMNS[drawn.metric].name
        rows.append((name, drawn.difference, low, high, drawn.p_value, swapped.p_value))
    return Table.of(columns, rows, title)


def plain(
    results: Sequence[Result], comparisons: Sequence[tuple[Comparison, Comparison]]
) -> dict[str, object]:
    """The results as programs read them."""
    return {
        "models": {
            result.model: {
                **{name: one.to_json() for name, one in result.scores.items()},
                "pairs_per_second": result.pairs_per_second,
            }
            for result in results
        },
        "comparison": {
            "first": mergers.default,
            "second": best_floor(results).model,
            "tests": msgspec.to_builtins([test for pair in comparisons for test in pair]),
        },
    }


if __name__ == "__main__":
    main()
