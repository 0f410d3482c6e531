"""CoNLL-2012: a row per word, the coreference column last, any columns between.

The word is the fourth column (the one before the last where there are fewer than five; the scorer's
own cases have none at all). Columns are separated by tabs, or by blanks where a row has no tab; an
empty last column, as in LitBank, says the same as ``-``. A document is called by its name, and by
its part where that is not the first: ``bc/cnn/0001 part 2``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import NamedTuple

from msgspec import Struct

from tatian.errors import EmptyInput, InputError
from tatian.formats.brackets import Brackets, Spans, is_comment, nested, read_header
from tatian.formats.format import ORIGINAL, Format, Original, original
from tatian.formats.tokens import (
    UNKNOWN,
    Places,
    chain_labels,
    columns,
    same_words,
    with_tokens,
)
from tatian.text import CHAINS, SENTENCES, TOKENS, Authorship, Chain, Document, Mention
from tatian.text.spans import Sentence, Token
from tatian.text.tokenizer import compose

_BEGINS = re.compile(r"^#begin document", re.MULTILINE | re.IGNORECASE)
Composed = tuple[str, list[Token], list[Sentence]]
Mark = tuple[str, int, int]
"""A mention: the label of its chain, its first token, the token after its last."""

_NUMBER = re.compile(r"[0-9]+")


class TableKind(Struct, frozen=True):
    """What sets one format of tables apart from another."""

    name: str
    columns: Callable[[str], tuple[str, str]]
    """A row's word and coreference column; raises ValueError for what is no row."""
    compose: Callable[[list[list[str]]], Composed]
    """Text, tokens and sentences of the words between blank lines."""
    none: str
    """How a row says that nothing begins or ends on it."""
    separator: str
    """What stands between the brackets of one row."""
    sentences: Authorship
    """Who says where sentences end."""


class Section(NamedTuple):
    """The lines of one document, and how many lines of the file stand before them."""

    id: str
    before: int
    lines: list[str]
    end: str = ""
    """What stands after the last of them: a line's end, but not at the end of the file."""


class WordTable(Struct, frozen=True):
    """The rows of one document."""

    rows: list[int]
    """Which of the lines they are."""
    words: list[str]
    cells: list[str]
    """The coreference column, as it is written."""
    sentences: list[list[str]]
    chains: Spans


def sections(text: str, path: str | None) -> Iterator[Section]:
    """The documents of a file; one without a name is called by its number.

    Together their lines are all lines of the file.
    """
    lines = text.split("\n")
    start, number, name, ended = 0, 0, "", False
    for place, raw in enumerate(lines):
        line = raw if place else raw.removeprefix("\ufeff")
        header = read_header(line) if line.startswith("#") else None
        if header is not None and not header.begins:
            ended = True
        elif header is not None or ((ended or not name) and _is_row(line)):
            if name:
                yield Section(name, start, lines[start:place], "\n")
                start = place
            number += 1
            name, ended = (header.id if header else "") or str(number), False
    if not name:
        raise EmptyInput("no document in it", path=path)
    yield Section(name, start, lines[start:])


def _is_row(line: str) -> bool:
    return bool(line) and not line.isspace() and not is_comment(line)


def read_table(section: Section, kind: TableKind, path: str | None) -> WordTable:
    """The rows of a document; errors name the line."""
    table = WordTable([], [], [], [[]], {})
    brackets = Brackets(path)
    for place, raw in enumerate(section.lines):
        line = raw if place else raw.removeprefix("\ufeff")
        if not _is_row(line):
            if table.sentences[-1] and not line.startswith("#"):
                table.sentences.append([])
            continue
        number = section.before + place + 1
        try:
            word, cell = kind.columns(line)
        except ValueError as error:
            raise InputError(str(error), path=path, line=number) from None
        brackets.add(len(table.rows), cell, number)
        table.rows.append(place)
        table.words.append(word)
        table.cells.append(cell)
        table.sentences[-1].append(word)
    if not table.sentences[-1]:
        table.sentences.pop()
    table.chains.update(brackets.finish())
    return table


def read_documents(text: str, kind: TableKind, path: str | None) -> Iterator[Document]:
    """The documents of a file, each with the lines it was read from."""
    made = Authorship(by=kind.name)
    return (_document(section, kind, path, made) for section in sections(text, path))


def _document(section: Section, kind: TableKind, path: str | None, made: Authorship) -> Document:
    table = read_table(section, kind, path)
    text, tokens, sentences = kind.compose(table.sentences)
    chains = [
        Chain(
            f"{section.id}#{label}",
            tuple(sorted(Mention(tokens[one].start, tokens[end - 1].end) for one, end in spans)),
        )
        for label, spans in table.chains.items()
    ]
    document = Document(section.id, text).with_layer(TOKENS, tokens, made)
    document = document.with_layer(SENTENCES, sentences, kind.sentences).with_layer(
        CHAINS, chains, made
    )
    source = Original(kind.name, "\n".join(section.lines) + section.end)
    return document.with_layer(ORIGINAL, [source], made)


def rewritten(document: Document, kind: TableKind) -> str | None:
    """The document's own rows with its chains as they are now; None if the rows are not its own.

    A row that says the same as before is left as it is.
    """
    source = original(document, kind.name)
    if source is None:
        return None
    section = Section(document.id, 0, source.split("\n"))
    table = read_table(section, kind, None)
    if not same_words(table.words, document.tokens):
        return None
    before = [(label, *span) for label, spans in table.chains.items() for span in spans]
    after = marks(document, taken=table.chains)
    if sorted(before) == sorted(after):
        return source
    none = next((cell for cell in table.cells if "(" not in cell and ")" not in cell), kind.none)
    old, new = cells(before), cells(after)
    for row in {*old, *new}:
        items = new.get(row, [])
        if sorted(old.get(row, [])) != sorted(items):
            place = table.rows[row]
            by = kind.separator.join(items) or none
            section.lines[place] = _replaced(section.lines[place], table.cells[row], by)
    return "\n".join(section.lines)


def _replaced(line: str, cell: str, by: str) -> str:
    if not cell:
        content = line.rstrip("\r")
        return content + by + line[len(content) :]
    end = len(line.rstrip())
    return line[: end - len(cell)] + by + line[end:]


def marks(document: Document, taken: Iterable[str] = ()) -> list[Mark]:
    """The mentions by label and tokens; chains without a number, or a label in `taken`, get one."""
    old = frozenset(taken)
    labels = chain_labels(
        document, lambda one: one in old or _NUMBER.fullmatch(one), old, map(str, count())
    )
    return [
        (labels[placed.chain.id], placed.whole.start, placed.whole.stop)
        for placed in Places(document).mentions()
    ]


def cells(found: Iterable[Mark]) -> dict[int, list[str]]:
    """The brackets on each row that has any."""
    return nested(
        (first, stop - 1, f"({label}", f"{label})", f"({label})") for label, first, stop in found
    )


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


CONLL = TableKind("conll", _columns, compose, _EMPTY, "|", Authorship(by="conll"))


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """The documents of a CoNLL file's whole text."""
    return read_documents(text, CONLL, path)


def write(documents: Iterable[Document]) -> Iterator[str]:
    """Each document's own rows with its present chains, or new rows where it has none."""
    for given in documents:
        document = with_tokens(given)
        yield rewritten(document, CONLL) or _fresh(document)


def _name_and_part(id: str) -> tuple[str, int]:
    name = re.sub(r"\s+", " ", id)
    found = _NUMBERED.fullmatch(name)
    return (found[1], int(found[2])) if found else (name, 0)


def _fresh(document: Document) -> str:
    sentences = columns(document)
    found = marks(document)
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


FORMAT = Format(
    "conll",
    "CoNLL-2012 columns (OntoNotes, LitBank, the reference scorer)",
    "coreference",
    (".conll", ".v4_gold_conll", ".v4_auto_conll", ".key", ".response"),
    lambda head: bool(_BEGINS.search(head)),
    read,
    write,
)
