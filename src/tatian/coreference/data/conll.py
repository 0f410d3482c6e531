"""CoNLL-2012: a row per word, the coreference column last, any columns between.

The word is the fourth column (the one before the last where there are fewer than five; the scorer's
own cases have none at all). Columns are separated by tabs, or by blanks where a row has no tab; an
empty last column, as in LitBank, says the same as ``-``. A document is called by its name, and by
its part where that is not the first: ``bc/cnn/0001 part 2``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tatian.coreference.data.composing import UNKNOWN, columns, compose, note_spacing, with_tokens
from tatian.coreference.data.table import (
    Kind,
    cells,
    marks,
    note_crossing,
    read_documents,
    rewritten,
)
from tatian.text import Authorship, Document
from tatian.text.formats import Losses

_BRACKETS = re.compile(r"(?:\(?[^()|\s*]+\)?\|?)+")
_NUMBERED = re.compile(r"(.+) part ([1-9]\d{0,8})", re.ASCII)
_EMPTY = "-"
_BETWEEN = 7
"""Columns from the part of speech to the named entities, of which we say nothing."""


def _columns(line: str) -> tuple[str, str]:
    fields = line.split("\t") if "\t" in line else line.split()
    if len(fields) < 2:
        raise ValueError(
            "1 column where CoNLL has document, part, number, word, ..., and coreference last"
        )
    if len(fields) == 2:
        word = UNKNOWN
    else:
        word = fields[3] if len(fields) > 4 else fields[-2]
    return word.strip() or UNKNOWN, fields[-1].strip() or _last(fields)


def _last(fields: list[str]) -> str:
    """The column before a tab at the end of the row, if that is the coreference."""
    last = next((field.strip() for field in reversed(fields) if field.strip()), "")
    return last if ("(" in last or ")" in last) and _BRACKETS.fullmatch(last) else ""


CONLL = Kind("conll", _columns, compose, _EMPTY, "|", Authorship(by="conll"))


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """The documents of a CoNLL file's whole text."""
    return read_documents(text, CONLL, path)


def write(documents: Iterable[Document], losses: Losses) -> Iterator[str]:
    """Each document's own rows with its present chains, or new rows where it has none."""
    for given in documents:
        document = with_tokens(given)
        yield rewritten(document, CONLL, losses) or _fresh(document, losses)


def _name_and_part(id: str) -> tuple[str, int]:
    name = re.sub(r"\s+", " ", id)
    found = _NUMBERED.fullmatch(name)
    return (found[1], int(found[2])) if found else (name, 0)


def _fresh(document: Document, losses: Losses) -> str:
    sentences = columns(document)
    note_spacing(document, compose(sentences)[0], losses)
    found = marks(document, losses)
    note_crossing(found, document, losses)
    brackets = {row: CONLL.separator.join(items) for row, items in cells(found).items()}
    name, part = _name_and_part(document.id)
    key = name.replace(" ", UNKNOWN)
    lines = [f"#begin document ({name}); part {part:03}"]
    place = 0
    for words in sentences:
        for number, word in enumerate(words):
            cell = brackets.get(place, _EMPTY)
            row = [key, str(part), str(number), word, *[_EMPTY] * _BETWEEN, cell]
            lines.append("\t".join(row))
            place += 1
        lines.append("")
    return "\n".join([*lines, "#end document", ""])
