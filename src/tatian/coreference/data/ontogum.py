"""OntoGUM: number, word and coreference in three columns, documents without sentences.

Its documents often have no name; they are called by their number in the file then. Sentences are
cut by our own rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tatian.coreference.data.composing import CUT, columns, compose, note_spacing, with_tokens
from tatian.coreference.data.table import (
    Composed,
    Kind,
    cells,
    marks,
    note_crossing,
    read_documents,
    rewritten,
)
from tatian.text import Document
from tatian.text.formats import Losses
from tatian.text.splitter import split_tokens

_NONE = "_"


def _columns(line: str) -> tuple[str, str]:
    fields = line.split("\t")
    if len(fields) != 3:
        have = "1 column" if len(fields) == 1 else f"{len(fields)} columns"
        raise ValueError(f"{have} where OntoGUM has number, word and coreference, tabs between")
    return fields[1].strip() or _NONE, fields[2].strip()


def _compose(lines: list[list[str]]) -> Composed:
    text, tokens, _ = compose(lines)
    return text, tokens, split_tokens(text, tokens)


ONTOGUM = Kind("ontogum", _columns, _compose, _NONE, "", CUT)


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """The documents of an OntoGUM file's whole text."""
    return read_documents(text, ONTOGUM, path)


def write(documents: Iterable[Document], losses: Losses) -> Iterator[str]:
    """Each document's own rows with its present chains, or new rows where it has none."""
    for given in documents:
        document = with_tokens(given)
        yield rewritten(document, ONTOGUM, losses) or _fresh(document, losses)


def _fresh(document: Document, losses: Losses) -> str:
    words = [word for sentence in columns(document) for word in sentence]
    note_spacing(document, compose([words])[0], losses)
    found = marks(document, losses)
    note_crossing(found, document, losses)
    brackets = {row: ONTOGUM.separator.join(items) for row, items in cells(found).items()}
    name = re.sub(r"\s+", " ", document.id)
    rows = [f"{place}\t{word}\t{brackets.get(place, _NONE)}" for place, word in enumerate(words)]
    return "\n".join([f"# begin document {name}", *rows, "# end document", ""])
