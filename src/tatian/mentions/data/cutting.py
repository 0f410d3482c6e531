"""Texts cut into tokens so that every mention begins and ends with one, for formats of tokens."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from tatian.mentions.data.records import LinkedMention, LinkedText
from tatian.text import Span, Token, tokenize
from tatian.text.spans import within
from tatian.text.splitter import split_tokens


def cut(text: LinkedText) -> list[list[Token]]:
    """The tokens of a text, sentence by sentence; none of them crosses the edge of a mention."""
    edges = {edge for one in text.mentions for edge in (one.start, one.end)}
    tokens = [piece for token in tokenize(text.text) for piece in _pieces(token, edges)]
    stretches = _stretches(text.mentions)
    found: list[list[Token]] = []
    for sentence in split_tokens(text.text, tokens):
        inside = list(within(tokens, sentence))
        if found and inside and _crossed(stretches, inside[0].start):
            found[-1] += inside
        elif inside:
            found.append(inside)
    return found


def _stretches(mentions: Iterable[Span]) -> list[Span]:
    """What mentions cover, those that overlap taken together."""
    found: list[Span] = []
    for one in mentions:
        if found and one.start < found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, one.end))
        else:
            found.append(Span(one.start, one.end))
    return found


def _crossed(stretches: Sequence[Span], at: int) -> bool:
    """Whether a mention goes on at the start of a sentence: then it is none."""
    before = bisect_left(stretches, at, key=lambda one: one.start) - 1
    return before >= 0 and stretches[before].end > at


def _pieces(token: Token, edges: set[int]) -> Iterator[Token]:
    start = token.start
    for edge in (*(at for at in range(token.start + 1, token.end) if at in edges), token.end):
        yield Token(start, edge, token.text[start - token.start : edge - token.start])
        start = edge


def apart(mentions: Iterable[LinkedMention]) -> list[LinkedMention]:
    """The mentions that overlap none before them; of two that begin together, the longer."""
    kept: list[LinkedMention] = []
    for one in mentions:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def covered(mentions: Iterable[Span], tokens: Sequence[Token]) -> Iterator[tuple[Span, range]]:
    """Each mention with the tokens it consists of; those of nothing but blanks have none."""
    starts = {token.start: at for at, token in enumerate(tokens)}
    ends = {token.end: at for at, token in enumerate(tokens)}
    for one in mentions:
        if one.start in starts and one.end in ends:
            yield one, range(starts[one.start], ends[one.end] + 1)
