"""The command line of training: ``python -m tatian.training STEP``.

The analysis encoder: prepare, tokens, telling (its pairs body), export; telling-export puts the
pairs body alone into the weights. On top of the tokens body, the edit model for union: edit-data,
edit, edit-rank, edit-export; and the coreference resolver: coref-data, coref, coref-export. Without
PyTorch, the mention linker: linker; the aggregation ranker: ranker.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from pathlib import Path
from typing import Any

from tatian.errors import TatianError


def _given(name: str, help: str = "", **more: Any) -> tuple[str, dict[str, Any]]:
    """A path that a step needs."""
    required = {"required": True} if name.startswith("--") else {}
    return name, {"type": Path, "help": help, **required, **more}


_CONFIG = _given("config", "a JSON file; {} for the shipped recipe on a CPU")
_FIELDS = _given("config", "a JSON file; see the fields of the config")
_START = _given("--start")
_TOKENS = _given("--tokens", "the tokens run's directory")
_SETS = _given("--data", "the folder of data sets")
_OUT = _given("--out", "the run's directory")
_PACKED = _given("--out", "the file to write (.msgpack.gz)")
_EDIT_DATA = _given("--data", "the file that edit-data wrote")
_COREF_DATA = _given("--data", "the file of coref-data")
_RUN = _given("--edit", "the edit run's directory")
_BODY = _given("--weights", "holds the tokens body")
_ENCODER = _given(
    "--weights", "the encoder's, in place of the shipped ones", required=False, default=None
)
_LIMIT = "--limit", {"type": int, "help": "so many of each kind only (a dry run)"}
_WORKERS = "--workers", {"type": int, "default": os.cpu_count() or 1, "help": "processes"}


def _several(name: str, help: str) -> tuple[str, dict[str, Any]]:
    return name, {"type": Path, "nargs": "*", "default": (), "help": help}


_BUNDLES = _several("--bundles", "further folders of bundles with references, or files of them")

STEPS: dict[str, tuple[str, str, tuple[tuple[str, dict[str, Any]], ...]]] = {
    "prepare": (
        "convert a BERT checkpoint to a start directory",
        "pretrained:run_prepare",
        (_given("checkpoint"), _given("start")),
    ),
    "tokens": (
        "train the tokens body",
        "tokens:run_tokens",
        (
            _FIELDS,
            _START,
            _SETS,
            _OUT,
            _LIMIT,
            _given("--teacher", "a checkpoint of MPNet that labels more sentences", required=False),
            _given("--unlabelled", "those sentences, one a line", required=False),
        ),
    ),
    "export": (
        "write the int8 weights directory",
        "export:run_export",
        (
            _START,
            _TOKENS,
            _given("--pairs", "the telling run's directory"),
            _SETS,
            _given("--licence", "the text of LICENSE.md"),
            _given("--out", "the weights directory"),
        ),
    ),
    "edit-data": (
        "parse the data of the edit model for union",
        "edit.data:run_data",
        (
            _SETS,
            _ENCODER,
            _given(
                "--without",
                "pairs whose sentences are not to be cut down",
                required=False,
                metavar="CSV",
            ),
            _PACKED,
            _LIMIT,
            _BUNDLES,
        ),
    ),
    "edit": (
        "train the edit model",
        "edit.run:run_edit",
        (
            _CONFIG,
            _EDIT_DATA,
            _OUT,
            ("--only", {"nargs": "*", "default": [], "metavar": "STAGE", "help": "pretrain, …"}),
            _START,
            _TOKENS,
            _WORKERS,
        ),
    ),
    "edit-rank": (
        "train the ranker of the edit model's wordings",
        "edit.rank:run_rank",
        (_SETS, _BUNDLES, _RUN, _BODY, _START, _TOKENS, _WORKERS),
    ),
    "edit-export": (
        "add the edit model to a weights directory",
        "edit.run:run_export",
        (_EDIT_DATA, _RUN, _BODY, _START, _TOKENS),
    ),
    "coref-data": (
        "analyse the data of the coreference resolver",
        "coref.data:run_data",
        (_given("--data", "the folder of coreference corpora"), _ENCODER, _PACKED, _LIMIT),
    ),
    "coref": (
        "train the coreference resolver",
        "coref.train:run_coref",
        (_CONFIG, _OUT, _COREF_DATA, _START, _TOKENS),
    ),
    "coref-export": (
        "add the resolver to a weights directory",
        "coref.train:run_export",
        (_given("--coref", "the resolver's run"), _BODY, _COREF_DATA, _START, _TOKENS),
    ),
    "telling": (
        "train the pairs body in what tells what",
        "telling.train:run_telling",
        (
            _CONFIG,
            _SETS,
            _given("--teacher", "a checkpoint of MPNet"),
            _BUNDLES,
            _several("--unions", "bundles whose unions alone are read"),
            _OUT,
            _LIMIT,
            _START,
        ),
    ),
    "telling-export": (
        "put the trained pairs body into the weights",
        "telling.train:run_export",
        (_given("--telling", "the run's directory"), _given("--weights", "where the body goes")),
    ),
    "linker": (
        "train the mention linker's ranker",
        "linker:run_linker",
        (
            _given("--kb", "a knowledge base with vectors"),
            ("--all", {"nargs": "*", "default": [], "help": "corpora that link everything"}),
            ("--names", {"nargs": "*", "default": [], "help": "corpora that link names only"}),
            (
                "--halves",
                {
                    "nargs": "*",
                    "default": [],
                    "help": "corpora of which the first of 'tatian mentions split --seed 1' is "
                    "trained on",
                },
            ),
            _given("--out", "the file of trees"),
        ),
    ),
    "ranker": (
        "train the aggregation ranker",
        "ranker:run_ranker",
        (
            ("task", {"help": "ranking task JSONL of mined sets"}),
            _given("--sets", "the folder with sets.txt and groups.txt (corpus/aggregation)"),
            _given("--out", "the file of weights"),
        ),
    ),
}
"""Of each step: what it does, the function that does it, what it is given."""


def main(arguments: list[str] | None = None) -> int:
    """Run one step of training; bad input is one line on standard error and status 2."""
    parser = argparse.ArgumentParser(prog="python -m tatian.training", description=__doc__)
    steps = parser.add_subparsers(required=True, metavar="STEP")
    for name, (help, target, options) in STEPS.items():
        step = steps.add_parser(name, help=help)
        for flag, settings in options:
            step.add_argument(flag, **settings)
        step.set_defaults(target=target)
    chosen = parser.parse_args(arguments)
    module, _, function = chosen.target.partition(":")
    try:
        getattr(importlib.import_module(f"tatian.training.{module}"), function)(chosen)
    except (TatianError, OSError) as error:
        print(f"tatian.training: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
