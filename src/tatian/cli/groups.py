"""Groups of commands, as attributes of this module; ``commands.json`` lists them."""

from __future__ import annotations

from functools import cache

from tatian.cli.common import LazyGroup
from tatian.cli.options import examples, registry, targets_of


@cache
def __getattr__(name: str) -> LazyGroup:
    if name not in registry():
        raise AttributeError(name)
    group = registry()[name]
    epilog = examples(group["examples"])
    return LazyGroup(name, targets=targets_of(name), help=group["help"], epilog=epilog)
