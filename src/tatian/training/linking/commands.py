"""The step ``linker`` of ``python -m tatian.training``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tatian.training.linking.examples import Examples


def add_linking_steps(steps: Any) -> None:
    """Add ``linker`` to the steps of training."""
    step = steps.add_parser("linker", help="train the mention linker's ranker")
    step.add_argument("--kb", type=Path, required=True, help="a knowledge base with vectors")
    step.add_argument("--all", nargs="*", default=[], help="corpora that link everything")
    step.add_argument("--names", nargs="*", default=[], help="corpora that link names only")
    step.add_argument(
        "--halves",
        nargs="*",
        default=[],
        help="corpora of which the first of 'tatian mentions split --seed 1' is trained on",
    )
    step.add_argument("--out", type=Path, required=True, help="the file of trees")
    step.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    from tatian.formats import read
    from tatian.formats.wiki import through
    from tatian.knowledge.base import KnowledgeBase
    from tatian.mentions.data import halves
    from tatian.mentions.models.ranked.features import FEATURES
    from tatian.training.boosting import forest, grow
    from tatian.training.licences import free_of_gum
    from tatian.training.linking.examples import as_heard, gather, joined, without

    base = KnowledgeBase.open(options.kb)
    parts: list[Examples] = []
    for path in options.names:
        texts = [one for one in through(read(path, about="mention"), base) if free_of_gum(one.id)]
        parts.append(gather(texts, base, policy="names", weight=0.5))
        print(f"{path}: {len(parts[-1].labels)} examples")
    for path in (*options.all, *options.halves):
        texts = through(read(path, about="mention"), base)
        if path in options.halves:
            texts = halves(texts, seed=1)[0]
        parts += [gather(texts, base), gather(as_heard(texts, seed=1), base, weight=0.5)]
        print(f"{path}: {len(parts[-2].labels)} examples, as heard {len(parts[-1].labels)}")
    whole = joined(parts)
    lacking = [without(whole, what, 0.2, seed=1) for what in ("syntax", "meaning", "use")]
    for one in lacking:
        one.weights *= 0.5
    learned = joined([whole, *lacking])
    grown = grow(learned.matrix, learned.labels, weights=learned.weights)
    forest([(grown, 1.0)], FEATURES).save(options.out)
    print(f"{len(grown)} trees from {len(whole.labels)} examples in {options.out}")
