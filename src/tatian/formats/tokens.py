"""Conversion between words and text, shared by readers and writers of token tables."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from tatian.text import (
    CHAINS,
    SENTENCES,
    TOKENS,
    Authorship,
    Chain,
    Document,
    Mention,
    Span,
    Token,
    tokenize,
)
from tatian.text.splitter import split_tokens
from tatian.text.tokenizer import ESCAPES

SPLIT_AUTHOR = Authorship(by="tatian.text")
"""Author of tokens and sentences that this package split."""
UNKNOWN = "_"
"""Stands for a word that the file lacks."""
_BLANK = re.compile(r"\s+")


def with_tokens(document: Document) -> Document:
    """Return the document with tokens and sentences; missing ones are split."""
    if not document.has(TOKENS):
        document = document.with_layer(TOKENS, tokenize(document.text), SPLIT_AUTHOR)
    if not document.has(SENTENCES):
        sentences = split_tokens(document.text, document.tokens)
        document = document.with_layer(SENTENCES, sentences, SPLIT_AUTHOR)
    return document


def chains_of(document: Document) -> tuple[Chain, ...]:
    """Return the chains, none if there is no layer."""
    return document.get(CHAINS, ())


def sentence_ranges(document: Document) -> list[range]:
    """Return the tokens of each sentence; tokens between sentences belong to the one before."""
    starts = [token.start for token in document.tokens]
    begins = [bisect_left(starts, sentence.start) for sentence in document.sentences]
    edges = sorted({0, *begins, len(starts)})
    return [range(first, end) for first, end in pairwise(edges)]


def columns(document: Document) -> list[list[str]]:
    """Return the words of each sentence, with blanks replaced."""
    tokens = document.tokens
    return [
        [_BLANK.sub(UNKNOWN, tokens[place].text) or UNKNOWN for place in places]
        for places in sentence_ranges(document)
    ]


def same_words(words: Sequence[str], tokens: Sequence[Token]) -> bool:
    """Return whether the words of a file are these tokens."""
    return len(words) == len(tokens) and all(
        ESCAPES.get(word, word) == token.text for word, token in zip(words, tokens, strict=True)
    )


class Placed(NamedTuple):
    """A mention with the ranges of its tokens, several if it is discontinuous."""

    chain: Chain
    mention: Mention
    ranges: tuple[range, ...]

    @property
    def whole(self) -> range:
        """Range from its first token to its last."""
        return range(self.ranges[0].start, self.ranges[-1].stop)


class Places:
    """Maps spans of a document to its tokens."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._starts = [token.start for token in document.tokens]
        self._ends = [token.end for token in document.tokens]

    def tokens(self, span: Span) -> range:
        """Return the tokens that overlap the span."""
        first = bisect_right(self._ends, span.start)
        return range(first, max(first, bisect_left(self._starts, span.end)))

    def exact(self, span: Span) -> bool:
        """Return whether `span` begins with a token and ends with one."""
        places = self.tokens(span)
        return (
            len(places) > 0
            and self._starts[places.start] == span.start
            and self._ends[places.stop - 1] == span.end
        )

    def mentions(self) -> list[Placed]:
        """Return all mentions that have tokens, in the order of the chains."""
        placed = []
        for chain in chains_of(self.document):
            for mention in chain.mentions:
                spans = mention.parts or (mention,)
                ranges = tuple(places for span in spans if (places := self.tokens(span)))
                if ranges:
                    placed.append(Placed(chain, mention, ranges))
        return placed


def chain_labels(
    document: Document,
    is_usable: Callable[[str], object],
    taken: Collection[str],
    new_labels: Iterable[str],
) -> dict[str, str]:
    """Return the label of each chain with a mention: that of its document, if `is_usable`.

    Others get the next of the `new_labels` that is neither `taken` nor kept.
    """
    prefix = f"{document.id}#"
    kept = {
        chain.id: chain.id.removeprefix(prefix)
        for chain in chains_of(document)
        if chain.id.startswith(prefix) and is_usable(chain.id.removeprefix(prefix))
    }
    unavailable = {*kept.values(), *taken}
    remaining = (label for label in new_labels if label not in unavailable)
    chains = dict.fromkeys(placed.chain.id for placed in Places(document).mentions())
    return {id: kept.get(id) or next(remaining) for id in chains}
