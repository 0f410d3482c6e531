"""Blocks that add no fact that matters: how well the model of `redundant_blocks` finds them.

    python benchmarks/redundancy.py                    the table, on the development bundles
    python benchmarks/redundancy.py corpus/dev.jsonl   on other bundles
    python benchmarks/redundancy.py fit [BUNDLES...]   fits the weights, on corpus/train.jsonl

Blocks are those of later sources that are kept until blocks are compared. A block adds no fact that
matters if the text before it gives all of its facts, or all but details that are at most a third of
them by importance. The baseline drops as many blocks by their covered share alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from data_folder import DATA
from regression import area_under_curve, logistic
from tatian import Pipeline
from tatian.consolidation.redundant_blocks import (
    MIN_PROBABILITY,
    BlockFeatures,
    TextBefore,
    find_blocks,
)
from tatian.consolidation.selection import drop_redundant_spans
from tatian.consolidation.spans import SourceSpan
from tatian.consolidation.weave import compare_sources
from tatian.corpora.bundles import Bundle, BundleFact, read_bundles
from tatian.statistics import Column, Table

ROOT = Path(__file__).resolve().parent.parent
DETAIL = 1 / 3
"""Largest share of a redundant block's facts, by importance, that are new."""
RIDGE = 3.0

Floats = npt.NDArray[np.float64]


class JudgedBlock(NamedTuple):
    """Block of a later source, and whether it adds no fact that matters."""

    features: BlockFeatures
    redundant: bool


def judged_blocks(bundle: Bundle, pipeline: Pipeline) -> Iterator[JudgedBlock]:
    """Yield the blocks of later sources that state facts."""
    comparison = compare_sources([pipeline.process(document) for document in bundle.documents()])
    story, ranks = comparison.story, comparison.ranks
    selection = drop_redundant_spans(comparison)
    facts = {span.key: facts_of(span, bundle) for span in story.spans}
    for number, spans in enumerate(story.distinct):
        earlier = {key for key in selection.kept if ranks.numbers[key[0]] < ranks.numbers[number]}
        if not earlier or number in ranks.other_moments:
            continue
        before = TextBefore.of(earlier, comparison.settled)
        known = {fact for key in earlier for fact in facts[key]}
        blocks = [*find_blocks(spans, selection.kept, before)]
        share = before.mean_covered_share(span for block in blocks for span in block)
        for block in blocks:
            keys = [span.key for span in block]
            stated = {fact for key in keys for fact in facts[key]}
            if stated and all(map(before.coverage.knows, keys)):
                yield JudgedBlock(before.compare(keys, share), adds_nothing(stated, stated - known))


def facts_of(span: SourceSpan, bundle: Bundle) -> set[BundleFact]:
    """Return the facts of the sentences that a span consists of."""
    account = bundle.accounts[span.source]
    places, start = set(), 0
    for number, sentence in enumerate(account.sentences):
        end = start + len(sentence)
        if any(body.start < end and start < body.end for body in span.bodies):
            places.add(f"{account.id}.{number}")
        start = end + len("\n\n")
    return {fact for fact in bundle.facts if not places.isdisjoint(fact.sources)}


def adds_nothing(facts: Collection[BundleFact], new: Collection[BundleFact]) -> bool:
    """Check whether at most details are new."""
    weight = sum(fact.importance for fact in facts)
    is_detail = sum(fact.importance for fact in new) <= DETAIL * weight
    return is_detail and not any(fact.main for fact in new)


def read(bundles: Iterable[Bundle]) -> list[JudgedBlock]:
    """Return the judged blocks of all bundles."""
    pipeline = Pipeline()
    return [block for bundle in bundles for block in judged_blocks(bundle, pipeline)]


def row(name: str, scores: Floats, redundant: Floats, count: int) -> tuple[str | float, ...]:
    """Return a row of the table: the area, and figures of the `count` blocks that score best."""
    chosen = redundant[np.argsort(-scores, kind="stable")[:count]]
    return (
        name,
        area_under_curve(scores, redundant),
        count,
        chosen.mean(),
        chosen.sum() / redundant.sum(),
    )


def fit(blocks: Sequence[JudgedBlock]) -> Floats:
    """Return the weights of a logistic regression, the bias first."""
    rows = np.array([(1.0, *block.features) for block in blocks])
    scale = np.array([1.0, *rows[:, 1:].std(0)])
    ridge = [0.0] + [RIDGE] * (len(scale) - 1)
    weights = logistic(rows / scale, [block.redundant for block in blocks], ridge)
    return np.asarray(weights / scale)


COLUMNS = ("way", Column("area"), Column("blocks", 0), Column("precision"), Column("recall"))


def main() -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("bundles", nargs="*", help="fit, or files or folders of bundles")
    named = parser.parse_args().bundles
    fits = named[:1] == ["fit"]
    shipped = ROOT / "corpus/train.jsonl" if fits else DATA / "consolidation/dev"
    blocks = read(read_bundles(named[fits:] or [str(shipped)]))
    if fits:
        for name, weight in zip(("bias", *BlockFeatures._fields), fit(blocks), strict=True):
            print(f"{name:15} {weight:6.2f}")
    redundant = np.array([float(block.redundant) for block in blocks])
    scores = np.array([block.features.redundancy() for block in blocks])
    covered = np.array([block.features.covered for block in blocks])
    count = int((scores >= MIN_PROBABILITY).sum())
    rows = (row("model", scores, redundant, count), row("coverage", covered, redundant, count))
    title = f"{int(redundant.sum())} of {len(blocks)} blocks add no fact that matters"
    print(Table.of(COLUMNS, rows, title).render("text"))


if __name__ == "__main__":
    main()
