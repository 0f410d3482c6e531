"""Documents from CoNLL-U, with its tokens, sentences and annotations as layers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tatian.analysis.words import features_of
from tatian.errors import EmptyInput
from tatian.formats.conllu.blocks import Block, Row, blocks
from tatian.formats.conllu.frames import FRAMES, NAME, NONE, UNSPACED, items, value
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
from tatian.text.spans import name_spans

READ = Authorship(by="conllu")


def parse(lines: Iterable[str], name: str = "text", path: str | None = None) -> Iterator[Document]:
    """The documents of a CoNLL-U file, each with tokens, sentences and what is annotated.

    `lines` is the file, its lines, or its whole text. A document begins at ``# newdoc``; without
    an id it is called `name`. Its text is put together from the words, which stand in it exactly
    as they are. What else the file says (comments, multiword tokens, MISC, empty nodes, enhanced
    dependencies) is kept in the layer `FRAMES`.
    """
    gathered: list[Block] = []
    number, identity = 0, ""
    for block in blocks(lines, path):
        if gathered and block.frame.opens("newdoc"):
            yield _document(gathered, identity)
            gathered = []
        if not gathered:
            number += 1
            numbered = name if number == 1 or not name else f"{name}-{number}"
            identity = block.frame.comment("newdoc id") or numbered
        gathered.append(block)
    if not gathered:
        raise EmptyInput("empty: there are no sentences in it", path=path)
    yield _document(gathered, identity)


def _document(gathered: list[Block], identity: str) -> Document:
    pieces: list[str] = []
    length = 0
    tokens: list[Token] = []
    sentences: list[Sentence] = []
    words: list[Word] = []
    names: list[Name] = []
    for block in gathered:
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
    document = Document(identity, "".join(pieces).rstrip(" "))
    document = document.with_layer(TOKENS, tokens, READ).with_layer(SENTENCES, sentences, READ)
    document = document.with_layer(FRAMES, [block.frame for block in gathered], READ)
    if any(row.head is not None or row.tag != NONE for block in gathered for row in block.rows):
        document = document.with_layer(WORDS, words, READ)
    return document.with_layer(NAMES, names, READ) if names else document


def _spaces(block: Block) -> Iterator[bool]:
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


def _words(rows: tuple[Row, ...], base: int) -> Iterator[Word]:
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
