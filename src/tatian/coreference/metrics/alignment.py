"""Alignment of key and response documents by shared offsets."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import partial
from itertools import accumulate

from tatian.errors import InputError
from tatian.formats import ORIGINAL
from tatian.text import CHAINS, TOKENS, Document

Offset = Callable[[int], int]
"""Maps an offset in a document to an offset common to key and response."""

_TABLE_FORMATS = {"conll", "ontogum"}


def shared_offsets(key: Document, response: Document) -> tuple[Offset, Offset]:
    """Return functions that map both documents' mentions to shared offsets.

    The texts may differ as in `shared_characters`. Token tables (CoNLL) are aligned by row number,
    even if the tokens differ, as in the reference scorer.
    """
    if key.text == response.text:
        return int, int
    if are_tables(key, response):
        return _token_offset(key), _token_offset(response)
    key_places, response_places = shared_characters(key, response)
    return partial(bisect_left, key_places), partial(bisect_left, response_places)


def shared_characters(key: Document, response: Document) -> tuple[list[int], list[int]]:
    """Return the offsets of the shared characters in both texts, without white space.

    If the texts differ, only the annotated parts of MUC documents are compared (MUC-6 §2). Other
    formats may omit the rest, such as a DOCNO.
    """
    for places in (_non_spaces, _annotated_places):
        key_places, response_places = places(key), places(response)
        if _characters(key, key_places) == _characters(response, response_places):
            return key_places, response_places
    raise InputError(_difference(key, response))


def are_tables(key: Document, response: Document) -> bool:
    """Return whether both documents were read from token tables with equally many rows."""
    return _is_table(key) and _is_table(response) and len(key.tokens) == len(response.tokens)


def _is_table(document: Document) -> bool:
    return (
        document.has(ORIGINAL)
        and document.has(TOKENS)
        and all(original.format in _TABLE_FORMATS for original in document.get(ORIGINAL))
    )


def _token_offset(document: Document) -> Offset:
    """Map an offset to the number of tokens that begin before it."""
    starts = {token.start for token in document.tokens}
    is_start = (offset in starts for offset in range(len(document.text)))
    return list(accumulate(is_start, initial=0)).__getitem__


def _non_spaces(document: Document) -> list[int]:
    return [index for index, character in enumerate(document.text) if not character.isspace()]


def _annotated_places(document: Document) -> list[int]:
    """Return offsets in annotated parts, or everywhere if a mention is outside, without spaces."""
    from tatian.formats.muc import PARTS

    non_spaces = _non_spaces(document)
    if not document.has(PARTS):
        return non_spaces
    annotated: set[int] = set()
    for part in document.get(PARTS):
        if part.annotated:
            annotated.update(range(part.start, part.end))
    marked = (mention for chain in document.get(CHAINS) for mention in chain.mentions)
    if not all({mention.start, mention.end - 1} <= annotated for mention in marked):
        return non_spaces
    return [index for index in non_spaces if index in annotated]


def _characters(document: Document, places: Iterable[int]) -> str:
    return "".join(map(document.text.__getitem__, places))


def _difference(key: Document, response: Document) -> str:
    key_words, response_words = key.text.split(), response.text.split()
    shared = min(len(key_words), len(response_words))
    pairs = zip(key_words, response_words, strict=False)
    index = next((place for place, pair in enumerate(pairs) if pair[0] != pair[1]), shared)
    if index == shared:
        sides = (("key", key_words), ("response", response_words))
        longer, words = max(sides, key=lambda side: len(side[1]))
        difference = f"the {longer} continues with '{words[index]}' where the other ends"
    else:
        difference = f"'{key_words[index]}' in the key is '{response_words[index]}' in the response"
    return (
        f"document '{key.id}': the texts differ at word {index + 1}: {difference}; "
        "key and response must have the same text"
    )


ARTICLE = re.compile(r"\s*(?:(?:the|an|a)\s+)?", re.IGNORECASE)


def after_article(text: str, start: int, end: int) -> int:
    """Return the start without white space and a leading article (MUC-6 §4.3)."""
    article = ARTICLE.match(text, start, end)
    after = article.end() if article else start
    return after if after < end else start
