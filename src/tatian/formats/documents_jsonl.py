"""Tatian documents, one per line: the format that holds everything, also original sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from tatian.errors import InputError
from tatian.formats import ORIGINAL, Format, Original, original
from tatian.formats.conllu import FRAMES
from tatian.formats.mentions_jsonl import parse_lines
from tatian.formats.muc import MARKABLES, PARTS
from tatian.formats.tokens import chains_of
from tatian.text import Authorship, Chain, Document

NAME = "jsonl"
FOREIGN_LAYERS = (FRAMES, MARKABLES, ORIGINAL, PARTS)
"""Layers of other formats' readers; they must be known before a document has them."""
_LINKED_MENTIONS = re.compile(r'\s*\{(?:(?!"layers").)*?"mentions"\s*:\s*\[', re.DOTALL)
"""Beginning of a line of linked mentions; in a document that word is among the layers."""
_AUTHOR = Authorship(by=NAME)


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """Yield the documents of a JSONL file's whole text; blank lines are skipped."""
    lines = text.split("\n")
    for number, document in parse_lines(text, path, _document, "document"):
        if not document.has(ORIGINAL):
            end = "\n" if number < len(lines) else ""
            source = Original(NAME, lines[number - 1] + end)
            document = document.with_layer(ORIGINAL, [source], _AUTHOR)
        yield document


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


def write(documents: Iterable[Document]) -> Iterator[str]:
    """Yield a line for each document, as it was read if nothing in it has changed."""
    for document in documents:
        line = original(document, NAME)
        if line is not None:
            layers = dict(document.layers)
            del layers[ORIGINAL.name]
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
    lambda head: head.lstrip().startswith("{") and not _LINKED_MENTIONS.match(head),
    read,
    write,
)
