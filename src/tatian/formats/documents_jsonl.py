"""Tatian documents, one a line: the format that holds everything, sources of other formats too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from tatian.errors import EmptyInput, InputError
from tatian.formats.conllu import FRAMES
from tatian.formats.format import ORIGINAL, Format, Original, original
from tatian.formats.muc import MARKABLES, PARTS
from tatian.formats.tokens import chains_of
from tatian.text import Authorship, Chain, Document

NAME = "jsonl"
LAYERS = (FRAMES, MARKABLES, ORIGINAL, PARTS)
"""Layers that readers of other formats add; they must be known before a document has them."""
_LINKED = re.compile(r'\s*\{(?:(?!"layers").)*?"mentions"\s*:\s*\[', re.DOTALL)
"""How a line of linked mentions begins; in a document that word stands among the layers."""
_MADE = Authorship(by=NAME)


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """The documents of a JSONL file's whole text; a line of blanks counts for nothing."""
    found = False
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip("\ufeff \t\r"):
            continue
        found = True
        try:
            document = _document(line)
        except (msgspec.DecodeError, InputError, RecursionError) as error:
            reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            raise InputError(_reason(reason), path=path, line=number) from error
        if not document.has(ORIGINAL):
            source = Original(NAME, line if number == len(lines) else f"{line}\n")
            document = document.with_layer(ORIGINAL, [source], _MADE)
        yield document
    if not found:
        raise EmptyInput("no document in it", path=path)


def _document(line: str) -> Document:
    document = Document.from_json(msgspec.json.decode(line.removeprefix("\ufeff")))
    for chain in chains_of(document):
        _check(chain, document)
    return document


def _check(chain: Chain, document: Document) -> None:
    for mention in chain.mentions:
        inner = (mention.head, *mention.parts)
        if mention.end > len(document.text):
            where = "lies outside the text"
        elif not all(mention.contains(span) for span in inner if span is not None):
            where = "does not contain its head or its parts"
        else:
            continue
        raise InputError(
            f"not a Tatian document: a mention of chain '{chain.id}' ({mention.start} to "
            f"{mention.end}) {where}"
        )


def _reason(message: str) -> str:
    return message if message.startswith("not a Tatian document") else f"not JSON: {message}"


def write(documents: Iterable[Document]) -> Iterator[str]:
    """A line for each document, as it was read if nothing in it has changed."""
    for document in documents:
        line = original(document, NAME)
        if line is not None:
            layers = {name: one for name, one in document.layers.items() if name != ORIGINAL.name}
            document = msgspec.structs.replace(document, layers=layers)
            if _document(line) == document:
                yield line
                continue
        yield msgspec.json.encode(document).decode() + "\n"


FORMAT = Format(
    NAME,
    "Tatian documents, one a line",
    "coreference",
    (".jsonl", ".json"),
    lambda head: head.lstrip().startswith("{") and not _LINKED.match(head),
    read,
    write,
)
