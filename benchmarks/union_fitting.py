"""Fitting of the weights of the fitness and relation models on the training data.

    python benchmarks/union_fitting.py [--data DIR] [--pairs N]

Prints the constants of `fitness` and `alignment` of `tatian.union.relations`: logistic regressions
with a light penalty. The fitness model separates unions from unrelated and from split sentences.
The relation models separate phrases of which a union keeps one from those of which it keeps both,
and then predict which one.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from data_folder import DATA
from regression import logistic
from tatian import Pipeline
from tatian.text import Document, tokenize
from tatian.text.content import concepts
from tatian.union.data import read
from tatian.union.relations.alignment import Aligner
from tatian.union.relations.fitness import WEIGHTS, SentenceOverlap, measure_overlap
from tatian.union.relations.knowledge import Abbreviations
from tatian.union.relations.units import ParsedPassage
from union_sets import RANDOM, SPLIT, UNIONS, as_passages, pair_sets

PENALTY = 1e-3
Prepare = Callable[[Document], Document]
Rows = Sequence[Sequence[float]]
Array = npt.NDArray[Any]


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit all models and print their weights."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--pairs", type=int, default=1087, metavar="N")
    options = parser.parse_args(arguments)
    prepare = Pipeline.for_sentences().process
    fit_fitness(options.data, options.pairs, prepare)
    fit_relations(options.data, options.pairs, prepare)


def fit_fitness(data: Path, size: int, prepare: Prepare) -> None:
    """Fit unions against unrelated and split sentences, with each kind weighted."""
    sets = pair_sets(data, "train")
    overlaps = {
        name: [measure_overlap(*as_passages(pair, prepare)) for pair in sets[name][:size]]
        for name in (UNIONS, RANDOM, SPLIT)
    }
    labels = [name == UNIONS for name, group in overlaps.items() for _ in group]
    shares = [
        (0.5 if name == UNIONS else 0.25) / len(group)
        for name, group in overlaps.items()
        for _ in group
    ]
    for names in (("words", "names", "meaning"), ("words", "names")):
        rows = [_features(row)[: len(names)] for group in overlaps.values() for row in group]
        _show("fitness", (*names, "bias"), weigh(rows, labels, shares))


def _features(overlap: SentenceOverlap) -> list[float]:
    words = min(overlap.words, WEIGHTS.most_words)
    return [float(words), float(min(overlap.names, WEIGHTS.most_names)), overlap.meaning or 0.0]


def fit_relations(data: Path, size: int, prepare: Prepare) -> None:
    """Fit candidate phrases, by what the union kept of the words in which they differ."""
    same: list[list[float]] = []
    once: list[bool] = []
    lead: list[list[float]] = []
    first_kept: list[bool] = []
    for pair in read(data / "union" / "train.csv")[:size]:
        union = set(concepts(token.text for token in tokenize(pair.merged or "")))
        pair_passages = [
            ParsedPassage(passage)
            for passage in as_passages((pair.sentences[0], pair.sentences[1]), prepare)
        ]
        for features, leads, kept in _candidates(pair_passages[0], pair_passages[1], union):
            same.append(features)
            once.append(kept != (True, True))
            if kept[0] != kept[1]:
                lead.append(leads)
                first_kept.append(kept[0])
    names = ("similarity", "support", "exchanged", "alone", "bias")
    _show(f"one thing, {len(same)} candidates", names, weigh(same, once))
    names = ("inside_lead", "alone_lead", "words_lead", "bias")
    _show(f"direction, {len(lead)} candidates", names, weigh(lead, first_kept))


def _candidates(
    first: ParsedPassage, second: ParsedPassage, union: set[str]
) -> Iterator[tuple[list[float], list[float], tuple[bool, bool]]]:
    """Yield the evidence for each candidate, and whether the union kept what each phrase adds."""
    aligner = Aligner(first, second, Abbreviations(), meaning=False)
    aligner.align()
    for ours_chunk, other, support in aligner.candidates():
        ours, theirs = set(first.content(ours_chunk)), set(second.content(other))
        kept = _kept(ours - theirs, union), _kept(theirs - ours, union)
        if kept == (False, False):
            continue
        evidence = aligner.evidence(ours_chunk, other)
        yield (
            [evidence.similarity, min(2.0, support), max(evidence.exchanged), max(evidence.alone)],
            [
                evidence.exchanged[0] - evidence.exchanged[1],
                evidence.alone[0] - evidence.alone[1],
                float(len(ours) - len(theirs)),
            ],
            kept,
        )


def _kept(words: set[str], union: set[str]) -> bool:
    return bool(words) and len(words & union) >= len(words) / 2


def weigh(rows: Rows, labels: Sequence[bool], shares: Sequence[float] | None = None) -> Array:
    """Return the weights, with the bias last."""
    inputs = np.column_stack([np.array(rows, dtype=float), np.ones(len(rows))])
    mass = np.array(shares) if shares else 1 / len(rows)
    return logistic(inputs, labels, [2 * PENALTY] * (inputs.shape[1] - 1) + [1e-9], mass)


def _show(title: str, names: Sequence[str], weights: Array) -> None:
    values = (f"{name}={value:.2f}" for name, value in zip(names, weights, strict=True))
    print(f"{title}: {', '.join(values)}")


if __name__ == "__main__":
    main()
