"""The command line of training: ``python -m tatian.training STEP``.

Steps for the encoder: prepare, tokens, `coverage` (its pairs body), export; `coverage-export`
exports only the pairs body. For the edit model for union, which uses the tokens body: edit-data,
edit, edit-rank, edit-export. For the coreference resolver, which uses it too: coref-data, coref,
coref-export. Steps that need no PyTorch: linker (mentions) and ranker (aggregation).
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from pathlib import Path
from typing import Any

from tatian.errors import TatianError

OPTIONS: dict[str, str | dict[str, Any]] = {
    "checkpoint": "a BERT checkpoint",
    "start": "the start directory, as 'prepare' makes it",
    "config": "a JSON file; {} for the shipped recipe on a CPU, where there is one",
    "task": {"type": str, "help": "ranking task JSONL of mined sets"},
    "--start": "the start directory",
    "--tokens": "the tokens run's directory",
    "--pairs": "the coverage run's directory",
    "--edit": "the edit run's directory",
    "--coref": "the resolver's run",
    "--coverage": "the coverage run's directory",
    "--data": "the folder of data sets, or the file that the model's data step wrote",
    "--bundles": "further folders of bundles with references, or files of them",
    "--unions": "bundles whose unions alone are read",
    "--sets": "the folder with sets.txt and groups.txt (corpus/aggregation)",
    "--kb": "a knowledge base with vectors",
    "--all": {"type": str, "help": "corpora that link everything"},
    "--names": {"type": str, "help": "corpora that link names only"},
    "--halves": {
        "type": str,
        "help": "corpora of which the first of 'tatian mentions split --seed 1' is trained on",
    },
    "--teacher": "a checkpoint of MPNet, which labels more sentences or pairs",
    "--unlabelled": "sentences for the teacher, one a line",
    "--without": "a CSV of pairs whose sentences are not to be cut down",
    "--only": {"type": str, "metavar": "STAGE", "help": "pretrain, …"},
    "--limit": {"type": int, "help": "so many of each kind only (a dry run)"},
    "--workers": {"type": int, "default": os.cpu_count() or 1, "help": "processes"},
    "--weights": "a weights directory: the encoder's, in which the models' files lie",
    "--licence": "the text of LICENSE.md",
    "--out": "the run's directory, or the file to write",
}
"""Options of the steps; their type is a path by default."""

STEPS = {
    "prepare": (
        "convert a BERT checkpoint to a start directory",
        "pretrained:run_prepare",
        "checkpoint start",
    ),
    "tokens": (
        "train the tokens body",
        "tokens:run_tokens",
        "config --start --data --out --limit? --teacher? --unlabelled?",
    ),
    "export": (
        "write the int8 weights directory",
        "export:run_export",
        "--start --tokens --pairs --data --licence --out",
    ),
    "edit-data": (
        "parse the data of the edit model for union",
        "edit.data:run_data",
        "--data --weights? --without? --out --limit? --bundles*",
    ),
    "edit": (
        "train the edit model",
        "edit.run:run_edit",
        "config --data --out --only* --start --tokens --workers?",
    ),
    "edit-rank": (
        "train the ranker of the edit model's wordings",
        "edit.rank:run_rank",
        "--data --bundles* --edit --weights --start --tokens --workers?",
    ),
    "edit-export": (
        "add the edit model to a weights directory",
        "edit.run:run_export",
        "--data --edit --weights --start --tokens",
    ),
    "coref-data": (
        "analyse the data of the coreference resolver",
        "coref.data:run_data",
        "--data --weights? --out --limit?",
    ),
    "coref": (
        "train the coreference resolver",
        "coref.train:run_coref",
        "config --out --data --start --tokens",
    ),
    "coref-export": (
        "add the resolver to a weights directory",
        "coref.train:run_export",
        "--coref --weights --data --start --tokens",
    ),
    "coverage": (
        "train the pairs body in coverage",
        "coverage.train:run_coverage",
        "config --data --teacher --bundles* --unions* --out --limit? --start",
    ),
    "coverage-export": (
        "put the trained pairs body into the weights",
        "coverage.train:run_export",
        "--coverage --weights",
    ),
    "linker": (
        "train the mention linker's ranker",
        "linker:run_linker",
        "--kb --all* --names* --halves* --out",
    ),
    "ranker": ("train the aggregation ranker", "ranker:run_ranker", "task --sets --out"),
}
"""Description, function and options (? optional, * any number) of each step."""


def main(arguments: list[str] | None = None) -> int:
    """Run one step of training; bad input gives one line on standard error and status 2."""
    parser = argparse.ArgumentParser(prog="python -m tatian.training", description=__doc__)
    steps = parser.add_subparsers(required=True, metavar="STEP")
    for name, (help, target, options) in STEPS.items():
        step = steps.add_parser(name, help=help)
        for option in options.split():
            _add(step, option)
        step.set_defaults(target=target)
    chosen = parser.parse_args(arguments)
    module, _, function = chosen.target.partition(":")
    try:
        getattr(importlib.import_module(f"tatian.training.{module}"), function)(chosen)
    except (TatianError, OSError) as error:
        print(f"tatian.training: {error}", file=sys.stderr)
        return 2
    return 0


def _add(step: argparse.ArgumentParser, option: str) -> None:
    name = option.rstrip("?*")
    default = OPTIONS[name]
    settings: dict[str, Any] = {"type": Path}
    settings |= {"help": default} if isinstance(default, str) else default
    if option.endswith("*"):
        settings |= {"nargs": "*", "default": ()}
    elif option == name and name.startswith("--"):
        settings["required"] = True
    step.add_argument(name, **settings)


if __name__ == "__main__":
    sys.exit(main())
