"""Command groups whose commands are imported when they are asked for, so that starting is quick."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

import click


class LazyCommands(MutableMapping[str, click.Command]):
    """Commands by name; those given as ``package.module:attribute`` are imported on first use."""

    def __init__(self, targets: Mapping[str, str]) -> None:
        self._found: dict[str, str | click.Command] = dict(targets)

    def __getitem__(self, name: str) -> click.Command:
        found = self._found[name]
        if isinstance(found, str):
            module, _, attribute = found.partition(":")
            command: click.Command = getattr(importlib.import_module(module), attribute)
            self._found[name] = found = command
        return found

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._found[name] = command

    def __delitem__(self, name: str) -> None:
        del self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


class LazyGroup(click.Group):
    """A group that lists its commands in the order they were given and imports them late."""

    def __init__(
        self, name: str | None = None, *, targets: Mapping[str, str], **options: Any
    ) -> None:
        super().__init__(name, commands=LazyCommands(targets), **options)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, most used first rather than by the alphabet."""
        return list(self.commands)
