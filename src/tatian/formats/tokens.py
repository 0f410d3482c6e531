"""Between words and text: what readers and writers of token tables have in common."""

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

CUT = Authorship(by="tatian.text")
"""Who made the tokens and sentences of a text that came without."""
UNKNOWN = "_"
"""A word that a file does not give."""
_BLANK = re.compile(r"\s+")


def with_tokens(document: Document) -> Document:
    """The document with tokens and sentences, cut by our own rules where it has none."""
    if not document.has(TOKENS):
        document = document.with_layer(TOKENS, tokenize(document.text), CUT)
    if not document.has(SENTENCES):
        found = split_tokens(document.text, document.tokens)
        document = document.with_layer(SENTENCES, found, CUT)
    return document


def chains_of(document: Document) -> tuple[Chain, ...]:
    """The chains, none where nobody has looked for any."""
    return document.get(CHAINS) if document.has(CHAINS) else ()


def sentence_ranges(document: Document) -> list[range]:
    """Which tokens each sentence holds; tokens between sentences join the one before."""
    starts = [token.start for token in document.tokens]
    begins = [bisect_left(starts, sentence.start) for sentence in document.sentences]
    edges = sorted({0, *begins, len(starts)})
    return [range(first, end) for first, end in pairwise(edges)]


def columns(document: Document) -> list[list[str]]:
    """The words of each sentence as they can stand in a column."""
    tokens = document.tokens
    return [
        [_BLANK.sub(UNKNOWN, tokens[place].text) or UNKNOWN for place in places]
        for places in sentence_ranges(document)
    ]


def same_words(words: Sequence[str], tokens: Sequence[Token]) -> bool:
    """Whether `words`, as a file writes them, are those tokens."""
    return len(words) == len(tokens) and all(
        ESCAPES.get(word, word) == token.text for word, token in zip(words, tokens, strict=True)
    )


class Placed(NamedTuple):
    """A mention by its tokens: ranges of their numbers, more than one where it is in pieces."""

    chain: Chain
    mention: Mention
    ranges: tuple[range, ...]

    @property
    def whole(self) -> range:
        """From its first token to its last."""
        return range(self.ranges[0].start, self.ranges[-1].stop)


class Places:
    """Finds the tokens that stretches of a document's text cover."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._starts = [token.start for token in document.tokens]
        self._ends = [token.end for token in document.tokens]

    def tokens(self, span: Span) -> range:
        """The tokens that `span` touches."""
        first = bisect_right(self._ends, span.start)
        return range(first, max(first, bisect_left(self._starts, span.end)))

    def exact(self, span: Span) -> bool:
        """Whether `span` begins with a token and ends with one."""
        places = self.tokens(span)
        return (
            len(places) > 0
            and self._starts[places.start] == span.start
            and self._ends[places.stop - 1] == span.end
        )

    def mentions(self) -> list[Placed]:
        """All mentions that have tokens, by these, in the order of the chains."""
        found = []
        for chain in chains_of(self.document):
            for mention in chain.mentions:
                spans = mention.parts or (mention,)
                ranges = tuple(places for span in spans if (places := self.tokens(span)))
                if ranges:
                    found.append(Placed(chain, mention, ranges))
        return found


def chain_labels(
    document: Document, keeps: Callable[[str], object], taken: Collection[str], free: Iterable[str]
) -> dict[str, str]:
    """What each chain with a mention is called in a file: as in its document, if `keeps` says so.

    All others get the next of the `free` labels that is neither `taken` nor kept.
    """
    prefix = f"{document.id}#"
    own = {
        chain.id: chain.id.removeprefix(prefix)
        for chain in chains_of(document)
        if chain.id.startswith(prefix) and keeps(chain.id.removeprefix(prefix))
    }
    known = {*own.values(), *taken}
    others = (label for label in free if label not in known)
    chains = dict.fromkeys(placed.chain.id for placed in Places(document).mentions())
    return {id: own.get(id) or next(others) for id in chains}
