"""The step ``ranker`` of ``python -m tatian.training``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add_naming_steps(steps: Any) -> None:
    """Add ``ranker`` to the steps of training."""
    step = steps.add_parser("ranker", help="train the aggregation ranker")
    step.add_argument("task", help="ranking task JSONL with the right phrases")
    step.add_argument("--out", type=Path, required=True, help="the file of weights")
    step.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    from tatian.aggregation.data.jsonl import read
    from tatian.aggregation.models.boosted import save
    from tatian.training.naming.train import train

    instances = list(read(options.task))
    memory, trees = train(instances)
    save(options.out, memory, trees)
    print(f"{len(instances)} sets and their trees in {options.out}")
