"""Documents with words and names for rules over syntax; trees that people made are kept."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from tatian.text import (
    NAMES,
    SENTENCES,
    TOKENS,
    WORDS,
    Authorship,
    Document,
    Sentence,
    Span,
    tokenize,
)
from tatian.text.layers import PARTS
from tatian.text.splitter import split_tokens

_LINE_END = re.compile(r"(?<=\S)[ \t]*(?:\r\n?|\n)(?=[ \t]*\S)")


def analysed(document: Document) -> Document:
    """The document with tokens, sentences, words and names; its own are kept where it has them.

    The parts of a MUC document are analysed each for itself, those that are not annotated not at
    all.
    """
    from tatian.analysis import analyze

    if document.has(WORDS) and document.has(NAMES):
        return document
    if document.has(PARTS) and not document.has(TOKENS):
        parts = [part for part in document.get(PARTS) if part.annotated]
        document = in_parts(document, parts)
    full = analyze(document)
    if document.has(WORDS):
        layers = {**full.layers, WORDS.name: document.layers[WORDS.name]}
        full = msgspec.structs.replace(full, layers=layers)
    return full


def in_parts(document: Document, parts: Sequence[Span]) -> Document:
    """The document with tokens and sentences that never run across a part's border.

    A single line end is taken for a blank: only a blank line ends a sentence. Offsets stay.
    """
    unwrapped = _LINE_END.sub(_blank, document.text)
    tokens = []
    sentences: list[Sentence] = []
    for part in parts:
        own = tokenize(unwrapped, part.start, part.end)
        tokens.extend(own)
        sentences.extend(split_tokens(unwrapped, own))
    made = Authorship(by="rules")
    return document.with_layer(TOKENS, tokens, made).with_layer(SENTENCES, sentences, made)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])
