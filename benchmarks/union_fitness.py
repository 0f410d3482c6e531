"""Accuracy of the fitness model: pairs that are fit for a union, and reasons against others.

    python benchmarks/union_fitness.py [--data DIR] [--pairs N] [--format text|markdown|json]

Pairs with a human union should be fit. Unrelated sentences, the halves of sentences that were split
in two (WikiSplit) and neighbouring sentences of one report (ECB+) should not: there is nothing to
consolidate. The baseline is the share of the shorter sentence's content words that the other has,
with its threshold tuned on the training data of the same kinds. The model's weights are fitted by
``union_fitting.py``; neither has seen the neighbours.

Disagreements are made from unions in which both sentences give the same figure, by changing it in
one. The relations of ``union_relations.py`` are reported as well.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from data_folder import DATA
from tatian import Pipeline
from tatian.errors import TatianError
from tatian.statistics import Cell, Column, Comparison, Score, Table, paired_bootstrap
from tatian.text import tokenize
from tatian.text.lexicon import MONTHS
from tatian.union.data import read
from tatian.union.metrics import content_words
from tatian.union.relations.fitness import Fitness, judge
from union_relations import relation_tables
from union_sets import NEXT, RANDOM, SPLIT, UNIONS, Pair, as_passages, pair_sets

TUNED = (UNIONS, RANDOM, SPLIT)
_FIGURE = re.compile(r"\d+")
BY_PEOPLE = {"attribution": 0.24, "relative-date": 0.08, "world-knowledge": 0.04, "before-after": 0}
"""Shares in 50 pairs, from Table 6 of the paper."""


class Judged(Struct, frozen=True):
    """Results of the model and the baseline for the pairs of one kind."""

    fitness: list[Fitness]
    overlap: list[float]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--pairs", type=int, metavar="N", help="of each kind; all by default")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    options = parser.parse_args(arguments)
    try:
        tables, notes = run(options.data, options.pairs)
    except TatianError as error:
        sys.exit(f"error: {error}")
    if options.format == "json":
        print(json.dumps({"tables": [table.to_json() for table in tables], "notes": notes}))
        return
    for table in tables:
        print(table.render(options.format))
    print("\n".join(notes))


def run(data: Path, size: int | None = None) -> tuple[list[Table], list[str]]:
    """Return all tables, and the tests between model and baseline."""
    pipeline = Pipeline.for_sentences()
    least = tuned_threshold(pair_sets(data, "train"))
    sets = {name: pairs[:size] for name, pairs in pair_sets(data, "eval").items()}
    judged = {
        name: Judged(
            [judge(*as_passages(pair, pipeline.process)) for pair in pairs],
            [overlap(pair) for pair in pairs],
        )
        for name, pairs in sets.items()
    }
    table, notes = fit_table(judged, least)
    relations = relation_tables(read(data / "union" / "eval.csv")[:size], pipeline.process)
    altered = disagreements(sets[UNIONS])
    fitness = [judge(*as_passages(pair, pipeline.process)) for pair, _ in altered]
    tables = [
        table,
        reason_table(judged),
        case_table(judged[UNIONS].fitness),
        disagreement_table(altered, fitness),
        *relations,
    ]
    return tables, notes


def overlap(pair: Pair) -> float:
    """Return the share of the shorter sentence's content words that the other has as well."""
    ours, theirs = (set(content_words(text)) for text in pair)
    return len(ours & theirs) / max(1, min(len(ours), len(theirs)))


def tuned_threshold(train: dict[str, list[Pair]]) -> float:
    """Return the overlap that separates the training pairs best."""
    shares = {name: [overlap(pair) for pair in train[name]] for name in TUNED}

    def accuracy(least: float) -> float:
        predicted = {name: [share >= least for share in values] for name, values in shares.items()}
        return _balanced(
            {name: [fit == (name == UNIONS) for fit in predicted[name]] for name in TUNED}
        )

    return max((step / 100 for step in range(1, 100)), key=accuracy)


def _balanced(right: dict[str, Sequence[bool]]) -> float:
    rates = {name: sum(values) / len(values) for name, values in right.items()}
    return (rates[UNIONS] + (rates[RANDOM] + rates[SPLIT]) / 2) / 2


def fit_table(judged: dict[str, Judged], least: float) -> tuple[Table, list[str]]:
    """Tabulate the accuracy on each kind of pair, with the significance of the difference."""
    systems = {
        "tatian": {
            name: [result.reason != "no-consolidation" for result in results.fitness]
            for name, results in judged.items()
        },
        f"word overlap of at least {least:.0%}": {
            name: [share >= least for share in results.overlap] for name, results in judged.items()
        },
    }
    rows: list[Sequence[Cell]] = []
    scores: dict[str, dict[str, Score]] = {}
    for system, predicted in systems.items():
        right = {
            name: [is_union == (name == UNIONS) for is_union in values]
            for name, values in predicted.items()
        }
        scores[system] = {
            name: Score.of(name, list(map(float, values))) for name, values in right.items()
        }
        scores[system]["balanced"] = _balanced_score(right)
        order = (UNIONS, RANDOM, SPLIT, "balanced", NEXT)
        rows.append((system, *(scores[system][name] for name in order)))
    names = (UNIONS, RANDOM, SPLIT, "balanced accuracy of these", NEXT)
    columns = ["system", *(Column(name, precision=1, scale=100, best="max") for name in names)]
    tests = [
        _note(paired_bootstrap(*(scores[system][name] for system in systems)))
        for name in ("balanced", UNIONS, SPLIT, NEXT)
    ]
    title = "Something to consolidate, or not: pairs judged rightly, per cent"
    return Table.of(columns, rows, title), tests


def _balanced_score(right: dict[str, list[bool]]) -> Score:
    """Score balanced accuracy: unions weigh as much as both kinds of non-unions together."""
    total = sum(len(right[name]) for name in TUNED)
    values = [
        float(correct) * total * (0.5 if name == UNIONS else 0.25) / len(right[name])
        for name in TUNED
        for correct in right[name]
    ]
    return Score.of("balanced", values)


def _note(test: Comparison) -> str:
    return f"{test.metric}: {test.difference:+.3f}, p = {test.p_value:.4f} ({test.method})"


def reason_table(judged: dict[str, Judged]) -> Table:
    """Tabulate the verdicts on each kind of pair."""
    verdicts = ("fit", "no-consolidation", "disagreement", "missing-context", "unnatural")
    rows: list[Sequence[Cell]] = []
    for name, results in judged.items():
        counted = Counter(result.reason or "fit" for result in results.fitness)
        rows.append((name, *(counted[verdict] / len(results.fitness) for verdict in verdicts)))
    columns = ["pairs", *(Column(verdict, 1, scale=100) for verdict in verdicts)]
    return Table.of(columns, rows, "Verdicts, per cent")


def case_table(fitness: Sequence[Fitness]) -> Table:
    """Tabulate subtle cases among the unions, beside people's counts in 50 others."""
    rows: list[Sequence[Cell]] = [
        (
            kind,
            Score.of(
                kind, [float(any(c.kind == kind for c in result.cases)) for result in fitness]
            ),
            share,
        )
        for kind, share in BY_PEOPLE.items()
    ]
    columns = ["case", Column("found", 1, scale=100), Column("by people", 0, scale=100)]
    return Table.of(columns, rows, "Subtle cases among the unions, per cent of pairs")


def disagreements(pairs: Sequence[Pair]) -> list[tuple[Pair, tuple[str, str]]]:
    """Return pairs in which both sentences gave one figure, changed in the second."""
    altered = []
    for first, second in pairs:
        ours = {token.text for token in tokenize(first)}
        tokens = tokenize(second)
        for place, token in enumerate(tokens):
            near = {token.text.lower() for token in tokens[max(0, place - 1) : place + 2]}
            year = len(token.text) == 4 and token.text[:2] in {"18", "19", "20"}
            figure = token.text.isdecimal() and not year and near.isdisjoint(MONTHS)
            if figure and token.text in ours:
                changed = str(int(token.text) + 7)
                text = second[: token.start] + changed + second[token.end :]
                altered.append(((first, text), (token.text, changed)))
                break
    return altered


def disagreement_table(
    altered: Sequence[tuple[Pair, tuple[str, str]]], judged: Sequence[Fitness]
) -> Table:
    """Tabulate how many changed figures are noticed, and named in the words of both sentences."""
    noticed, named = [], []
    for (_, figures), result in zip(altered, judged, strict=True):
        noticed.append(float(bool(result.contradictions)))
        claims = [tuple(c.text for c in point.claims) for point in result.contradictions]
        named.append(
            float(any(set(figures) <= set(_FIGURE.findall(" ".join(texts))) for texts in claims))
        )
    rows: list[Sequence[Cell]] = [
        (len(judged), Score.of("noticed", noticed), Score.of("named", named))
        if judged
        else (0, 0, 0)
    ]
    columns = ["pairs", Column("noticed", 1, scale=100), Column("both figures named", 1, scale=100)]
    return Table.of(columns, rows, "Disagreements made by changing a figure, per cent")


if __name__ == "__main__":
    main()
