"""File formats by name: how each is recognised, read and written, and what it cannot hold.

What the formats of one kind of data (coreference, mentions) share, whatever their records are.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePath
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from tatian.errors import InputError

HEAD = 20_000
"""How many characters of a file are looked at to recognise its format."""

R = TypeVar("R")
R_in = TypeVar("R_in", contravariant=True)
R_out = TypeVar("R_out", covariant=True)
F = TypeVar("F", bound="Format[Any]")


class Losses:
    """What a format could not hold of what it was given, counted, with the first case of each."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.first: dict[str, str] = {}

    def add(self, what: str, where: str, count: int = 1) -> None:
        """Note that `what` ("discontinuous mentions: ...") was lost at `where` (a document)."""
        self.counts[what] += count
        self.first.setdefault(what, where)

    def messages(self) -> list[str]:
        """One line for each kind of loss, by name."""
        return [
            f"{what} ({count}; first in '{self.first[what]}')"
            for what, count in sorted(self.counts.items())
        ]


class Reader(Protocol[R_out]):
    """Turns a file's text into records; errors name `path` and the line."""

    def __call__(self, text: str, path: str | None = None) -> Iterator[R_out]: ...


class Writer(Protocol[R_in]):
    """Turns records into the texts of a format, one by one; what it cannot hold goes to losses.

    The texts of several records, one after the other, are a valid file of the format.
    """

    def __call__(self, records: Iterable[R_in], losses: Losses, /) -> Iterator[str]: ...


class Format(Struct, Generic[R], frozen=True):
    """One format of files."""

    name: str
    description: str
    suffixes: tuple[str, ...]
    """How its files are usually called, such as ``.conllu``."""
    reader: str
    """``package.module:function``, imported when needed."""
    writer: str
    """The same; empty for a format that is only read."""
    recognizes: Callable[[str], bool]
    """Whether the beginning of a file (`HEAD` characters) looks like this format."""
    holds: frozenset[str] = frozenset()
    """What survives in it, or is reported by its writer: names of features."""

    def read(self, text: str, path: str | None = None) -> Iterator[R]:
        """The records of a file's whole text."""
        reader: Reader[R] = load(self.reader)
        return reader(text, path)

    def write(self, records: Iterable[R], losses: Losses | None = None) -> Iterator[str]:
        """The records in this format, a text each; what it cannot hold goes to `losses`."""
        if not self.writer:
            raise InputError(f"{self.name} can be read, not written")
        writer: Writer[R] = load(self.writer)
        noted = losses if losses is not None else Losses()
        return writer(self.noting(records, noted), noted)

    def noting(self, records: Iterable[R], losses: Losses) -> Iterator[R]:
        """The records as they are; what this format has no place for is noted on the way."""
        for record in records:
            self.note(record, losses)
            yield record

    def note(self, record: R, losses: Losses) -> None:
        """Note what the format has no place for; what that can be depends on the records."""


def load(target: str) -> Any:
    """What ``package.module:name`` names."""
    module, _, attribute = target.partition(":")
    return getattr(importlib.import_module(module), attribute)


def find(name: str, formats: Iterable[F], kind: str) -> F:
    """The format of `kind` ("coreference") called `name`."""
    known = tuple(formats)
    for format in known:
        if format.name == name:
            return format
    raise InputError(f"no {kind} format called '{name}': known: {_names(known)}")


def recognize(text: str, path: str | None, formats: Iterable[F], kind: str) -> F:
    """Which format a file is in, by its first lines, then by its name."""
    known = tuple(formats)
    head = text[:HEAD].lstrip("\ufeff")
    for format in known:
        if format.recognizes(head):
            return format
    plain = (path or "").lower().removesuffix(".gz")
    for format in known:
        if plain.endswith(format.suffixes):
            return format
    raise InputError(f"not a {kind} file of a known format ({_names(known)})", path=path)


def _names(formats: Iterable[Format[Any]]) -> str:
    return ", ".join(format.name for format in formats)


def file_name(path: str | None) -> str:
    """What a record is called that does not say it itself: as its file, without the ending."""
    name = PurePath(path or "").name.removesuffix(".gz")
    stem, dot, ending = name.rpartition(".")
    return stem if dot and stem and ending.isalnum() else name or "document"
