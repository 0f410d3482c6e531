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
import tomllib
from pathlib import Path
from typing import Any

from tatian.errors import TatianError

_TYPES = {"paths": Path, "texts": str, "numbers": int}
_SETTINGS: dict[str, dict[str, Any]] = {
    "--only": {"metavar": "STAGE"},
    "--workers": {"default": os.cpu_count() or 1},
}
"""Further settings of options in ``steps.toml``."""


def main(arguments: list[str] | None = None) -> int:
    """Run one step of training; bad input gives one line on standard error and status 2."""
    parser = argparse.ArgumentParser(prog="python -m tatian.training", description=__doc__)
    steps = parser.add_subparsers(required=True, metavar="STEP")
    listed = tomllib.loads(Path(__file__).with_name("steps.toml").read_text("utf-8"))
    options = {
        name: {"type": _TYPES[kind], "help": help, **_SETTINGS.get(name, {})}
        for kind, helps in listed["options"].items()
        for name, help in helps.items()
    }
    for name, described in listed["steps"].items():
        step = steps.add_parser(name, help=described["help"])
        for option in described["options"].split():
            _add(step, option, options[option.rstrip("?*")])
        step.set_defaults(target=described["function"])
    chosen = parser.parse_args(arguments)
    module, _, function = chosen.target.partition(":")
    try:
        getattr(importlib.import_module(f"tatian.training.{module}"), function)(chosen)
    except (TatianError, OSError) as error:
        print(f"tatian.training: {error}", file=sys.stderr)
        return 2
    return 0


def _add(step: argparse.ArgumentParser, option: str, settings: dict[str, Any]) -> None:
    name = option.rstrip("?*")
    if option.endswith("*"):
        settings = {**settings, "nargs": "*", "default": ()}
    elif option == name and name.startswith("--"):
        settings = {**settings, "required": True}
    step.add_argument(name, **settings)


if __name__ == "__main__":
    sys.exit(main())
