"""Reading and writing what the coref commands work on, so that bytes survive a round trip."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from tatian.cli.common import STREAM, say
from tatian.coreference.data.formats import FORMATS
from tatian.errors import EmptyInput, InputError, NotText

if TYPE_CHECKING:
    from tatian.coreference.data.formats import Format
    from tatian.text import Document


_BOM = "\ufeff"


class Source(NamedTuple):
    """A file's whole text, what errors call it, and how its bytes were read."""

    text: str
    name: str
    encoding: str


def read_source(path: str) -> Source:
    """A file or standard input, plain or gzipped; line ends and a byte order mark are kept.

    What is not UTF-8 is taken for Latin-1, as the SGML of the nineties is: every byte is kept.
    """
    from tatian.text.opening import open_stream

    with open_stream(path) as stream:
        data = stream.read()
        name = stream.name
    if b"\x00" in data:
        raise NotText("not text: it has zero bytes", path=name)
    try:
        text, encoding = data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        text, encoding = data.decode("latin-1"), "latin-1"
    if not text.strip(_BOM + " \t\r\n"):
        raise EmptyInput("nothing in it", path=name)
    return Source(text, name, encoding)


def read_documents(path: str, form: str | None = None) -> tuple[list[Document], Format, Source]:
    """The documents of a coreference file, its format (recognised, unless given) and its source."""
    from tatian.coreference.data.formats import find, recognize

    source = read_source(path)
    format = find(form) if form else recognize(source.text, source.name)
    return list(format.read(source.text, source.name)), format, source


class Opened(NamedTuple):
    """A file, or the files of a directory, before their documents are read."""

    sources: list[tuple[Source, Format]]

    @property
    def formats(self) -> set[str]:
        """The names of the formats in it."""
        return {format.name for _, format in self.sources}

    def documents(self) -> list[Document]:
        """The documents of all files, in order."""
        return [
            document
            for source, format in self.sources
            for document in format.read(source.text, source.name)
        ]


def open_files(path: str, form: str | None = None) -> Opened:
    """A coreference file, or all of a directory, such as the files of ECB+ are in."""
    from tatian.coreference.data.formats import find, recognize

    sources = [read_source(file) for file in expand([path])]
    return Opened(
        [
            (source, find(form) if form else recognize(source.text, source.name))
            for source in sources
        ]
    )


def note_partner(key: str, response: str) -> None:
    """Say that two documents were taken for one although their ids differ."""
    if key != response:
        say("note", f"document '{response}' of the response is taken for '{key}' of the key")


def expand(paths: Sequence[str]) -> list[str]:
    """The files that `paths` name: a directory stands for all coreference files in it."""
    from tatian.coreference.data.formats import FORMATS

    endings = tuple(suffix for format in FORMATS for suffix in format.suffixes)
    found: list[str] = []
    for path in paths:
        if path == STREAM or not Path(path).is_dir():
            found.append(path)
            continue
        inside = [
            str(file)
            for file in sorted(Path(path).rglob("*"))
            if file.is_file() and file.name.lower().removesuffix(".gz").endswith(endings)
        ]
        if not inside:
            raise EmptyInput(f"no coreference files in it ({', '.join(endings)})", path=path)
        found += inside
    return found


def write_texts(texts: Iterable[str], output: str, encoding: str = "utf-8") -> None:
    """Write texts to a file (packed if named ``.gz``) or standard output, exactly as they are."""
    data = "".join(texts).encode(encoding, errors="xmlcharrefreplace")
    if output == STREAM:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        Path(output).write_bytes(
            gzip.compress(data, mtime=0) if output.lower().endswith(".gz") else data
        )
    except OSError as error:
        raise InputError(f"cannot write ({error.strerror})", path=output) from error


F = TypeVar("F", bound=Callable[..., Any])

NAMES = tuple(sorted(format.name for format in FORMATS))
"""The formats that can be read."""
WRITTEN = tuple(sorted(format.name for format in FORMATS if format.writer))
"""Those that can be written."""


def from_option(command: F) -> F:
    """Add ``--from``, the format of what is read."""
    text = "What is read; by default what each file looks like."
    return click.option("--from", "origin", type=click.Choice(NAMES), help=text)(command)
