"""Coreference formats by name: how each is recognised, read and written, and what it cannot hold.

Every reader gives `Document`s with gold ``tokens`` and ``sentences`` where the format has them and
a ``chains`` layer in which single mentions are chains of one. Every reader also leaves the
document's own source text in the ``coreference.original`` layer, so that a writer of the same
format can put it back: an untouched document is written as it was read, byte for byte, and a
changed one keeps all that is not coreference.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePath
from typing import Any, Protocol

from msgspec import Struct

from tatian.errors import InputError
from tatian.text import Document, LayerKey


class Original(Struct, frozen=True):
    """A document as its file had it, for writing it back."""

    format: str
    text: str


ORIGINAL: LayerKey[Original] = LayerKey("coreference.original", Original)


def original(document: Document, format: str) -> str | None:
    """The document as a file of that format had it; None if it did not come from one."""
    for one in document.get(ORIGINAL) if document.has(ORIGINAL) else ():
        if one.format == format:
            return one.text
    return None


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


class Reader(Protocol):
    """Turns a file's text into documents; errors name `path` and the line."""

    def __call__(self, text: str, path: str | None = None) -> Iterator[Document]: ...


class Writer(Protocol):
    """Turns documents into the texts of a format, one by one; what it cannot hold goes to losses.

    The texts of several documents, one after the other, are a valid file of the format, unless
    `Format.single` says that a file holds one document.
    """

    def __call__(self, documents: Iterable[Document], losses: Losses) -> Iterator[str]: ...


class Format(Struct, frozen=True):
    """One format of coreference files."""

    name: str
    description: str
    suffixes: tuple[str, ...]
    """How its files are usually called, such as ``.conllu``."""
    reader: str
    """``package.module:function``, imported when needed."""
    writer: str
    recognizes: Callable[[str], bool]
    """Whether the beginning of a file (a few thousand characters) looks like this format."""
    holds: frozenset[str] = frozenset()
    """What survives in it, or is reported by its writer: names of
    `tatian.coreference.data.features.FEATURES`."""
    single: bool = False
    """Whether one file holds one document only."""

    def read(self, text: str, path: str | None = None) -> Iterator[Document]:
        """The documents of a file's whole text."""
        reader: Reader = _load(self.reader)
        return reader(text, path)

    def write(self, documents: Iterable[Document], losses: Losses | None = None) -> Iterator[str]:
        """The documents in this format, a text each; what it cannot hold goes to `losses`."""
        from tatian.coreference.data.features import note

        writer: Writer = _load(self.writer)
        noted = losses if losses is not None else Losses()
        return writer((note(document, self, noted) for document in documents), noted)


def _load(target: str) -> Any:
    module, _, attribute = target.partition(":")
    return getattr(importlib.import_module(module), attribute)


def find(name: str) -> Format:
    """The format called `name`."""
    from tatian.coreference.data.known import FORMATS

    for format in FORMATS:
        if format.name == name:
            return format
    names = ", ".join(format.name for format in FORMATS)
    raise InputError(f"no coreference format called '{name}': known: {names}")


def recognize(text: str, path: str | None = None) -> Format:
    """Which format a file is in, by its first lines, then by its name."""
    from tatian.coreference.data.known import FORMATS

    head = text[:20_000].lstrip("\ufeff")
    for format in FORMATS:
        if format.recognizes(head):
            return format
    plain = (path or "").lower().removesuffix(".gz")
    for format in FORMATS:
        if plain.endswith(format.suffixes):
            return format
    names = ", ".join(format.name for format in FORMATS)
    raise InputError(f"not a coreference file of a known format ({names})", path=path)


def file_name(path: str | None) -> str:
    """What a document is called that does not say it itself: as its file, without the ending."""
    name = PurePath(path or "").name.removesuffix(".gz")
    stem, dot, ending = name.rpartition(".")
    return stem if dot and stem and ending.isalnum() else name or "document"
