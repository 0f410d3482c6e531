"""Readers and writers of annotation formats, one file each, found by name or by content.

A format is a `Format` called ``FORMAT`` in its own module: its reader gives `Document`s, its writer
takes them. Other packages add theirs under the entry point group ``tatian.formats``::

    [project.entry-points."tatian.formats"]
    brat = "my_package.brat:FORMAT"
"""

from __future__ import annotations

import importlib
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import PurePath
from typing import Literal

from msgspec import Struct

from tatian.errors import InputError
from tatian.text import Document, LayerKey

__all__ = [
    "HEAD",
    "ORIGINAL",
    "Files",
    "Format",
    "Loss",
    "Losses",
    "Original",
    "added_format",
    "file_name",
    "find",
    "list_formats",
    "original",
    "read",
    "read_as",
    "recognize",
    "tools",
]

GROUP = "tatian.formats"
"""The entry point group of other packages' formats."""
_BUILTIN = (
    "elevant:FORMAT",
    "labels:DETECTIONS",
    "labels:CONFIRMATIONS",
    "documents_jsonl:FORMAT",
    "mentions_jsonl:FORMAT",
    "nif:FORMAT",
    "aida:FORMAT",
    "aquaint:FORMAT",
    "mentions_csv:FORMAT",
    "gap:FORMAT",
    "conll:FORMAT",
    "ontogum:FORMAT",
    "ecbplus:FORMAT",
    "corefud:FORMAT",
    "gum:FORMAT",
    "muc:FORMAT",
)
"""Tatian's formats, in the order in which a file is compared with them."""
_TOOLS = (
    "webanno:CHAINS",
    "webanno:LINKS",
    "uima:CHAINS",
    "uima:LINKS",
    "label_studio:CHAINS",
    "label_studio:LINKS",
)
"""Formats of annotation tools, which hold both chains and links, in a project's terms."""


def list_formats(about: About | None = None) -> tuple[Format, ...]:
    """Return the known formats, other packages' first; with `about`, only those for it."""
    return tuple(format for format in _all() if about in (None, format.about))


@cache
def _all() -> tuple[Format, ...]:
    builtin = [_load("tatian.formats." + target) for target in _BUILTIN]
    return (*_added(), *builtin)


@cache
def tools(about: About | None = None) -> tuple[Format, ...]:
    """Return the formats of annotation tools, which are found by name and by content.

    They are not corpus formats: only chains and links of a file are kept, and some formats hold one
    document only.
    """
    formats = [_load("tatian.formats." + tool) for tool in _TOOLS]
    return tuple(format for format in formats if about in (None, format.about))


def added_format(path: str) -> Format | None:
    """Return the format of another package whose suffix the file has, if any."""
    return next((format for format in _added() if format.has_suffix(path)), None)


def _load(target: str) -> Format:
    module, _, attribute = target.partition(":")
    format: Format = getattr(importlib.import_module(module), attribute)
    return format


@cache
def _added() -> tuple[Format, ...]:
    """Return formats of other packages, by name; warn of broken ones."""
    formats: list[Format] = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            format = point.load()
        except (ImportError, AttributeError) as error:
            problem = str(error)
        else:
            if isinstance(format, Format):
                formats.append(format)
                continue
            problem = "it is not a tatian.formats.Format"
        warnings.warn(f"cannot load format '{point.name}' ({point.value}): {problem}", stacklevel=2)
    return tuple(formats)


def find(name: str, about: About | None = None) -> Format:
    """Return the format called `name`."""
    formats = list_formats(about)
    for format in (*formats, *tools(about)):
        if format.name == name:
            return format
    kind = f"{about} format" if about else "format"
    raise InputError(f"no {kind} called '{name}': known: {_names(formats)}")


def recognize(text: str, path: str | None = None, about: About | None = None) -> Format:
    """Recognise the format of a file by its first lines, then by its name."""
    formats = list_formats(about)
    head = text[:HEAD].lstrip("\ufeff")
    for format in (*tools(about), *formats):
        if format.recognizes(head):
            return format
    for format in formats:
        if format.has_suffix(path or ""):
            return format
    kind = f"{about} file" if about else "file"
    raise InputError(f"not a {kind} of a known format ({_names(formats)})", path=path)


def _names(formats: tuple[Format, ...]) -> str:
    return ", ".join(format.name for format in formats)


def read(path: str, format: str | None = None, about: About | None = None) -> list[Document]:
    """Read the documents of a file, directory or archive (``.tar.gz``); ``-`` is standard input.

    The format is recognised unless it is given. Of a directory or archive, the files with the
    suffix of a format are read.
    """
    return read_as(path, format, about)[0]


def read_as(
    path: str, format: str | None = None, about: About | None = None
) -> tuple[list[Document], Format]:
    """Read documents, and return them with the format of the first file."""
    from tatian.formats.files import open_files

    requested = find(format, about) if format else None
    formats = (requested,) if requested else list_formats(about)

    def wanted(name: str) -> bool:
        return requested is not None or any(candidate.takes(name) for candidate in formats)

    source = open_files(str(path), wanted)
    if source.several:
        for candidate in formats:
            if candidate.files and candidate.files.recognizes(source.files):
                return list(candidate.files.reader(source.files, source.name)), candidate
    documents: list[Document] = []
    used: list[Format] = []
    for name, text in source.files.items():
        file_path = f"{source.name}/{name}" if source.several else source.name
        used.append(requested or recognize(text, file_path, about))
        documents += used[-1].read(text, file_path)
    return documents, used[0]


HEAD = 20_000
"""Characters at the beginning of a file by which its format is recognised."""
About = Literal["coreference", "mention"]
"""Purpose of a format: chains of coreferent phrases, or phrases linked to pages."""


Loss = tuple[str, str, int]
"""Kind of loss, its first place, and its count."""
_WARNING = re.compile(r"(skipped: )?(.+?(?:: (?:message|record) \d+)?): (.+?)(?:: .*)?", re.DOTALL)


class Losses:
    """Counts of losses and failures by kind, with the first case of each."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.first: dict[str, str] = {}

    def add(self, what: str, where: str, count: int = 1) -> None:
        """Record that `what` ("discontinuous mentions: ...") was lost at `where` (a document)."""
        self.counts[what] += count
        self.first.setdefault(what, where)

    def add_message(self, warning: str) -> None:
        """Record a reader's warning or error: ``FILE: what: more``, or ``skipped: FILE: ...``."""
        parts = _WARNING.fullmatch(warning)
        prefix, where, what = parts.groups("") if parts else ("", "", warning)
        self.add(prefix + what, where)

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
    """The text of a document in its file, for writing it back unchanged."""

    format: str
    text: str


ORIGINAL: LayerKey[Original] = LayerKey("coreference.original", Original)


def original(document: Document, format: str) -> str | None:
    """Return the document's text in its file of that format; None if it has no such file."""
    for candidate in document.get(ORIGINAL, ()):
        if candidate.format == format:
            return candidate.text
    return None


class Files(Struct, frozen=True):
    """Reader of corpora with several files for each text."""

    takes: Callable[[str], bool]
    """Returns True for the name of such a file."""
    recognizes: Callable[[Iterable[str]], bool]
    """Returns True for the names of the files of such a corpus."""
    reader: Callable[[Mapping[str, str], str | None], Iterator[Document]]
    """Reads the documents, given the files' contents by name and the path."""


class Format(Struct, frozen=True):
    """One file format."""

    name: str
    description: str
    about: About
    suffixes: tuple[str, ...]
    """Usual endings of its files, such as ``.conllu``."""
    recognizes: Callable[[str], bool]
    """Returns True if the beginning of a file (`HEAD` characters) has this format."""
    reader: Callable[[str, str | None], Iterator[Document]]
    """Turns a file's text into documents; errors name its path, the second argument."""
    writer: Callable[[Iterable[Document]], Iterator[str]] | None = None
    """Turns each document into text, as far as the format can hold it; together they are a valid
    file. None for a format that can only be read."""
    files: Files | None = None
    """Reader for a format with several files per text."""

    def read(self, text: str, path: str | None = None) -> Iterator[Document]:
        """Yield the documents of a file's whole text."""
        return self.reader(text, path)

    def write(self, documents: Iterable[Document]) -> Iterator[str]:
        """Yield the documents in this format; `losses.find_losses` finds what it cannot hold."""
        if self.writer is None:
            raise InputError(f"the format {self.name} cannot be written")
        return self.writer(documents)

    def takes(self, name: str) -> bool:
        """Return whether the name of a file suggests this format."""
        is_one_of_several = self.files is not None and self.files.takes(name)
        return is_one_of_several or self.has_suffix(name)

    def has_suffix(self, path: str) -> bool:
        """Return whether a file has one of the format's usual endings."""
        return path.lower().removesuffix(".gz").endswith(self.suffixes)


def file_name(path: str | None) -> str:
    """Return the name of a file without its ending, for a document without a name."""
    name = PurePath(path or "").name.removesuffix(".gz")
    stem, dot, ending = name.rpartition(".")
    return stem if dot and stem and ending.isalnum() else name or "document"
