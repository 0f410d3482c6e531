"""All exceptions that Tatian raises on purpose, in one small tree.

    TatianError
    ├── InputError          what the user gave cannot be used (file, line and record named)
    │   ├── NotText         binary or undecodable bytes
    │   ├── EmptyInput      nothing to work on
    │   └── NotEnglish      readable, but in another language
    ├── UnknownModel        no model of that name
    ├── LayerMissing        a step ran before the step that fills the layer it reads
    ├── AssetError          model weights absent or damaged
    └── MissingExtra        an optional dependency is not installed

A message says what is wrong, where, and what to do. The command line prints it as one line and
exits with status 2; a traceback is always a bug.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class TatianError(Exception):
    """Base class of all errors that Tatian raises on purpose."""


class InputError(TatianError):
    """The user's input cannot be used; the message says where and how to correct it."""

    def __init__(self, message: str, *, path: str | None = None, line: int | None = None) -> None:
        self.path = path
        self.line = line
        where = ":".join(str(part) for part in (path, line) if part is not None)
        super().__init__(f"{where}: {message}" if where else message)


class NotText(InputError):
    """Binary or undecodable bytes where text was expected."""


class EmptyInput(InputError):
    """A file, record or collection with nothing in it."""


class NotEnglish(InputError):
    """Text in a language that Tatian does not support."""


class UnknownModel(TatianError):
    """There is no model of that name; the message lists those that exist."""

    def __init__(self, step: str, name: str, known: Iterable[str], noun: str = "model") -> None:
        self.step = step
        self.name = name
        self.known = tuple(sorted(known))
        close = get_close_matches(name, self.known, n=1)
        hint = f"did you mean '{close[0]}'? " if close else ""
        super().__init__(
            f"no {step} {noun} named '{name}': {hint}known: {', '.join(self.known) or 'none'}; "
            "or give your own as package.module:Class"
        )


class LayerMissing(TatianError):
    """A step needs a layer that nothing has filled yet."""

    def __init__(self, document: str, layer: str) -> None:
        self.layer = layer
        super().__init__(
            f"document '{document}' has no layer '{layer}': run it through a tatian.Pipeline first"
        )


class AssetError(TatianError):
    """Weights or data files that are absent, or do not match their checksum."""


class MissingExtra(TatianError):
    """An optional dependency is not installed; the message gives the exact command."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs an extra: pip install 'tatian[{extra}]'")
