"""Groups of commands, as attributes of this module; ``commands.toml`` lists them."""

from __future__ import annotations

from functools import cache

from tatian.cli.common import LazyGroup
from tatian.cli.options import examples, registry


@cache
def __getattr__(name: str) -> LazyGroup:
    group = registry().get(name, {})
    if "commands" not in group:
        raise AttributeError(name)
    targets = {}
    for command, described in group["commands"].items():
        module, _, function = described["place"].partition(":")
        targets[command] = f"tatian.cli.{module}:{function or command.replace('-', '_')}"
    epilog = examples(group["examples"])
    return LazyGroup(name, targets=targets, help=group["help"], epilog=epilog)
