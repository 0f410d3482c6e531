"""Options that coref commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from tatian.coreference.data.formats import FORMATS

F = TypeVar("F", bound=Callable[..., Any])

NAMES = tuple(sorted(format.name for format in FORMATS))
"""The formats that can be read."""
WRITTEN = tuple(sorted(format.name for format in FORMATS if format.writer))
"""Those that can be written."""


def from_option(command: F) -> F:
    """Add ``--from``, the format of what is read."""
    text = "What is read; by default what each file looks like."
    return click.option("--from", "origin", type=click.Choice(NAMES), help=text)(command)
