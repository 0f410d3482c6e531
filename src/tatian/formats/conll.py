"""CoNLL-2012: a row per word, the coreference column last, any columns between.

The word is the fourth column, or the one before the last if there are fewer than five; the scorer's
own cases have none. Columns are separated by tabs, or by blanks where a row has no tab. An empty
last column, as in LitBank, means the same as ``-``. A document is identified by its name, and by
its part if that is not the first: ``bc/cnn/0001 part 2``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import count
from typing import NamedTuple

from msgspec import Struct

from tatian.errors import EmptyInput, InputError
from tatian.formats import ORIGINAL, Format, Original, original
from tatian.formats.brackets import BracketReader, Spans, is_comment, nest_brackets, read_header
from tatian.formats.tokens import UNKNOWN, Places, chain_labels, columns, same_words, with_tokens
from tatian.text import CHAINS, SENTENCES, TOKENS, Authorship, Chain, Document, Mention
from tatian.text.spans import Sentence, Token
from tatian.text.tokenizer import compose

_HEADER = re.compile(r"^#begin document", re.MULTILINE | re.IGNORECASE)
ComposedText = tuple[str, list[Token], list[Sentence]]
LabelledSpan = tuple[str, int, int]
"""A mention: the label of its chain, its first token, the token after its last."""

_NUMBER = re.compile(r"[0-9]+")


class TableKind(Struct, frozen=True):
    """Properties of a format of tables."""

    name: str
    columns: Callable[[str], tuple[str, str]]
    """Returns a row's word and coreference column; raises `ValueError` if it is no row."""
    compose: Callable[[list[list[str]]], ComposedText]
    """Returns text, tokens and sentences, given the words between blank lines."""
    none: str
    """Cell of a row on which nothing begins or ends."""
    separator: str
    """Separator of the brackets of one row."""
    sentences: Authorship
    """Author of the sentence borders."""


class Section(NamedTuple):
    """Lines of one document, and the number of lines of the file before them."""

    id: str
    before: int
    lines: list[str]
    end: str = ""
    """Text after the last line: a line end, or nothing at the end of the file."""


class WordTable(Struct, frozen=True):
    """The rows of one document."""

    rows: list[int]
    """Numbers of their lines."""
    words: list[str]
    cells: list[str]
    """The coreference column of each row."""
    sentences: list[list[str]]
    chains: Spans


def sections(text: str, path: str | None) -> Iterator[Section]:
    """Yield the documents of a file; the id of one without a name is its number.

    Together their lines are all lines of the file.
    """
    lines = text.split("\n")
    start, number, name, has_ended = 0, 0, "", False
    for place, raw in enumerate(lines):
        line = raw if place else raw.removeprefix("\ufeff")
        header = read_header(line) if line.startswith("#") else None
        if header is not None and not header.begins:
            has_ended = True
        elif header is not None or ((has_ended or not name) and _is_row(line)):
            if name:
                yield Section(name, start, lines[start:place], "\n")
                start = place
            number += 1
            name, has_ended = (header.id if header else "") or str(number), False
    if not name:
        raise EmptyInput("the file contains no document", path=path)
    yield Section(name, start, lines[start:])


def _is_row(line: str) -> bool:
    return bool(line) and not line.isspace() and not is_comment(line)


def read_table(section: Section, kind: TableKind, path: str | None) -> WordTable:
    """Read the rows of a document; errors name the line."""
    table = WordTable([], [], [], [[]], {})
    brackets = BracketReader(path)
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
    """Yield the documents of a file, each with the lines it was read from."""
    author = Authorship(by=kind.name)
    return (_document(section, kind, path, author) for section in sections(text, path))


def _document(section: Section, kind: TableKind, path: str | None, author: Authorship) -> Document:
    table = read_table(section, kind, path)
    text, tokens, sentences = kind.compose(table.sentences)
    chains = []
    for label, spans in table.chains.items():
        mentions = (Mention(tokens[first].start, tokens[end - 1].end) for first, end in spans)
        chains.append(Chain(f"{section.id}#{label}", tuple(sorted(mentions))))
    document = Document(section.id, text).with_layer(TOKENS, tokens, author)
    document = document.with_layer(SENTENCES, sentences, kind.sentences)
    document = document.with_layer(CHAINS, chains, author)
    source = Original(kind.name, "\n".join(section.lines) + section.end)
    return document.with_layer(ORIGINAL, [source], author)


def rewrite(document: Document, kind: TableKind) -> str | None:
    """Return the document's own rows with its present chains; None if the rows do not fit.

    Rows that have not changed are left as they are.
    """
    source = original(document, kind.name)
    if source is None:
        return None
    section = Section(document.id, 0, source.split("\n"))
    table = read_table(section, kind, None)
    if not same_words(table.words, document.tokens):
        return None
    before = [(label, *span) for label, spans in table.chains.items() for span in spans]
    after = labelled_spans(document, taken=table.chains)
    if sorted(before) == sorted(after):
        return source
    none = next((cell for cell in table.cells if "(" not in cell and ")" not in cell), kind.none)
    old, new = brackets_by_row(before), brackets_by_row(after)
    for row in {*old, *new}:
        brackets = new.get(row, [])
        if sorted(old.get(row, [])) != sorted(brackets):
            line = section.lines[table.rows[row]]
            cell = kind.separator.join(brackets) or none
            section.lines[table.rows[row]] = _replace_cell(line, table.cells[row], cell)
    return "\n".join(section.lines)


def _replace_cell(line: str, cell: str, replacement: str) -> str:
    if not cell:
        content = line.rstrip("\r")
        return content + replacement + line[len(content) :]
    end = len(line.rstrip())
    return line[: end - len(cell)] + replacement + line[end:]


def labelled_spans(document: Document, taken: Collection[str] = ()) -> list[LabelledSpan]:
    """Return mentions by label and tokens; chains without a usable label get a number."""

    def is_usable(label: str) -> bool:
        return label in taken or _NUMBER.fullmatch(label) is not None

    labels = chain_labels(document, is_usable, taken, map(str, count()))
    return [
        (labels[placed.chain.id], placed.whole.start, placed.whole.stop)
        for placed in Places(document).mentions()
    ]


def brackets_by_row(mentions: Iterable[LabelledSpan]) -> dict[int, list[str]]:
    """Return the brackets on each row that has any."""
    return nest_brackets(
        (first, stop - 1, f"({label}", f"{label})", f"({label})") for label, first, stop in mentions
    )


_BRACKETS = re.compile(r"(?:\(?[^()|\s*]+\)?\|?)+")
_NUMBERED = re.compile(r"(.+) part ([1-9]\d{0,8})", re.ASCII)
_EMPTY = "-"
_MIDDLE_COLUMNS = 7
"""Number of columns from the part of speech to the named entities, which stay empty."""


def _columns(line: str) -> tuple[str, str]:
    fields = line.split("\t") if "\t" in line else line.split()
    if len(fields) < 2:
        wanted = "document, part, number, word, ..., and coreference last"
        raise ValueError(f"1 column where CoNLL has {wanted}")
    word = fields[3] if len(fields) > 4 else fields[-2] if len(fields) > 2 else UNKNOWN
    last = next((field.strip() for field in reversed(fields) if field.strip()), "")
    is_filled = fields[-1].strip() or (("(" in last or ")" in last) and _BRACKETS.fullmatch(last))
    return word.strip() or UNKNOWN, last if is_filled else ""


CONLL = TableKind("conll", _columns, compose, _EMPTY, "|", Authorship(by="conll"))


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """Read the documents of a CoNLL file."""
    return read_documents(text, CONLL, path)


def write(documents: Iterable[Document]) -> Iterator[str]:
    """Yield each document: its own rows with its present chains, or new rows."""
    for source in documents:
        document = with_tokens(source)
        yield rewrite(document, CONLL) or _new_rows(document)


def _name_and_part(id: str) -> tuple[str, int]:
    name = re.sub(r"\s+", " ", id)
    numbered = _NUMBERED.fullmatch(name)
    return (numbered[1], int(numbered[2])) if numbered else (name, 0)


def _new_rows(document: Document) -> str:
    brackets = brackets_by_row(labelled_spans(document))
    name, part = _name_and_part(document.id)
    start = [name.replace(" ", UNKNOWN), str(part)]
    lines = [f"#begin document ({name}); part {part:03}"]
    rows = count()
    for words in columns(document):
        for number, word in enumerate(words):
            cell = CONLL.separator.join(brackets.get(next(rows), [_EMPTY]))
            lines.append("\t".join([*start, str(number), word, *[_EMPTY] * _MIDDLE_COLUMNS, cell]))
        lines.append("")
    return "\n".join([*lines, "#end document", ""])


FORMAT = Format(
    "conll",
    "CoNLL-2012 columns (OntoNotes, LitBank, the reference scorer)",
    "coreference",
    (".conll", ".v4_gold_conll", ".v4_auto_conll", ".key", ".response"),
    lambda head: bool(_HEADER.search(head)),
    read,
    write,
)
