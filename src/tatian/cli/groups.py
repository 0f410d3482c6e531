"""Groups of commands, as attributes of this module; ``groups.toml`` lists them."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from tatian.cli.common import LazyGroup
from tatian.cli.options import examples


@cache
def _groups() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("groups.toml").read_text("utf-8"))


@cache
def __getattr__(name: str) -> LazyGroup:
    if name not in _groups():
        raise AttributeError(name)
    group = _groups()[name]
    targets = {}
    for command, place in group["commands"].items():
        module, _, function = place.partition(":")
        targets[command] = f"tatian.cli.{module}:{function or command.replace('-', '_')}"
    epilog = examples(*group["examples"])
    return LazyGroup(name, targets=targets, help=group["help"], epilog=epilog)
