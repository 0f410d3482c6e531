"""Analysed documents for spaCy, with offsets that agree."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from tatian.analysis.segments import token_ranges
from tatian.analysis.words import features_text
from tatian.errors import MissingExtra
from tatian.text import NAMES, WORDS, Document, Word


class _Piece(Struct, frozen=True):
    """One spaCy token: one of ours, or white space that a single blank cannot stand for."""

    text: str
    space: bool
    token: int = -1
    """Index into our tokens, -1 for white space."""


def to_spacy(document: Document, vocab: Any = None) -> Any:
    """The document as a ``spacy.tokens.Doc`` whose text, and so every offset, is the same.

    Tags, lemmas, features, heads, relations, sentences and names go along, as far as the document
    has them. `vocab` is spaCy's; without it a blank English one is made. White space that is more
    than a single blank becomes tokens of its own, as in spaCy's tokenizer.
    """
    try:
        spacy = importlib.import_module("spacy")
        tokens = importlib.import_module("spacy.tokens")
    except ImportError:
        raise MissingExtra("to_spacy", "spacy") from None
    pieces = list(_pieces(document))
    doc = tokens.Doc(
        vocab if vocab is not None else spacy.blank("en").vocab,
        words=[piece.text for piece in pieces],
        spaces=[piece.space for piece in pieces],
        **_annotations(document, pieces),
    )
    if document.has(NAMES):
        ends = [doc.char_span(name.start, name.end, name.type) for name in document.get(NAMES)]
        doc.set_ents([end for end in ends if end is not None], default="outside")
    return doc


def _pieces(document: Document) -> Iterator[_Piece]:
    position = 0
    tokens = document.tokens
    for index, token in enumerate(tokens):
        if token.start > position:
            yield _Piece(document.text[position : token.start], False)
        following = tokens[index + 1].start if index + 1 < len(tokens) else len(document.text)
        space = document.text[token.end : following].startswith(" ")
        yield _Piece(token.text, space, index)
        position = token.end + space
    if position < len(document.text):
        yield _Piece(document.text[position:], False)


def _annotations(document: Document, pieces: Sequence[_Piece]) -> dict[str, list[Any]]:
    """What spaCy's constructor wants of every token, white space included."""
    if not document.has(WORDS):
        return {"sent_starts": _sentence_starts(document, pieces)}
    words = {word.token: word for word in document.get(WORDS)}
    placed = [(piece, words.get(piece.token)) for piece in pieces]
    blank = [piece.token < 0 for piece in pieces]
    return {
        "tags": [w.fine if w else "_SP" * b for (_, w), b in zip(placed, blank, strict=True)],
        "pos": [w.tag if w else "SPACE" * b for (_, w), b in zip(placed, blank, strict=True)],
        "morphs": [features_text(w.features) if w else "" for _, w in placed],
        "lemmas": [w.lemma if w else piece.text for piece, w in placed],
        "heads": _heads(placed),
        "deps": [_dependency(w) for _, w in placed],
    }


def _sentence_starts(document: Document, pieces: Sequence[_Piece]) -> list[bool]:
    """Which tokens begin a sentence; white space before the first belongs to it."""
    starts = {places.start for places in token_ranges(document) if len(places)}
    found = [piece.token in starts for piece in pieces]
    if pieces and pieces[0].token < 0:
        found[:2] = [True, False][: len(found)]
    return found


def _dependency(word: Word | None) -> str:
    if word is None or not word.relation:
        return "dep"
    return "ROOT" if word.relation == "root" else word.relation


def _heads(placed: Sequence[tuple[_Piece, Word | None]]) -> list[int]:
    """Each token's head by place; roots are their own, white space hangs on its neighbour."""
    place_of = {piece.token: place for place, (piece, _) in enumerate(placed)}
    heads: list[int] = []
    for place, (piece, word) in enumerate(placed):
        if word is not None and word.head >= 0:
            heads.append(place_of[word.head])
        elif piece.token < 0:
            heads.append(place - 1 if place else min(1, len(placed) - 1))
        else:
            heads.append(place)
    return heads
