"""The command line of training: ``python -m tatian.training STEP``.

Encoder: prepare, tokens, coverage (its pairs body), export, coverage-export (the pairs body alone).
Edit model for union: edit-data, edit, edit-rank, edit-export. Coreference resolver: coref-data,
coref, coref-export. Without PyTorch: linker (mentions), ranker (aggregation).
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import tomllib
from pathlib import Path
from typing import Any

from tatian.errors import TatianError

_OPTION_TYPES = {"paths": Path, "texts": str, "numbers": int}
_OPTION_SETTINGS: dict[str, dict[str, Any]] = {
    "--only": {"metavar": "STAGE"},
    "--workers": {"default": os.cpu_count() or 1},
}
"""Arguments of `add_argument` for options in ``steps.toml``."""


def main(arguments: list[str] | None = None) -> int:
    """Run one step of training; bad input gives one line on standard error and status 2."""
    parser = argparse.ArgumentParser(prog="python -m tatian.training", description=__doc__)
    subparsers = parser.add_subparsers(required=True, metavar="STEP")
    listed = tomllib.loads(Path(__file__).with_name("steps.toml").read_text("utf-8"))
    settings = {
        name: {"type": _OPTION_TYPES[kind], "help": help, **_OPTION_SETTINGS.get(name, {})}
        for kind, helps in listed["options"].items()
        for name, help in helps.items()
    }
    for name, step in listed["steps"].items():
        subparser = subparsers.add_parser(name, help=step["help"])
        for option in step["options"].split():
            _add_option(subparser, option, settings[option.rstrip("?*")])
        subparser.set_defaults(target=step["function"])
    options = parser.parse_args(arguments)
    module, _, function = options.target.partition(":")
    try:
        getattr(importlib.import_module(f"tatian.training.{module}"), function)(options)
    except (TatianError, OSError) as error:
        print(f"tatian.training: {error}", file=sys.stderr)
        return 2
    return 0


def _add_option(step: argparse.ArgumentParser, option: str, settings: dict[str, Any]) -> None:
    name = option.rstrip("?*")
    if option.endswith("*"):
        settings = {**settings, "nargs": "*", "default": ()}
    elif option == name and name.startswith("--"):
        settings = {**settings, "required": True}
    step.add_argument(name, **settings)


if __name__ == "__main__":
    sys.exit(main())
