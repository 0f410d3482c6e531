"""Share of the pairs offered to annotators that report the same events.

    python benchmarks/union_pairs.py [--data DIR] [--clusters N] [--format text|markdown|json]

On ECB+, where people marked the same events across reports. Only sentences with marked events
count, since the others say nothing about events. The offered pairs are compared with all pairs of
such sentences from different reports of one event. They are also compared with the top pairs of a
baseline, the share of the shorter sentence's content words that the other has: equally many, with
the same limit per sentence.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, islice
from pathlib import Path
from typing import NamedTuple

from data_folder import DATA
from tatian import Pipeline
from tatian.corpora.reading import read_clusters
from tatian.errors import TatianError
from tatian.statistics import Cell, Column, Score, Table
from tatian.text import Document
from tatian.union.relations.pairs import PairChoice, find_candidates, related_pairs
from union_fitness import overlap

LEVELS = (0.5, 0.8, 0.95)


class Every(NamedTuple):
    """Two sentences of different reports in which events are marked."""

    overlap: float
    common: bool
    first: str
    second: str


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--clusters", type=int, default=12, metavar="N", help="12 by default")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    options = parser.parse_args(arguments)
    archive = options.data / "coreference" / "ecbplus-topics-1-35.tar.gz"
    try:
        clusters = list(islice(read_clusters(archive), options.clusters))
        print(run(clusters).render(options.format))
    except TatianError as error:
        sys.exit(f"error: {error}")


def run(clusters: Sequence[Sequence[Document]]) -> Table:
    """Tabulate the share of pairs that report a common event, at several thresholds."""
    pipeline = Pipeline.for_sentences()
    prepared = [[pipeline.process(document) for document in cluster] for cluster in clusters]
    every = [pair for cluster in prepared for pair in _every(cluster)]
    ranked = _capped(sorted(every, key=lambda pair: -pair.overlap))
    rows: list[Sequence[Cell]] = []
    for level in LEVELS:
        choice = PairChoice(least=level)
        pairs = related_pairs(prepared, prepare=lambda document: document, choice=choice)
        marked = {(pair.first, pair.second) for pair in every}
        shared = [
            float(pair.relatedness is not None and pair.relatedness.events > 0)
            for pair in pairs
            if (pair.sentences[0], pair.sentences[1]) in marked
        ]
        rows.append((f"tatian, at least {level:.0%} likely", *_score(shared)))
        first = [float(pair.common) for pair in ranked[: len(shared)]]
        rows.append((f"word overlap, the first {len(shared)}", *_score(first)))
    rows.append(("all pairs", *_score([float(pair.common) for pair in every])))
    columns = ["pairs", Column("report a common event", 1, scale=100), "number"]
    return Table.of(columns, rows, f"ECB+, {len(clusters)} events, per cent")


def _capped(pairs: Sequence[Every]) -> list[Every]:
    """Return the pairs in order, with each sentence in no more of them than is offered."""
    used: Counter[str] = Counter()
    kept = []
    for pair in pairs:
        if max(used[pair.first], used[pair.second]) < PairChoice().most:
            used.update((pair.first, pair.second))
            kept.append(pair)
    return kept


def _every(cluster: Sequence[Document]) -> list[Every]:
    """Return overlap, a common event, and the texts of all pairs with marked events."""
    reports = [
        [candidate for candidate in find_candidates(document, PairChoice()) if candidate.events]
        for document in cluster
    ]
    return [
        Every(
            overlap((first.text, other.text)),
            bool(first.events & other.events),
            first.text,
            other.text,
        )
        for ours, theirs in combinations(reports, 2)
        for first in ours
        for other in theirs
        if first.text != other.text
    ]


def _score(values: Sequence[float]) -> tuple[Cell, Cell]:
    return (Score.of("events", values) if values else None), len(values)


if __name__ == "__main__":
    main()
