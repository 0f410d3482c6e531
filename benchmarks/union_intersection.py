"""Intersections of several sentences, against content units that people found in them.

    python benchmarks/union_intersection.py [--data DIR] [--split val|train] [--limit N]
                                            [--show N] [--format text|markdown|json]

Pyramid fusion data: clusters of two to four sentences of summaries that annotators took to express
one content unit, and the unit's label in their words. ROUGE is against the label. "Entailed" is the
share of results that every sentence entails (probability at least 0.5 by the shipped model); an
empty result counts as not entailed. "Length" is words against words of the label. Baselines run on
the same clusters: the first sentence, the shortest, and the words that all sentences share in the
order of the shortest. "At least 0.5" says nothing that the model does not find entailed.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from data_folder import DATA
from tatian import Pipeline
from tatian.errors import InputError, TatianError
from tatian.statistics import Cell, Column, Score, Table
from tatian.statistics.paired import paired_bootstrap
from tatian.text import tokenize
from tatian.text.content import concept, concepts, is_content
from tatian.union.data import UnionInstance
from tatian.union.generate import passages
from tatian.union.metrics import ROUGE, rouge
from tatian.union.metrics.nli import MIN_ENTAILMENT
from tatian.union.models.intersection import Intersection, intersection_holds

TATIAN = "intersection"


class Cluster(Struct, frozen=True):
    """Sentences that express one content unit, and its label."""

    id: str
    sentences: tuple[str, ...]
    label: str


class Run(Struct, frozen=True):
    """Results of one system for every cluster."""

    texts: tuple[str, ...]
    seconds: float


System = Callable[[Sequence[str]], str]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark from the command line."""
    options = _parser().parse_args(arguments)
    try:
        path = options.data / "union" / "extra" / f"pyramid-fusion-{options.split}.csv"
        clusters = read_clusters(path)[: options.limit]
        runs = {name: run(system, clusters) for name, system in systems().items()}
        table, note = measured(runs, clusters, f"Intersection, {options.split}")
    except TatianError as error:
        sys.exit(f"error: {error}")
    print(table.render(options.format))
    if options.format == "json":
        return
    print(note)
    for index, cluster in enumerate(clusters[: options.show]):
        print("", *cluster.sentences, f"label: {cluster.label}", sep="\n")
        print(f"{TATIAN}: {runs[TATIAN].texts[index]}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--split", choices=["val", "train"], default="val")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N clusters")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N results")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    return parser


def read_clusters(path: Path) -> list[Cluster]:
    """Return the clusters of a file, in the order in which they begin."""
    rows: dict[str, list[dict[str, str]]] = {}
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream):
                rows.setdefault(row["abs_scu_id"], []).append(row)
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from error
    return [
        Cluster(id, tuple(row["text"].strip() for row in group), group[0]["scu_label"])
        for id, group in rows.items()
    ]


def systems() -> Mapping[str, System]:
    """Return our systems and the baselines."""
    pipeline = Pipeline.for_sentences()

    def ours(model: Intersection) -> System:
        def intersect(sentences: Sequence[str]) -> str:
            instance = UnionInstance("cluster", tuple(sentences))
            return model.intersect(passages(instance, pipeline.process)).text

        return intersect

    return {
        "first sentence": lambda sentences: sentences[0],
        "shortest sentence": lambda sentences: min(sentences, key=len),
        "shared words": shared_words,
        TATIAN: ours(Intersection()),
        f"{TATIAN}, at least 0.5": ours(Intersection(least=MIN_ENTAILMENT)),
    }


def shared_words(sentences: Sequence[str]) -> str:
    """Return the content words that all sentences have, in the order of the shortest."""
    base = min(sentences, key=len)
    stated = [set(concepts(t.text for t in tokenize(other))) for other in sentences]
    return " ".join(
        token.text
        for token in tokenize(base)
        if is_content(token.text) and all(concept(token.text) in words for words in stated)
    )


def run(system: System, clusters: Sequence[Cluster]) -> Run:
    """Run a system on all clusters, and measure the time for a cluster."""
    system(clusters[0].sentences)
    begun = time.perf_counter()
    texts = tuple(system(cluster.sentences) for cluster in clusters)
    return Run(texts, (time.perf_counter() - begun) / len(clusters))


def measured(runs: Mapping[str, Run], clusters: Sequence[Cluster], title: str) -> tuple[Table, str]:
    """Return the table, and a comparison of ours with the shortest sentence."""
    scores = {name: _scores(run.texts, clusters) for name, run in runs.items()}
    rows: list[Sequence[Cell]] = [
        (name, *scores[name].values(), sum(not text for text in run.texts), 1000 * run.seconds)
        for name, run in runs.items()
    ]
    columns = [
        "system",
        *(Column(name, 1, scale=100) for name in ("ROUGE-1", "ROUGE-2", "ROUGE-L", "entailed")),
        Column("length", 2),
        Column("empty", 0),
        Column("ms per cluster", 0),
    ]
    tests = []
    for name in (*ROUGE, "entailed"):
        ours, theirs = scores[TATIAN][name], scores["shortest sentence"][name]
        comparison = paired_bootstrap(ours, theirs)
        tests.append(f"{name} {100 * comparison.difference:+.1f} (p {comparison.p_value:.4f})")
    note = f"{TATIAN} against the shortest sentence: {', '.join(tests)}"
    return Table.of(columns, rows, f"{title}, {len(clusters)} clusters"), note


def _scores(texts: Sequence[str], clusters: Sequence[Cluster]) -> dict[str, Score]:
    rouges = rouge([(c.label, text) for c, text in zip(clusters, texts, strict=True)])
    scores = {name: Score.of(name, [figures[name] for figures in rouges]) for name in ROUGE}
    follows = [
        float(bool(text) and min(intersection_holds(text, cluster.sentences)) >= MIN_ENTAILMENT)
        for text, cluster in zip(texts, clusters, strict=True)
    ]
    lengths = [
        len(text.split()) / len(cluster.label.split())
        for text, cluster in zip(texts, clusters, strict=True)
        if text
    ]
    scores["entailed"] = Score.of("entailed", follows)
    scores["length"] = Score.of("length", lengths)
    return scores


if __name__ == "__main__":
    main()
