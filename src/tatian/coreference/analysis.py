"""Analysis that the rules over syntax need."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

import msgspec

from tatian.text import NAMES, SENTENCES, TOKENS, WORDS, Authorship, Document, Span, tokenize
from tatian.text.layers import PARTS
from tatian.text.splitter import split_tokens

_LINE_END = re.compile(r"(?<=\S)[ \t]*(?:\r\n?|\n)(?=[ \t]*\S)")


def analyse(document: Document) -> Document:
    """Return the document with tokens, sentences, words and names; existing layers are kept.

    Each annotated part of a MUC document is analysed separately; other parts are left out.
    """
    from tatian.analysis import analyze

    if document.has(WORDS) and document.has(NAMES):
        return document
    if document.has(PARTS) and not document.has(TOKENS):
        parts = [part for part in document.get(PARTS) if part.annotated]
        document = _segment_parts(document, parts)
    analysed = analyze(document)
    if document.has(WORDS):
        layers = {**analysed.layers, WORDS.name: document.layers[WORDS.name]}
        analysed = msgspec.structs.replace(analysed, layers=layers)
    return analysed


def _segment_parts(document: Document, parts: Sequence[Span]) -> Document:
    """Add tokens and sentences within parts; a single line break does not end a sentence."""
    unwrapped = _LINE_END.sub(lambda line_end: " " * len(line_end[0]), document.text)
    by_part = [tokenize(unwrapped, part.start, part.end) for part in parts]
    tokens = chain.from_iterable(by_part)
    sentences = chain.from_iterable(split_tokens(unwrapped, tokens) for tokens in by_part)
    author = Authorship(by="rules")
    return document.with_layer(TOKENS, tokens, author).with_layer(SENTENCES, sentences, author)
