"""Conflicts between sources: how many of the judged pairs of claims are named, and how rightly.

    python benchmarks/conflicts.py score DATA [SET...]     the table; by default all sets
    python benchmarks/conflicts.py fit DATA [SET...]       prints the weights of `ConflictWeights`

`corpus/claims/rivals.jsonl` has pairs of differing claims of two sources, judged by a language
model: X cannot both be right, C changed between the sources, R can both be right, D are about
different things. A set is `dev` and `ecb` (the bundles in DATA), `train` (those of the corpus) or a
file of `corpus/days`. `fit` uses the log-odds of models that did not see the story.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from claims_train import CLAIMS, dated
from judge_data import CORPUS
from regression import logistic
from tatian import Pipeline
from tatian.consolidation.conflict_model import ConflictWeights, rate_rivals
from tatian.consolidation.plan import StoryComparison
from tatian.consolidation.weave import compare_sources
from tatian.corpora.bundles import read_bundles
from tatian.statistics import Column, Table
from tatian.text import Document

RIDGE = 2.0
Place = tuple[int, int]
"""Source of a claim, and the start of its figure."""
Judged = dict[frozenset[Place], dict[str, Any]]


def stories(data: Path, name: str) -> Iterator[tuple[str, Sequence[Document]]]:
    """Yield the stories of a set."""
    bundles = {
        "dev": data / "consolidation/dev",
        "ecb": data / "consolidation/train",
        "train": CORPUS / "train.jsonl",
    }
    if name in bundles:
        yield from ((bundle.id, bundle.documents()) for bundle in read_bundles(str(bundles[name])))
        return
    for line in (CORPUS / f"days/{name}.jsonl").read_text("utf-8").splitlines():
        story = json.loads(line)
        yield (
            story["id"],
            [Document(s["id"], s["text"], metadata=dated(s)) for s in story["sources"]],
        )


def compared(data: Path, sets: Sequence[str]) -> Iterator[tuple[str, StoryComparison, Judged]]:
    """Yield the name of each story's set, the comparison of its sources, and its judged pairs."""
    judged: defaultdict[str, Judged] = defaultdict(dict)
    for line in (CLAIMS / "rivals.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        pair = frozenset((tuple(record["first"]), tuple(record["second"])))
        judged[record["story"]][pair] = record
    pipeline = Pipeline.for_text()
    for name in sets or dict.fromkeys(story.split("/")[0] for story in judged):
        for id, documents in stories(data, name):
            if pairs := judged.get(f"{name}/{id}"):
                yield name, compare_sources([pipeline.process(d) for d in documents]), pairs


def score(data: Path, sets: Sequence[str]) -> None:
    """Print how many pairs of each label are named, set by set."""
    totals: defaultdict[str, Counter[str]] = defaultdict(Counter)
    named: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, comparison, pairs in compared(data, sets):
        shown = {
            frozenset((claim.key[0], claim.claim.figure.start) for claim in pair)
            for conflict in comparison.conflicts
            for pair in combinations(conflict.claims, 2)
        }
        for pair, record in pairs.items():
            totals[name][record["label"]] += 1
            named[name][record["label"]] += pair in shown
    lines = []
    for name, total in totals.items():
        hits = named[name]
        right = hits["X"] + hits["C"]
        lines.append(
            (name, total["X"], hits["X"], total["C"], hits["C"], hits["R"], hits["D"],
             right / max(1, right + hits["R"] + hits["D"]))
        )  # fmt: skip
    columns = ["X", "X named", "C", "C named", "R named", "D named"]
    table = Table.of(["set", *columns, Column("precision", precision=2)], lines)
    print(table.render("text"))


def fit(data: Path, sets: Sequence[str]) -> None:
    """Print the weights."""
    rows, labels = [], []
    for _, comparison, pairs in compared(data, sets):
        for features, pair in rate_rivals(comparison.coverage):
            places = frozenset((key[0], placed.claim.figure.start) for key, placed in pair)
            record = pairs.get(places)
            if record and record["label"] != "?" and "held_out" in record:
                rows.append([1.0, *features._replace(likeness=record["held_out"])])
                labels.append(float(record["label"] != "D"))
    weights = logistic(np.array(rows), labels, [1e-3] + [RIDGE] * (len(rows[0]) - 1))
    for name, weight in zip(ConflictWeights.__struct_fields__, weights, strict=True):
        print(f"{name:12} {weight:6.2f}")
    print(f"{len(rows)} pairs, {sum(labels):.0f} about the same thing")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("job", choices=["score", "fit"])
    parser.add_argument("data", type=Path)
    parser.add_argument("sets", nargs="*")
    options = parser.parse_args(arguments)
    (score if options.job == "score" else fit)(options.data, options.sets)


if __name__ == "__main__":
    main()
