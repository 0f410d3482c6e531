"""CoNLL-U: sentences checked line by line, and documents with all their annotations.

`tatian.formats.conllu_writer` writes them again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from tatian.analysis.pieces import features_of
from tatian.errors import EmptyInput, InputError
from tatian.text import (
    NAMES,
    SENTENCES,
    TOKENS,
    WORDS,
    Authorship,
    Document,
    LayerKey,
    Name,
    Sentence,
    Token,
    Word,
)
from tatian.text.spans import name_spans

COLUMNS = 10
NONE = "_"
"""An empty column."""
NAME = "NER="
"""Start of the item of MISC that holds a word's name label."""
UNSPACED = "SpaceAfter=No"


class MultiwordToken(Struct, frozen=True, omit_defaults=True):
    """Words `first` to `last`, counted from 1, that are written as one `form`."""

    first: int
    last: int
    form: str
    misc: str = NONE
    features: str = NONE
    """Usually empty, or ``Typo=Yes``."""


class Frame(Struct, frozen=True, omit_defaults=True):
    """Comments of a sentence, its multiword tokens, and the MISC column of each word."""

    comments: tuple[str, ...] = ()
    """Whole lines, with their ``#``."""
    ranges: tuple[MultiwordToken, ...] = ()
    misc: tuple[str, ...] = ()
    enhanced: tuple[str, ...] = ()
    """Enhanced dependencies (DEPS) of each word; empty if no word has any."""
    empty: tuple[str, ...] = ()
    """Empty nodes, as whole lines."""

    def comment(self, key: str) -> str | None:
        """Return the value of ``# key = value``: empty for ``# key`` alone, None without either."""
        for line in self.comments:
            name, _, value = line.removeprefix("#").partition("=")
            if name.strip() == key:
                return value.strip()
        return None

    def opens(self, unit: str) -> bool:
        """Return whether a new document (``newdoc``) or paragraph (``newpar``) begins here."""
        return any(self.comment(key) is not None for key in (unit, f"{unit} id"))


FRAMES = LayerKey("conllu", Frame)
"""One frame per sentence of the sentences layer."""


def items(misc: str) -> list[str]:
    """Return the items of a MISC column."""
    return [] if misc == NONE else misc.split("|")


def value(misc: str, start: str) -> str:
    """Return the text after `start` (such as ``NER=``) in a MISC column; empty if not listed."""
    return next((item[len(start) :] for item in items(misc) if item.startswith(start)), "")


_RANGE = re.compile(r"([1-9]\d*)-([1-9]\d*)")
_EMPTY_NODE = re.compile(r"(\d+)\.([1-9]\d*)")


class ConlluRow(Struct, frozen=True):
    """One word's line, as it is written."""

    form: str
    lemma: str
    tag: str
    fine: str
    features: str
    head: int | None
    """Head counted from 1, 0 for the root, None where nothing is annotated."""
    relation: str
    misc: str


class ConlluSentence(Struct, frozen=True):
    """One sentence: its words, comments and other lines."""

    rows: tuple[ConlluRow, ...]
    frame: Frame


def blocks(lines: Iterable[str], path: str | None = None) -> Iterator[ConlluSentence]:
    """Yield the sentences of a CoNLL-U file; errors name `path`.

    `lines` is the file, its lines, or its whole text. An empty column counts as ``_``.
    """
    block = _SentenceReader(path)
    for number, raw in enumerate(lines.split("\n") if isinstance(lines, str) else lines, start=1):
        line = raw.rstrip("\r\n").removeprefix("\ufeff")
        if line.strip():
            block.add_line(line, number)
        elif block.rows:
            yield block.finish()
            block = _SentenceReader(path)
    if block.rows:
        yield block.finish()


class _SentenceReader:
    """Collects the lines of one sentence."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self.comments: list[str] = []
        self.rows: list[ConlluRow] = []
        self.ranges: list[MultiwordToken] = []
        self.enhanced: list[str] = []
        self.empty: list[str] = []
        self.last_reference = (0, "", 0)
        """Highest word number that is referred to, the reference in words, and its line."""

    def add_line(self, line: str, number: int) -> None:
        """Add one line."""
        problem = ""
        if "\r" in line:
            problem = "a carriage return inside the line: end lines with a line feed"
        elif not line.startswith("#"):
            problem = self._add(line.split("\t"), number)
        elif self.rows:
            problem = "a comment inside a sentence: put it, or a blank line, before the words"
        else:
            self.comments.append(line)
        if problem:
            raise InputError(problem, path=self.path, line=number)

    def _add(self, columns: list[str], number: int) -> str:
        """Add a line of the table; return a description of its error, or nothing."""
        if len(columns) != COLUMNS:
            count = "1 column" if len(columns) == 1 else f"{len(columns)} columns"
            return f"{count} where CoNLL-U has {COLUMNS}, separated by tabs"
        if not columns[1].strip():
            return "the word has no form"
        columns = [column.strip() or NONE for column in columns]
        place = len(self.rows) + 1
        if columns[0] == str(place):
            return self._add_word(columns, number)
        if span := _RANGE.fullmatch(columns[0]):
            first, last = int(span[1]), int(span[2])
            if first != place or last < first or (self.ranges and first <= self.ranges[-1].last):
                return f"the range {columns[0]} is out of place"
            self.ranges.append(MultiwordToken(first, last, columns[1], columns[9], columns[5]))
            self._reach(last, f"the range {columns[0]} goes", number)
        elif node := _EMPTY_NODE.fullmatch(columns[0]):
            if int(node[1]) != place - 1:
                return f"the empty node {columns[0]} is out of place"
            self.empty.append("\t".join(columns))
        else:
            return f"the word is numbered {columns[0]}, not {place}"
        return ""

    def _add_word(self, columns: list[str], number: int) -> str:
        _, form, lemma, tag, fine, features, head, relation, enhanced, misc = columns
        if head != NONE and not head.isdecimal():
            return f"the head is '{head}': it must be the number of a word, 0 for the root, or _"
        governor = None if head == NONE else int(head)
        self.rows.append(ConlluRow(form, lemma, tag, fine, features, governor, relation, misc))
        self.enhanced.append(enhanced)
        self._reach(governor or 0, f"the head of '{form}' is {head},", number)
        return ""

    def _reach(self, word: int, what: str, number: int) -> None:
        if word > self.last_reference[0]:
            self.last_reference = (word, what, number)

    def finish(self) -> ConlluSentence:
        """Return the sentence; raise an `InputError` if it refers to a word beyond its end."""
        word, what, number = self.last_reference
        if word > len(self.rows):
            raise InputError(f"{what} beyond the sentence", path=self.path, line=number)
        frame = Frame(
            comments=tuple(self.comments),
            ranges=tuple(self.ranges),
            misc=tuple(row.misc for row in self.rows),
            enhanced=tuple(self.enhanced) if set(self.enhanced) != {NONE} else (),
            empty=tuple(self.empty),
        )
        return ConlluSentence(tuple(self.rows), frame)


AUTHOR = Authorship(by="conllu")


def parse(lines: Iterable[str], name: str = "text", path: str | None = None) -> Iterator[Document]:
    """Yield the documents of a CoNLL-U file, each with tokens, sentences and annotations.

    `lines` is the file, its lines, or its whole text. A document begins at ``# newdoc``; without an
    id it is called `name`. Its text is joined from the words, which stay exactly as they are. Other
    contents (comments, multiword tokens, MISC, empty nodes, enhanced dependencies) are kept in the
    layer `FRAMES`.
    """
    sentences: list[ConlluSentence] = []
    number, id = 0, ""
    for sentence in blocks(lines, path):
        if sentences and sentence.frame.opens("newdoc"):
            yield _document(sentences, id)
            sentences = []
        if not sentences:
            number += 1
            default_id = name if number == 1 or not name else f"{name}-{number}"
            id = sentence.frame.comment("newdoc id") or default_id
        sentences.append(sentence)
    if not sentences:
        raise EmptyInput("empty: there are no sentences in it", path=path)
    yield _document(sentences, id)


def _document(source: list[ConlluSentence], id: str) -> Document:
    pieces: list[str] = []
    length = 0
    tokens: list[Token] = []
    sentences: list[Sentence] = []
    words: list[Word] = []
    names: list[Name] = []
    for block in source:
        if pieces and block.frame.opens("newpar"):
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
    document = Document(id, "".join(pieces).rstrip(" "))
    document = document.with_layer(TOKENS, tokens, AUTHOR).with_layer(SENTENCES, sentences, AUTHOR)
    document = document.with_layer(FRAMES, [block.frame for block in source], AUTHOR)
    if any(row.head is not None or row.tag != NONE for block in source for row in block.rows):
        document = document.with_layer(WORDS, words, AUTHOR)
    return document.with_layer(NAMES, names, AUTHOR) if names else document


def _spaces(block: ConlluSentence) -> Iterator[bool]:
    """Yield for each word whether a blank follows it.

    There are no blanks inside a multiword token, unless its words do not spell it.
    """
    spaced = [UNSPACED not in items(row.misc) for row in block.rows]
    for token in block.frame.ranges:
        forms = "".join(row.form for row in block.rows[token.first - 1 : token.last])
        inside = [forms != token.form] * (token.last - token.first)
        spaced[token.first - 1 : token.last] = [*inside, UNSPACED not in items(token.misc)]
    return iter(spaced)


def _words(rows: tuple[ConlluRow, ...], base: int) -> Iterator[Word]:
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
    label = value(misc, NAME)
    return label if label.startswith(("B-", "I-")) else "O"
