"""OntoGUM: number, word and coreference in three columns, documents without sentences.

Its documents often have no name and are then identified by their number in the file. Sentences are
split by our own rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tatian.formats import Format
from tatian.formats.conll import ComposedText, TableKind, read_documents
from tatian.formats.tokens import SPLIT_AUTHOR
from tatian.text import Document
from tatian.text.splitter import split_tokens
from tatian.text.tokenizer import compose

_HEADER = re.compile(r"^# begin document", re.MULTILINE | re.IGNORECASE)
_NONE = "_"


def _columns(line: str) -> tuple[str, str]:
    fields = line.split("\t")
    if len(fields) != 3:
        have = "1 column" if len(fields) == 1 else f"{len(fields)} columns"
        raise ValueError(f"{have} where OntoGUM has number, word and coreference, tabs between")
    return fields[1].strip() or _NONE, fields[2].strip()


def _compose(lines: list[list[str]]) -> ComposedText:
    text, tokens, _ = compose(lines)
    return text, tokens, split_tokens(text, tokens)


ONTOGUM = TableKind("ontogum", _columns, _compose, _NONE, "", SPLIT_AUTHOR)


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """Yield the documents of an OntoGUM file's whole text."""
    return read_documents(text, ONTOGUM, path)


FORMAT = Format(
    "ontogum",
    "OntoGUM: number, word, coreference",
    "coreference",
    (".ontogum", ".conll"),
    lambda head: bool(_HEADER.search(head)),
    read,
)
