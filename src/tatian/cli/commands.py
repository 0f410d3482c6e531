"""The list of commands in ``commands.json``, which are imported when they run."""

from __future__ import annotations

import importlib
from collections import UserDict
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import click
import msgspec


@cache
def registry() -> dict[str, Any]:
    """Return the groups of commands, with the place and the examples of each command.

    The function of a command is in a module of this package, and has the command's name unless
    given after a colon; it is imported when the command runs. Groups have neither.
    """
    data = Path(__file__).with_name("commands.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, Any])


def examples(lines: Iterable[str]) -> str:
    """Return the examples at the end of a command's help."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def examples_of(path: str) -> Sequence[str]:
    """Return the examples of a command, by the words that run it."""
    *above, name = path.split()
    group = registry().get(above[-1] if above else "", registry()["tatian"])
    lines: Sequence[str] = group["commands"].get(name, {}).get("examples", ())
    return lines


class LazyCommands(UserDict[str, Any]):
    """Commands by name; each is imported on first use, from the place that the registry has."""

    def __getitem__(self, name: str) -> click.Command:
        command = self.data[name]
        if isinstance(command, dict):
            self.data[name] = command = _load(name, command.get("place", ""))
        loaded: click.Command = command
        return loaded


def _load(name: str, place: str) -> click.Command:
    if not place:
        return LazyGroup(name, help=registry()[name]["help"])
    module, _, function = place.partition(":")
    command: click.Command = getattr(
        importlib.import_module(f"tatian.cli.{module}"), function or name.replace("-", "_")
    )
    return command


class LazyGroup(click.Group):
    """A group of the registry, which lists its commands in that order and imports them late."""

    def __init__(self, name: str | None = None, **options: Any) -> None:
        group = registry()[name or "tatian"]
        commands: Any = LazyCommands(group["commands"])
        super().__init__(name, commands, epilog=examples(group["examples"]), **options)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order given: the most used first."""
        return list(self.commands)
