"""Accuracy of verifying a text's sentences, beside baselines, on sentences made from bundles.

    python benchmarks/trace.py score BUNDLES          makes sentences, half of them wrong; the table
    python benchmarks/trace.py fit BUNDLES... NEW     makes sentences, learns the weights anew
    python benchmarks/trace.py make BUNDLES           the sentences alone, one JSON record a line
    python benchmarks/trace.py time BUNDLES           seconds for 20 sentences

BUNDLES is a folder or file of bundles with facts. NEW is one that the coverage model was not
trained on, so that its output is not trusted too much. A text is all sentences made from a bundle,
each in a paragraph of its own. The baselines compare with each sentence of the sources (entailment
with the ten nearest) and take the best. They get the threshold that is best on these very
sentences; ours was set on others. Sentences keep the sources' wording, so they are made next to the
bundles and are no part of the project. `--written corpus/proof/dev.jsonl` takes sentences that were
written for our own bundles instead.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import track

from tatian.analysis import entails_all, vectors
from tatian.consolidation.verification.checks import DOUBTED, Finding
from tatian.consolidation.verification.evidence import EvidenceSentence, gather, passages
from tatian.consolidation.verification.index import Index
from tatian.consolidation.verification.verdict import (
    CHANGES,
    Bounds,
    DecisionTree,
    VerdictWeights,
    probability,
    weights,
)
from tatian.corpora.bundles import Bundle, read_bundles
from tatian.pipeline import Pipeline, link_chains
from tatian.statistics import Table
from tatian.text import Document
from trace_data import RIGHT, WRONG, Item, make

Floats = npt.NDArray[np.float64]
MAX_PREMISES = 10
FOLDS, TREES = 5, 200
SETTINGS = {
    "objective": "binary",
    "num_leaves": 8,
    "learning_rate": 0.05,
    "min_data_in_leaf": 15,
    "lambda_l2": 5,
    "feature_fraction": 0.3,
    "seed": 1,
    "deterministic": True,
    "num_threads": 1,
    "verbose": -1,
}
HAND = Path(__file__).resolve().parent.parent / "corpus/proof/test.jsonl"
HARD = {"merge": 3.0, "certainty": 3.0, "roles": 2.0, "fusion": 2.0, "reference": 1.5}
"""Weights of kinds in which wrong sentences hardly differ from true ones."""
FRESH = 3.0
"""Weight of a sentence from a story that no model was trained on."""
RECALL = 0.91
"""Share of supported sentences that pass the threshold."""


class Judged(NamedTuple):
    """A made sentence with our features and the baselines' scores."""

    item: Item
    pieces: list[dict[str, float]]
    """Features of each part of it that the analysis takes for a sentence."""
    simple: dict[str, float]

    @property
    def support(self) -> float:
        """Support of its worst part."""
        return min(map(probability, self.pieces))

    @property
    def figures(self) -> dict[str, float]:
        """Features of the part with most evidence against it, whatever the weights."""
        return max(self.pieces, key=lambda figure: figure["untold"] + figure["objections"])


def make_sentences(
    bundles: Sequence[Bundle], items: Sequence[Item], simple: bool
) -> Iterator[Judged]:
    """Yield all made sentences, bundle by bundle."""
    pipeline = Pipeline(detector="names", aggregator="heads")
    items_by_bundle: dict[str, list[Item]] = {}
    for item in items:
        items_by_bundle.setdefault(item.bundle, []).append(item)
    known_by = {bundle.id: bundle for bundle in bundles}
    for name, group in track(
        items_by_bundle.items(), "proving sentences", console=Console(stderr=True)
    ):
        bundle = known_by[name]
        text = Document("text", "\n\n".join(item.text for item in group))
        documents = [pipeline.process(document) for document in (text, *bundle.documents())]
        (sentences, *others), _ = passages(documents, link_chains(documents))
        evidence = [passage for passages in others for passage in passages]
        rows = vectors([passage.text for passage in (*sentences, *evidence)])
        index = Index(evidence)
        near = (rows[: len(sentences)] @ rows[len(sentences) :].T).astype(float)
        findings = [Finding(g, index).figures for g in gather(sentences, evidence, near)]
        place = 0
        for item in group:
            ends = place + len(item.text)
            mine = [n for n, s in enumerate(sentences) if place <= s.sentence.start < ends]
            place = ends + 2
            scores = simple_scores(sentences[mine[0]], evidence, near[mine[0]]) if simple else {}
            yield Judged(item, [findings[n] for n in mine], scores)


def simple_scores(
    sentence: EvidenceSentence, evidence: Sequence[EvidenceSentence], near: Floats
) -> dict[str, float]:
    words = sentence.grammar.concepts
    closest = [evidence[n].text for n in np.argsort(-near)[:MAX_PREMISES]]
    overlap = max(
        len(words & passage.grammar.concepts) / max(1, len(words)) for passage in evidence
    )
    entailed = max(v.entailment for v in entails_all((text, sentence.text) for text in closest))
    return {"word overlap": overlap, "sentence vectors": float(near.max()), "entailment": entailed}


def balanced_rates(right: Floats, scores: Floats, least: float) -> tuple[float, float]:
    """Return the shares of supported sentences that pass and of wrong ones that fail."""
    return float((scores[right == 1] >= least).mean()), float((scores[right == 0] < least).mean())


def score(bundles: Sequence[Bundle], items: Sequence[Item]) -> Table:
    """Tabulate balanced accuracy, supported sentences passed and wrong ones found, by kind."""
    judged_items = list(make_sentences(bundles, items, simple=True))
    right = np.array([float(row.item.supported) for row in judged_items])
    ways = {
        name: np.array([row.simple[name] for row in judged_items])
        for name in judged_items[0].simple
    }
    ways["trace"] = np.array([row.support for row in judged_items])
    kinds = {row.item.kind for row in judged_items}
    shown = [kind for kind in (*RIGHT, "free", *WRONG) if kind in kinds]
    columns: dict[str, list[float]] = {}
    for name, scores in ways.items():
        least = weights().bounds.supported
        if name != "trace":
            least = max(
                np.unique(scores), key=lambda least: sum(balanced_rates(right, scores, least))
            )
        passed, caught = balanced_rates(right, scores, least)
        parts = [
            np.mean(
                [
                    (its >= least) == row.item.supported
                    for row, its in zip(judged_items, scores, strict=True)
                    if row.item.kind == kind
                ]
            )
            for kind in shown
        ]
        columns[name] = [(passed + caught) / 2, passed, caught, *map(float, parts)]
    heads = ["balanced accuracy", "supported passed", "wrong found", *shown]
    rows = [[head, *cells] for head, *cells in zip(heads, *columns.values(), strict=True)]
    return Table.of(["share", *columns], rows)


def fit(rows: Sequence[Judged], fresh: Collection[str] = ()) -> VerdictWeights:
    """Fit boosted trees, with the threshold set on stories that the trees had not seen.

    Fresh stories are those that the models have not seen, either.
    """
    names = sorted({name for row in rows for name in row.figures} - {DOUBTED})
    table = np.array([[row.figures.get(name, 0.0) for name in names] for row in rows])
    right = np.array([float(row.item.supported) for row in rows])
    new = np.array([FRESH if row.item.bundle in fresh else 1.0 for row in rows])
    counts = new * np.array([HARD.get(row.item.kind, 1.0) for row in rows])
    stories = sorted({row.item.bundle for row in rows})
    fold = np.array([stories.index(row.item.bundle) % FOLDS for row in rows])
    unseen = np.zeros(len(right))
    for number in range(FOLDS):
        training = fold != number
        trees = _boosted(table[training], right[training], counts[training])
        unseen[~training] = trees.predict(table[~training], raw_score=True)
    trees = _boosted(table, right, counts).dump_model()["tree_info"]
    unseen -= weights(CHANGES).doubted * np.array([row.figures[DOUBTED] for row in rows])
    least = 1 / (1 + float(np.exp(-np.quantile(unseen[right == 1], 1 - RECALL))))
    nodes = tuple(_node(tree["tree_structure"]) for tree in trees)
    bounds = Bounds(round(least, 3), round(least, 3))
    return VerdictWeights(tuple(names), nodes, bounds, weights(CHANGES).doubted)


def _boosted(table: Floats, right: Floats, counts: Floats) -> Any:
    import lightgbm

    return lightgbm.train(SETTINGS, lightgbm.Dataset(table, right, weight=counts), TREES)


def _node(node: dict[str, Any]) -> DecisionTree:
    if "leaf_value" in node:
        return DecisionTree(round(node["leaf_value"], 4))
    return DecisionTree(
        round(node["internal_value"], 4),
        node["split_feature"],
        round(node["threshold"], 6),
        (_node(node["left_child"]), _node(node["right_child"])),
    )


def read_written(path: Path) -> list[Item]:
    """Read sentences written for bundles, one JSON record a line."""
    lines = map(json.loads, path.read_text("utf-8").splitlines())
    return [
        Item(line["bundle"], line["kind"], line["supported"], line["text"], "") for line in lines
    ]


def time_command(bundles: Sequence[Bundle]) -> None:
    """Time a cold command on 20 sentences and four sources of 400 words each."""
    with tempfile.TemporaryDirectory() as folder:
        sentences = [s for b in bundles for a in b.accounts for s in a.sentences if len(s) > 60]
        for number in range(4):
            text, mine = "", iter(sentences[number::4])
            while len(text.split()) < 400:
                text += next(mine) + "\n\n"
            (Path(folder) / f"{number}.txt").write_text(text, encoding="utf-8")
        reference = "\n\n".join(sentence.text for sentence in bundles[0].reference[:20])
        more = [s.text for b in bundles[1:3] for s in b.reference]
        lines = [*reference.split("\n\n"), *more][:20]
        summary = Path(folder) / "summary.txt"
        summary.write_text("\n\n".join(lines), encoding="utf-8")
        accounts = [str(Path(folder) / f"{number}.txt") for number in range(4)]
        weave = _taken("consolidate", *accounts, "-q")
        trace = _taken("trace", str(summary), *accounts, "-q")
        for what, ours, other in zip(("seconds", "of processors"), trace, weave, strict=True):
            print(f"{what}: {ours:.1f}, {ours / other:.2f} times what 'consolidate' takes")


def _taken(*words: str) -> tuple[float, float]:
    """Return the wall time of a command, and its CPU time, in seconds."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "tatian", *words]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - begun, used


def make_items(bundles: Sequence[Bundle], part: str, count: int) -> list[Item]:
    """Make as many supported sentences as wrong ones."""
    supported = round(count * len(WRONG) / len(RIGHT))
    counts = {**dict.fromkeys(WRONG, count), **dict.fromkeys(RIGHT, supported)}
    return make(bundles, part, counts)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("job", choices=["score", "fit", "make", "time"])
    parser.add_argument("bundles", nargs="+")
    parser.add_argument("--each", type=int, default=50, help="wrong sentences of each kind")
    parser.add_argument("--written", type=Path, metavar="FILE", help="those of a file instead")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    options = parser.parse_args(arguments)
    bundle_files = [read_bundles([path]) for path in options.bundles]
    bundles = [bundle for file in bundle_files for bundle in file]
    if options.job == "time":
        time_command(bundles)
        return
    part = "train" if options.job == "fit" else "dev"
    if options.written:
        ids = {bundle.id for bundle in bundles}
        items = [item for item in read_written(options.written) if item.bundle in ids]
    else:
        items = [item for file in bundle_files for item in make_items(file, part, options.each)]
    if options.job == "make":
        for item in items:
            print(json.dumps(item._asdict(), ensure_ascii=False))
    elif options.job == "fit":
        fresh = {bundle.id for bundle in bundle_files[-1]}
        learned = fit(list(make_sentences(bundles, items, simple=False)), fresh)
        CHANGES.write_bytes(msgspec.json.encode(learned) + b"\n")
    else:
        print(score(bundles, items).render(options.format))


if __name__ == "__main__":
    main()
