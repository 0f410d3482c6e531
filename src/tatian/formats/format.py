"""File formats: how each is recognised, read and written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Literal

from msgspec import Struct

from tatian.errors import InputError
from tatian.text import Document, LayerKey

HEAD = 20_000
"""Number of characters of a file that are used to recognise its format."""
About = Literal["coreference", "mention"]
"""Purpose of a format: chains of coreferent phrases, or phrases linked to pages."""


Loss = tuple[str, str, int]
"""Kind of loss, its first place, and its count."""
_WARNING = re.compile(
    r"(passed over: )?(.+?(?:: (?:message|record) \d+)?): (.+?)(?:: .*)?", re.DOTALL
)


class Losses:
    """Losses and failures on the way, counted, with the first case of each."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.first: dict[str, str] = {}

    def add(self, what: str, where: str, count: int = 1) -> None:
        """Record that `what` ("discontinuous mentions: ...") was lost at `where` (a document)."""
        self.counts[what] += count
        self.first.setdefault(what, where)

    def hear(self, warning: str) -> None:
        """Record a reader's warning or refusal: ``FILE: what: more``, perhaps passed over."""
        parts = _WARNING.fullmatch(warning)
        passed, where, what = parts.groups("") if parts else ("", "", warning)
        self.add(passed + what, where)

    def drain(self) -> tuple[Loss, ...]:
        """Return all losses, to be added elsewhere, and clear them."""
        losses = tuple((what, self.first[what], count) for what, count in self.counts.items())
        self.counts.clear()
        self.first.clear()
        return losses

    def messages(self) -> list[str]:
        """Return one line for each kind of loss, by name."""
        return [
            f"{what} ({count}; first in '{self.first[what]}')"
            for what, count in sorted(self.counts.items())
        ]


class Original(Struct, frozen=True):
    """A document as its file had it, for writing it back."""

    format: str
    text: str


ORIGINAL: LayerKey[Original] = LayerKey("coreference.original", Original)


def original(document: Document, format: str) -> str | None:
    """Return the document as a file of that format had it; None if it did not come from one."""
    for candidate in document.get(ORIGINAL) if document.has(ORIGINAL) else ():
        if candidate.format == format:
            return candidate.text
    return None


class Files(Struct, frozen=True):
    """Reader of a corpus with several files for each text."""

    takes: Callable[[str], bool]
    """True if a file of that name is one of them."""
    recognizes: Callable[[Iterable[str]], bool]
    """True if files with these names are such a corpus."""
    reader: Callable[[Mapping[str, str], str | None], Iterator[Document]]
    """Reads the documents of the files, by name."""


class Format(Struct, frozen=True):
    """One file format."""

    name: str
    description: str
    about: About
    suffixes: tuple[str, ...]
    """Usual endings of its files, such as ``.conllu``."""
    recognizes: Callable[[str], bool]
    """True if the beginning of a file (`HEAD` characters) looks like this format."""
    reader: Callable[[str, str | None], Iterator[Document]]
    """Turns a file's text into documents; errors name the path, given with it, and the line."""
    writer: Callable[[Iterable[Document]], Iterator[str]] | None = None
    """Turns documents into texts of the format, one by one, as far as it can hold them; one after
    the other they are a valid file. None for a format that is only read."""
    files: Files | None = None
    """Reader for a format with several files per text."""

    def read(self, text: str, path: str | None = None) -> Iterator[Document]:
        """Yield the documents of a file's whole text."""
        return self.reader(text, path)

    def write(self, documents: Iterable[Document]) -> Iterator[str]:
        """Yield the documents in this format; `losses.lost` finds what it did not hold."""
        if self.writer is None:
            raise InputError(f"{self.name} can be read, not written")
        return self.writer(documents)

    def takes(self, name: str) -> bool:
        """Return whether a file of a directory or archive is in this format, by its name."""
        if self.files and self.files.takes(name):
            return True
        return name.lower().removesuffix(".gz").endswith(self.suffixes)


def file_name(path: str | None) -> str:
    """Return the name of a document without one: that of its file, without the ending."""
    name = PurePath(path or "").name.removesuffix(".gz")
    stem, dot, ending = name.rpartition(".")
    return stem if dot and stem and ending.isalnum() else name or "document"
