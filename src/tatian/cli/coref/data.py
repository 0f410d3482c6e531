"""Reading and writing of coreference files, and ``tatian coref convert``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tatian.cli import options
from tatian.cli.files import keep_inputs
from tatian.cli.options import command
from tatian.cli.output import say, write_bytes
from tatian.errors import InputError
from tatian.formats import Format, files, find, list_formats, recognize
from tatian.formats.losses import find_losses
from tatian.text import Document


class CorefFile(NamedTuple):
    """A file's whole text, its name in errors, and its format."""

    text: str
    name: str
    format: Format


class CorefFiles(NamedTuple):
    """Files of coreference before their documents are read."""

    files: list[CorefFile]
    encodings: set[str]

    @property
    def formats(self) -> set[str]:
        """Names of the files' formats."""
        return {file.format.name for file in self.files}

    def documents(self) -> list[Document]:
        """Read the documents of all files, in order."""
        return [
            document for file in self.files for document in file.format.read(file.text, file.name)
        ]

    def encoding(self, target: Format) -> str:
        """Return the files' own encoding if they have the target's format, otherwise UTF-8."""
        same_format = self.formats == {target.name} and len(self.encodings) == 1
        return next(iter(self.encodings)) if same_format else "utf-8"


def open_files(*paths: str, form: str | None = None) -> CorefFiles:
    """Open files, or all files of directories such as ECB+; formats are recognised unless given.

    Text that is not UTF-8 is read as Latin-1, which keeps every byte.
    """
    endings = tuple(suffix for format in list_formats("coreference") for suffix in format.suffixes)
    what = f"coreference files ({', '.join(endings)})"
    files_found: list[CorefFile] = []
    encodings: set[str] = set()
    for path in paths:
        source = files.open_files(
            path, lambda name: name.lower().removesuffix(".gz").endswith(endings), what
        )
        encodings |= source.encodings
        for inner, text in source.files.items():
            name = f"{source.name}/{inner}" if source.several else source.name
            format = find(form, "coreference") if form else recognize(text, name, "coreference")
            files_found.append(CorefFile(text, name, format))
    return CorefFiles(files_found, encodings)


def note_pairing(key: str, response: str) -> None:
    """Report that two documents were paired although their ids differ."""
    if key != response:
        say("note", f"document '{response}' of the response is compared with '{key}' of the key")


def write_texts(texts: Iterable[str], output: str, encoding: str = "utf-8") -> None:
    """Write texts unchanged to a file (compressed if named ``.gz``) or standard output."""
    write_bytes(["".join(texts).encode(encoding, errors="xmlcharrefreplace")], output)


singletons_option = options.option(
    "Keep or drop chains of one mention, on both sides.",
    "--singletons/--no-singletons",
    default=True,
)
READABLE_FORMATS = tuple(format.name for format in list_formats("coreference"))
"""Formats that can be read."""
WRITABLE_FORMATS = tuple(
    sorted(format.name for format in list_formats("coreference") if format.writer)
)
"""Formats that can be written."""


@command()
def convert(
    files: tuple[str, ...] = options.paths(),
    target: str = options.choice(WRITABLE_FORMATS, "Output format.", "--to", required=True),
    origin: str | None = options.input_format(READABLE_FORMATS),
    output: str = options.output,
) -> None:
    """Convert coreference FILEs, or all files of a directory, to another format.

    Formats that can be read: MUC SGML, CoNLL-2012, OntoGUM, CorefUD, GAP, ECB+ and
    Tatian's JSONL. A document that is written in its original format does not change by a byte.
    Losses are reported with their number and the first document concerned.
    """
    keep_inputs(output, files)
    opened = open_files(*files, form=origin)
    format = find(target, "coreference")
    documents = opened.documents()
    if not documents:
        raise InputError(f"nothing to write as {target}: the files have no documents")
    texts = list(format.write(documents))
    write_texts(texts, output, opened.encoding(format))
    for message in find_losses(documents, format, "".join(texts)).messages():
        say("warning", f"not in {target}: {message}")
