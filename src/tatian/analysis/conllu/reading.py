"""Documents from CoNLL-U, with its tokens, sentences and annotations as layers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from tatian.analysis.conllu.frames import COLUMNS, FRAMES, NAME, NONE, UNSPACED, Frame, Range, items
from tatian.analysis.decode import name_spans
from tatian.analysis.words import features_of
from tatian.errors import EmptyInput, InputError
from tatian.text import (
    NAMES,
    SENTENCES,
    TOKENS,
    WORDS,
    Authorship,
    Document,
    Name,
    Sentence,
    Token,
    Word,
)

READ = Authorship(by="conllu")
_NEW_DOCUMENT = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(?P<id>.*\S))?\s*$")
_NEW_PARAGRAPH = re.compile(r"#\s*newpar\b")
_RANGE = re.compile(r"([1-9]\d*)-([1-9]\d*)")
_EMPTY_NODE = re.compile(r"\d+\.\d+")


class _Row(Struct, frozen=True):
    """One word's line."""

    form: str
    lemma: str
    tag: str
    fine: str
    features: str
    head: int | None
    relation: str
    misc: str


class _Block(Struct, frozen=True):
    """One sentence's lines."""

    rows: list[_Row]
    frame: Frame


def parse(lines: Iterable[str], name: str = "text", path: str | None = None) -> Iterator[Document]:
    """The documents of a CoNLL-U file, each with tokens, sentences and what is annotated.

    A document begins at ``# newdoc``; its text is put together from the words, which stand in it
    exactly as they are. Comments, multiword tokens and MISC are kept in the layer `FRAMES`; empty
    nodes and enhanced dependencies are not.
    """
    blocks: list[_Block] = []
    number, identity, found = 0, "", False
    for block in _blocks(lines, path):
        starts = [m for comment in block.frame.comments if (m := _NEW_DOCUMENT.match(comment))]
        if starts and blocks:
            yield _document(blocks, identity)
            blocks = []
        if not blocks:
            number += 1
            given = starts[0]["id"] if starts else None
            identity = given or (name if number == 1 else f"{name}-{number}")
        blocks.append(block)
        found = True
    if not found:
        raise EmptyInput("empty: there are no sentences in it", path=path)
    yield _document(blocks, identity)


def _blocks(lines: Iterable[str], path: str | None) -> Iterator[_Block]:
    comments: list[str] = []
    rows: list[_Row] = []
    ranges: list[Range] = []
    number = 0
    for number, raw in enumerate(lines, start=1):
        line = raw.rstrip("\r\n").removeprefix("\ufeff")
        if line.startswith("#") and not rows:
            comments.append(line)
        elif line.strip():
            _take(line, rows, ranges, path, number)
        elif rows:
            yield _checked(comments, rows, ranges, path, number)
            comments, rows, ranges = [], [], []
    if rows:
        yield _checked(comments, rows, ranges, path, number)


def _take(line: str, rows: list[_Row], ranges: list[Range], path: str | None, number: int) -> None:
    """Add one line of the table to the sentence."""
    columns = line.split("\t")
    if len(columns) != COLUMNS:
        message = f"{len(columns)} columns where CoNLL-U has {COLUMNS}, separated by tabs"
        raise InputError(message, path=path, line=number)
    if columns[0] == str(len(rows) + 1):
        rows.append(_row(columns, path, number))
    elif span := _RANGE.fullmatch(columns[0]):
        first, last = int(span[1]), int(span[2])
        if first != len(rows) + 1 or last < first or (ranges and first <= ranges[-1].last):
            raise InputError(f"the range {columns[0]} is out of place", path=path, line=number)
        ranges.append(Range(first, last, columns[1], columns[9]))
    elif not _EMPTY_NODE.fullmatch(columns[0]):
        message = f"the word is numbered {columns[0]}, not {len(rows) + 1}"
        raise InputError(message, path=path, line=number)


def _row(columns: list[str], path: str | None, number: int) -> _Row:
    _, form, lemma, tag, fine, features, head, relation, _, misc = columns
    if not form:
        raise InputError("the word has no form", path=path, line=number)
    if head != NONE and not head.isdecimal():
        raise InputError(f"the head is '{head}', not a number", path=path, line=number)
    return _Row(
        form=form,
        lemma=lemma,
        tag=tag,
        fine=fine,
        features=features,
        head=None if head == NONE else int(head),
        relation=relation,
        misc=misc,
    )


def _checked(
    comments: list[str], rows: list[_Row], ranges: list[Range], path: str | None, number: int
) -> _Block:
    if ranges and ranges[-1].last > len(rows):
        message = f"the range {ranges[-1].first}-{ranges[-1].last} goes beyond the sentence"
        raise InputError(message, path=path, line=number)
    wrong = next((row for row in rows if (row.head or 0) > len(rows)), None)
    if wrong is not None:
        message = f"the head of '{wrong.form}' is {wrong.head}, beyond the sentence"
        raise InputError(message, path=path, line=number)
    return _Block(rows, Frame(tuple(comments), tuple(ranges), tuple(row.misc for row in rows)))


def _document(blocks: list[_Block], identity: str) -> Document:
    pieces: list[str] = []
    length = 0
    tokens: list[Token] = []
    sentences: list[Sentence] = []
    words: list[Word] = []
    names: list[Name] = []
    for block in blocks:
        if pieces and any(map(_NEW_PARAGRAPH.match, block.frame.comments)):
            length += 2 - len(pieces[-1])
            pieces[-1] = "\n\n"
        base = len(tokens)
        for row, spaced in zip(block.rows, _spaces(block), strict=True):
            tokens.append(Token(length, length + len(row.form), row.form))
            pieces += [row.form, " " if spaced else ""]
            length += len(row.form) + spaced
        sentences.append(Sentence(tokens[base].start, tokens[-1].end))
        words += _words(block.rows, base)
        labels = [_name_label(row.misc) for row in block.rows]
        for first, end, kind in name_spans(labels):
            names.append(Name(tokens[base + first].start, tokens[base + end - 1].end, kind))
    document = Document(identity, "".join(pieces).rstrip(" "))
    document = document.with_layer(TOKENS, tokens, READ).with_layer(SENTENCES, sentences, READ)
    document = document.with_layer(FRAMES, [block.frame for block in blocks], READ)
    if any(row.head is not None or row.tag != NONE for block in blocks for row in block.rows):
        document = document.with_layer(WORDS, words, READ)
    return document.with_layer(NAMES, names, READ) if names else document


def _spaces(block: _Block) -> Iterator[bool]:
    """For each word, whether a blank follows it.

    Inside a multiword token none does, unless its words do not spell it: then they stand apart.
    """
    after = {}
    for one in block.frame.ranges:
        whole = "".join(row.form for row in block.rows[one.first - 1 : one.last])
        for place in range(one.first, one.last):
            after[place] = whole != one.form
        after[one.last] = UNSPACED not in items(one.misc)
    for place, row in enumerate(block.rows, start=1):
        yield after.get(place, UNSPACED not in items(row.misc))


def _words(rows: list[_Row], base: int) -> Iterator[Word]:
    for place, row in enumerate(rows):
        yield Word(
            token=base + place,
            tag=_unless_empty(row.tag),
            lemma=row.lemma if row.form == NONE else _unless_empty(row.lemma),
            head=base + row.head - 1 if row.head else -1,
            relation=_unless_empty(row.relation),
            fine=_unless_empty(row.fine),
            features=features_of(row.features),
        )


def _unless_empty(column: str) -> str:
    return "" if column == NONE else column


def _name_label(misc: str) -> str:
    return next((item[len(NAME) :] for item in items(misc) if item.startswith(NAME)), "O")
