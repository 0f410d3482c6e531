"""What the training commands share: their options, and PyTorch reached only when it is needed."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from tatian.cli.options import any_path
from tatian.errors import InputError, MissingExtra

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C")


def folder_option(command: F) -> F:
    """Add ``--output``, the folder of a run."""
    text = "The folder to write to; made if it is not there."
    return click.option("-o", "--output", type=any_path, required=True, metavar="DIR", help=text)(
        command
    )


def config_option(command: F) -> F:
    """Add ``--config``."""
    text = "A JSON file with the settings that differ from the usual ones."
    return click.option("--config", type=any_path, metavar="FILE", help=text)(command)


def device_option(command: F) -> F:
    """Add ``--device``."""
    text = "Where to compute, as PyTorch calls it: cpu, cuda, cuda:1."
    return click.option("--device", metavar="NAME", help=text)(command)


def training(module: str, feature: str, extra: str) -> Any:
    """A module of `tatian.training`; says what to install where PyTorch is not there."""
    try:
        return importlib.import_module(f"tatian.training.{module}")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("tatian"):
            raise
        raise MissingExtra(feature, extra) from error


def read_config(path: str | None, kind: type[C]) -> C:
    """The settings in a file, the usual ones where it has none."""
    if path is None:
        return kind()
    try:
        return msgspec.json.decode(Path(path).read_bytes(), type=kind)
    except OSError as error:
        raise InputError(error.strerror or str(error), path=path) from error
    except msgspec.DecodeError as error:
        raise InputError(f"not a config: {error}", path=path) from error
