"""Conflicts between sources: how many of the judged pairs of claims are named, and how rightly.

    python benchmarks/conflicts.py score DATA [SET...]     the table; by default all sets
    python benchmarks/conflicts.py fit DATA [SET...]       prints the weights of `ConflictWeights`

`corpus/claims/rivals.jsonl` has pairs of differing claims of two sources, judged by a language
model: X cannot both be right, C changed between the sources, R can both be right, D are about
different things. A set is `dev` and `ecb` (the bundles in DATA), `train` (those of the corpus) or a
file of `corpus/days`.

`score` counts a pair as named if one conflict of the list has both claims; the text has a note on
fewer. `fit` uses the given sets, or all but `dev`, and log-odds of models that did not see the
story. Its measures are of weights that were fitted without a quarter of the stories, in turn.
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
from msgspec.structs import astuple

from claims_pairs import CLAIMS, FOLDS, date_metadata, fold_of
from judge_data import CORPUS
from regression import Numbers, area_under_curve, logistic
from tatian import Pipeline
from tatian.consolidation.conflict_model import WEIGHTS, ConflictWeights, rate_rivals
from tatian.consolidation.plan import StoryComparison
from tatian.consolidation.weave import compare_sources
from tatian.corpora.bundles import read_bundles
from tatian.errors import InputError, TatianError
from tatian.statistics import Column, Table
from tatian.text import Document

RIVALS = CLAIMS / "rivals.jsonl"
RIDGE = 2.0
Place = tuple[int, int]
"""Source of a claim, and the start of its figure."""
Judged = dict[frozenset[Place], dict[str, Any]]


def read_judged(sets: Sequence[str]) -> dict[str, dict[str, Judged]]:
    """Read the judged pairs of each story of some sets, or of all."""
    judged: dict[str, dict[str, Judged]] = {}
    for line in RIVALS.read_text("utf-8").splitlines():
        record = json.loads(line)
        name, _, story = record["story"].partition("/")
        pair = frozenset((tuple(record["first"]), tuple(record["second"])))
        judged.setdefault(name, {}).setdefault(story, {})[pair] = record
    if missing := [name for name in sets if name not in judged]:
        known = ", ".join(judged)
        raise InputError(
            f"no judged pairs of {', '.join(missing)}: known: {known}", path=str(RIVALS)
        )
    return {name: judged[name] for name in dict.fromkeys(sets or judged)}


def training_sets() -> list[str]:
    """Return the sets that may train the model."""
    return [name for name in read_judged(()) if name != "dev"]


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
            [Document(s["id"], s["text"], metadata=date_metadata(s)) for s in story["sources"]],
        )


def compared(data: Path, sets: Sequence[str]) -> Iterator[tuple[str, str, StoryComparison, Judged]]:
    """Yield each story's set and name, the comparison of its sources, and its judged pairs."""
    if not data.is_dir():
        raise InputError("no such folder", path=str(data))
    pipeline = Pipeline.for_text()
    for name, judged in read_judged(sets).items():
        for id, documents in stories(data, name):
            if pairs := judged.get(id):
                yield name, id, compare_sources([pipeline.process(d) for d in documents]), pairs


def score(data: Path, sets: Sequence[str]) -> None:
    """Print how many pairs of each label are named, set by set."""
    totals: defaultdict[str, Counter[str]] = defaultdict(Counter)
    named: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, _, comparison, pairs in compared(data, sets):
        shown = {
            frozenset((claim.key[0], claim.claim.figure.start) for claim in pair)
            for conflict in comparison.conflicts
            for pair in combinations(conflict.claims, 2)
        }
        for pair, record in pairs.items():
            totals[name][record["label"]] += 1
            named[name][record["label"]] += pair in shown
    if len(totals) > 1:
        totals["all"] = sum(totals.values(), Counter())
        named["all"] = sum(named.values(), Counter())
    lines = []
    for name, total in totals.items():
        hits = named[name]
        right, wrong = hits["X"] + hits["C"], hits["R"] + hits["D"]
        lines.append(
            (name, total["X"], hits["X"], total["C"], hits["C"], hits["R"], hits["D"],
             right / (right + wrong) if right + wrong else None)
        )  # fmt: skip
    columns = ["X", "X named", "C", "C named", "R named", "D named"]
    table = Table.of(["set", *columns, Column("precision", precision=2)], lines)
    print(table.render("text"))


def fit(data: Path, sets: Sequence[str]) -> None:
    """Print the weights, and how well they and the present ones tell the pairs apart."""
    rows, labels, folds, judged_pairs = [], [], [], 0
    for name, id, comparison, judged in compared(data, sets or training_sets()):
        usable = {
            places: record
            for places, record in judged.items()
            if record["label"] != "?" and "held_out" in record
        }
        judged_pairs += len(usable)
        for features, pair in rate_rivals(comparison.coverage):
            places = frozenset((key[0], placed.claim.figure.start) for key, placed in pair)
            if record := usable.get(places):
                rows.append([1.0, *features._replace(likeness=record["held_out"])])
                labels.append(float(record["label"] != "D"))
                folds.append(fold_of(f"{name}/{id}"))
    if len(set(labels)) < 2:
        raise InputError(f"too few pairs with held-out log-odds to fit: {len(labels)}")
    inputs, same, fold = np.array(rows), np.array(labels), np.array(folds)
    fitted = _fit(inputs, same)
    names = ConflictWeights.__struct_fields__
    weights = zip(names, astuple(WEIGHTS), fitted.tolist(), strict=True)
    print(Table.of(["weight", "now", "fitted"], list(weights)).render("text"))
    odds = np.zeros(len(same))
    for number in set(folds):
        unseen = fold == number
        odds[unseen] = inputs[unseen] @ _fit(inputs[~unseen], same[~unseen])
    measures = [
        ("now", *_measure(inputs @ np.array(astuple(WEIGHTS)), same)),
        (f"fitted, {FOLDS} folds", *_measure(odds, same)),
    ]
    columns = [Column("log loss", precision=3), Column("area", precision=3)]
    print(Table.of(["weights", *columns], measures).render("text"))
    print(f"{len(same)} of {judged_pairs} judged pairs, {same.sum():.0f} about the same thing")


def _fit(inputs: Numbers, same: Numbers) -> Numbers:
    return logistic(inputs, same, [1e-3] + [RIDGE] * (inputs.shape[1] - 1))


def _measure(odds: Numbers, same: Numbers) -> tuple[float, float]:
    """Return the log loss, and the area under the ROC curve."""
    loss = np.logaddexp(0, np.where(same == 1, -odds, odds)).mean()
    return float(loss), area_under_curve(odds, same)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("job", choices=["score", "fit"])
    parser.add_argument("data", type=Path, help="folder of the public data")
    parser.add_argument("sets", nargs="*", metavar="SET", help="dev, ecb, train, stories, ...")
    options = parser.parse_args(arguments)
    try:
        (score if options.job == "score" else fit)(options.data, options.sets)
    except (TatianError, OSError) as error:
        parser.exit(2, f"conflicts.py: {error}\n")


if __name__ == "__main__":
    main()
