"""Recall of the shortlist of pairs that the coverage model reads, and the fit of its weights.

    python benchmarks/shortlist.py                       the table, on the development bundles
    python benchmarks/shortlist.py --limit 3             on the first three bundles
    python benchmarks/shortlist.py fit corpus/train.jsonl BUNDLES... -o FILE
                                                         fits the weights and their limits

The model reads every near pair of a story, as `consolidate` did before there was a shortlist. A
pair covers if the share of the first span that the second covers is at least that of `_MAIN` in
`tatian.consolidation.selection`: a span without such a pair is never dropped. Other rows have the
share from which a span is dropped, and lower ones, down to which a second span may help.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from data_folder import DATA
from regression import logistic
from tatian import Pipeline
from tatian.analysis import vectors
from tatian.analysis.coverage import Coverage, read_coverage
from tatian.consolidation.coverage import word_coverage
from tatian.consolidation.shortlist import (
    SHIPPED,
    CoverageReader,
    Pair,
    ShortlistWeights,
    pair_features,
    read_shortlist,
    reverse_features,
    shipped,
)
from tatian.consolidation.similarity import NearSpans, find_near_spans
from tatian.consolidation.sources import read_story, remove_furniture
from tatian.corpora.bundles import Bundle, read_bundles
from tatian.statistics import Column, Table

ROOT = Path(__file__).resolve().parent.parent
SHARES = (0.77, 0.62, 0.4, 0.2, 0.1)
COVERS = 0.4
"""Share from which a pair should be read."""
WANTED = 0.99
"""Recall on the bundles that the weights are fitted on."""
LIMITS = (0.05, 0.04, 0.03, 0.025, 0.02, 0.016, 0.013, 0.01, 0.008, 0.006, 0.004, 0.0)
"""Limits to try; the highest with the wanted recall is taken."""
RIDGE = 1.0


class JudgedStory(NamedTuple):
    """Near spans of a story, and what the model said of all pairs."""

    id: str
    near: NearSpans
    judged: Mapping[Pair, Coverage]
    shares: Mapping[Pair, float]
    """Covered share of the first span."""


def judge_stories(
    bundles: Iterable[Bundle], judge: CoverageReader = read_coverage
) -> Iterator[JudgedStory]:
    """Read all near pairs of all bundles."""
    pipeline = Pipeline(detector="names", aggregator="heads")
    for bundle in bundles:
        documents = [pipeline.process(remove_furniture(source)) for source in bundle.documents()]
        story = read_story(documents, vectors)
        near = find_near_spans(story.spans, story.documents, story.vectors, story.passages)
        yield judge_story(bundle.id, near, judge)


def judge_story(id: str, near: NearSpans, judge: CoverageReader) -> JudgedStory:
    """Read all near pairs of a story."""
    pairs = [pair.spans for pair in near.pairs]
    texts = [(near.texts[key], near.texts[other]) for key, other in pairs]
    judged = dict(zip(pairs, judge(texts), strict=True))
    covered, carried = {}, {}
    for (key, other), verdict in judged.items():
        concepts = {word.concept for word in near.words[other]}
        covered[key, other], carries = word_coverage(near.words[key], verdict, concepts)
        carried.setdefault(key, []).append(carries)
    weights = {key: np.mean(rows, axis=0) for key, rows in carried.items()}
    shares = {
        pair: float(weights[pair[0]] @ row) / (float(weights[pair[0]].sum()) or 1.0)
        for pair, row in covered.items()
    }
    return JudgedStory(id, near, judged, shares)


def read_pairs(story: JudgedStory, weights: ShortlistWeights) -> set[Pair]:
    """Return the pairs that the shortlist would read."""
    texts = {(story.near.texts[a], story.near.texts[b]): (a, b) for a, b in story.judged}
    by_text = {text: story.judged[pair] for text, pair in texts.items()}
    return set(
        read_shortlist(story.near, lambda asked: [by_text[text] for text in asked], weights=weights)
    )


def measure(stories: Sequence[JudgedStory], weights: ShortlistWeights) -> Table:
    """Tabulate how many pairs are read, and how many of those that cover so much."""
    read = [read_pairs(story, weights) for story in stories]
    rows = []
    for least in (*SHARES, 0.0):
        covering = [
            pair in pairs
            for story, pairs in zip(stories, read, strict=True)
            for pair, share in story.shares.items()
            if share >= least
        ]
        name = f"at least {least}" if least else "any"
        rows.append((name, len(covering), sum(covering), float(np.mean(covering))))
    columns = ["covered share", "pairs", "read", Column("recall", 4)]
    return Table.of(columns, rows, f"bundles: {len(stories)}")


def fit(stories: Sequence[JudgedStory]) -> ShortlistWeights:
    """Fit both regressions, and take the highest limit that has the wanted recall."""
    unread, reverse, labels, reverse_labels = [], [], [], []
    for story in stories:
        for pair, values in pair_features(story.near).items():
            label = float(story.shares[pair] >= COVERS)
            unread.append(values)
            labels.append(label)
            if (other := story.judged.get(pair[::-1])) is not None:
                reverse.append(values | reverse_features(other))
                reverse_labels.append(label)
    fitted = regression(unread, labels), regression(reverse, reverse_labels)
    tried = [ShortlistWeights(*fitted, limit) for limit in LIMITS]
    return next(weights for weights in tried if recall(stories, weights) >= WANTED)


def recall(stories: Sequence[JudgedStory], weights: ShortlistWeights) -> float:
    """Return the share of the covering pairs that are read."""
    read_or_not = [
        pair in read
        for story in stories
        for read in [read_pairs(story, weights)]
        for pair, share in story.shares.items()
        if share >= COVERS
    ]
    return float(np.mean(read_or_not))


def regression(rows: Sequence[Mapping[str, float]], labels: Sequence[float]) -> dict[str, float]:
    """Fit a logistic regression with a ridge."""
    names = list(rows[0])
    matrix = np.array([[row[name] for name in names] for row in rows])
    scale = matrix.std(axis=0)
    scale[scale == 0] = 1.0
    ridge = [0.0 if name == "constant" else RIDGE for name in names]
    weights = logistic(matrix / scale, labels, ridge)
    return {name: round(float(w), 4) for name, w in zip(names, weights / scale, strict=True)}


def main() -> None:
    """Print the table, or fit the weights."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("mode", nargs="?", choices=("measure", "fit"), default="measure")
    parser.add_argument("bundles", nargs="*", default=[str(DATA / "consolidation" / "dev")])
    parser.add_argument("--limit", type=int, help="at most so many bundles of each file")
    parser.add_argument("--step", type=int, default=1, help="every so many bundles of each file")
    parser.add_argument("-o", "--output", type=Path, default=SHIPPED)
    parser.add_argument("--format", choices=("text", "markdown"), default="text")
    options = parser.parse_args()
    bundles = [
        bundle
        for name in options.bundles
        for bundle in read_bundles(name)[: options.limit : options.step]
    ]
    stories = list(judge_stories(bundles))
    weights = shipped()
    if options.mode == "fit":
        weights = fit(stories)
        data_out = msgspec.json.format(msgspec.json.encode(weights), indent=2) + b"\n"
        options.output.write_bytes(data_out)
    print(measure(stories, weights).render(options.format))


if __name__ == "__main__":
    main()
