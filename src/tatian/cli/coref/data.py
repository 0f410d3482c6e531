"""Files of coreference, as all coref commands read and write them, and ``tatian coref convert``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from tatian.cli import options
from tatian.cli.common import keep_inputs, say, write_bytes
from tatian.cli.options import STREAM, any_path, command
from tatian.errors import EmptyInput, InputError, NotText
from tatian.formats import known

if TYPE_CHECKING:
    from tatian.formats import Format
    from tatian.text import Document

_BOM = "\ufeff"


class CorefSource(NamedTuple):
    """A file's whole text, what errors call it, and how its bytes were read."""

    text: str
    name: str
    encoding: str


def read_source(path: str) -> CorefSource:
    """A file or standard input, plain or gzipped; line ends and a byte order mark are kept.

    What is not UTF-8 is taken for Latin-1, as the SGML of the nineties is: every byte is kept.
    """
    from tatian.text.streams import open_stream

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
    return CorefSource(text, name, encoding)


def read_documents(
    path: str, form: str | None = None
) -> tuple[list[Document], Format, CorefSource]:
    """The documents of a coreference file, its format (recognised, unless given) and its source."""
    source = read_source(path)
    format = _format(source, form)
    return list(format.read(source.text, source.name)), format, source


def _format(source: CorefSource, form: str | None) -> Format:
    """The format that is named, or else recognised."""
    from tatian.formats import find, recognize

    if form:
        return find(form, "coreference")
    return recognize(source.text, source.name, "coreference")


class Opened(NamedTuple):
    """A file, or the files of a directory, before their documents are read."""

    sources: list[tuple[CorefSource, Format]]

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
    sources = [read_source(file) for file in expand_paths([path])]
    return Opened([(source, _format(source, form)) for source in sources])


def note_partner(key: str, response: str) -> None:
    """Say that two documents were taken for one although their ids differ."""
    if key != response:
        say("note", f"document '{response}' of the response is taken for '{key}' of the key")


def expand_paths(paths: Sequence[str]) -> list[str]:
    """The files that `paths` name: a directory stands for all coreference files in it."""
    from tatian.formats import known

    endings = tuple(suffix for format in known("coreference") for suffix in format.suffixes)
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
    write_bytes([data], output)


Inputs = list[tuple[list["Document"], "Format", CorefSource]]

NAMES = tuple(format.name for format in known("coreference"))
"""The formats that can be read."""
WRITTEN = tuple(sorted(format.name for format in known("coreference") if format.writer))
"""Those that can be written."""


@command(
    "tatian coref convert key.sgm --to conll",
    "tatian coref convert gum.conllu.gz --to muc -o gum.sgm",
    "tatian coref convert ecbplus/ --to conll -o topics.conll",
)
@click.argument("files", nargs=-1, required=True, type=any_path)
@click.option("--to", "target", type=click.Choice(WRITTEN), required=True, help="What to write.")
@options.origin(NAMES)
@options.output
@options.quiet
def convert(files: tuple[str, ...], target: str, origin: str | None, output: str) -> None:
    """Convert coreference FILEs, or all of a directory, to another format.

    Read are MUC SGML, CoNLL-2012, OntoGUM, CorefUD, GAP, ECB+, clusters as JSON and Tatian's JSONL.
    A document that is written in the format it came from stays as it was, byte for byte. What the
    target cannot hold is reported, with how often it was lost and the first document concerned.
    """
    from tatian.formats import find
    from tatian.formats.losses import lost

    keep_inputs(output, files)
    paths = expand_paths(files)
    inputs = [read_documents(path, origin) for path in paths]
    format = find(target, "coreference")
    documents = [document for found, _, _ in inputs for document in found]
    if not documents:
        raise InputError(f"nothing to write as {target}: no documents")
    texts = list(format.write(documents))
    write_texts(texts, output, _encoding(inputs, format))
    for message in lost(documents, format, "".join(texts)).messages():
        say("warning", f"not in {target}: {message}")


def _encoding(inputs: Inputs, format: Format) -> str:
    """As the files were where their format stays, UTF-8 otherwise."""
    encodings = {source.encoding for _, found, source in inputs if found.name == format.name}
    stays = all(found.name == format.name for _, found, _ in inputs)
    return encodings.pop() if stays and len(encodings) == 1 else "utf-8"
