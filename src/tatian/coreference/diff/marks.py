"""What is drawn on the text of a document: sentence by sentence, the mentions of each side."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from msgspec import Struct

from tatian.coreference.diff.result import KINDS, DocumentDiff, Kind, Side, SideMention, base
from tatian.text import Span


class DrawnMention(Struct, frozen=True):
    """A mention, or one piece of a discontinuous one, as it is drawn."""

    start: int
    end: int
    label: str
    """What its chain is called on the side it is drawn for."""
    key: str = ""
    """Its chain in the key, empty if it is not there."""
    response: str = ""
    """Its chain in the response, empty if it is not there."""
    colour: int | None = None
    """A number for a chain of several mentions."""
    kinds: tuple[Kind, ...] = ()
    """The errors it has a part in."""
    unasked: bool = False
    """Whether the key has it, the response does not, and need not: it is optional."""
    piece: int = 0
    pieces: int = 1


class SentenceRow(Struct, frozen=True):
    """A sentence, or several that share a mention, with the marks of one or two sides."""

    number: int
    start: int
    end: int
    key: tuple[DrawnMention, ...]
    response: tuple[DrawnMention, ...]

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The errors in it."""
        held = {kind for mark in (*self.key, *self.response) for kind in mark.kinds}
        return tuple(kind for kind in KINDS if kind in held)

    @property
    def is_same(self) -> bool:
        """Whether both sides are drawn alike."""
        return self.key == self.response


def side_rows(side: Side, text: str, sentences: Sequence[Span]) -> list[SentenceRow]:
    """The rows of one document that is not compared with another."""
    colours = _colours(side)
    marks = [
        piece
        for index, one in enumerate(side.mentions)
        for piece in _pieces(one, side.label(index), side.label(index), colour=colours[one.chain])
    ]
    return _rows(text, sentences, marks, [])


def compared_rows(compared: DocumentDiff) -> list[SentenceRow]:
    """The rows of a comparison."""
    key, response = compared.key, compared.response
    wrong_key, wrong_response = _wrong(compared)
    to_response = compared.partners
    to_key = {mine: wanted for wanted, mine in to_response.items()}
    needed = {index for error in compared.errors for index in error.key}
    by_label = dict(zip(key.labels, _colours(key).values(), strict=True))
    wanted = [
        piece
        for index, one in enumerate(key.mentions)
        for piece in _pieces(
            one,
            label=key.label(index),
            key=key.label(index),
            response=response.label(to_response[index]) if index in to_response else "",
            colour=by_label[key.label(index)],
            kinds=_ordered(wrong_key.get(index, set())),
            unasked=index not in to_response and index not in needed,
        )
    ]
    given = [
        piece
        for index, one in enumerate(response.mentions)
        for piece in _pieces(
            one,
            label=response.label(index),
            key=key.label(to_key[index]) if index in to_key else "",
            response=response.label(index),
            colour=by_label.get(base(response.label(index))),
            kinds=_ordered(wrong_response.get(index, set())),
        )
    ]
    return _rows(compared.text, compared.sentences, wanted, given)


Wrong = dict[int, set[Kind]]


def _wrong(compared: DocumentDiff) -> tuple[Wrong, Wrong]:
    """The errors that each mention of the key and of the response has a part in."""
    sides: tuple[Wrong, Wrong] = {}, {}
    for error in compared.errors:
        for side, mentions in zip(sides, (error.key, error.response), strict=True):
            for index in mentions:
                side.setdefault(index, set()).add(error.kind)
    return sides


def _ordered(kinds: set[Kind]) -> tuple[Kind, ...]:
    return tuple(kind for kind in KINDS if kind in kinds)


def _colours(side: Side) -> dict[int, int | None]:
    """Numbers for chains of several mentions, in the order of the text."""
    numbers = count()
    return {
        chain: next(numbers) if len(members) > 1 else None
        for chain, members in enumerate(side.members)
    }


def _pieces(marked: SideMention, label: str, key: str, **more: Any) -> Iterator[DrawnMention]:
    pieces = marked.pieces
    for number, piece in enumerate(pieces):
        more |= {"piece": number, "pieces": len(pieces)}
        yield DrawnMention(piece.start, piece.end, label, key, **more)


def _rows(
    text: str,
    sentences: Sequence[Span],
    key: Sequence[DrawnMention],
    response: Sequence[DrawnMention],
) -> list[SentenceRow]:
    starts = _starts(sentences, [*key, *response])
    sides: tuple[list[list[DrawnMention]], ...] = ([[] for _ in starts], [[] for _ in starts])
    for side, marks in zip(sides, (key, response), strict=True):
        for mark in sorted(marks, key=lambda one: (one.start, -one.end)):
            side[max(0, bisect_right(starts, mark.start) - 1)].append(mark)
    ends = [*starts[1:], len(text)]
    return [
        SentenceRow(number, start, end, tuple(wanted), tuple(given))
        for number, (start, end, wanted, given) in enumerate(
            zip(starts, ends, *sides, strict=True), 1
        )
    ]


def _starts(sentences: Sequence[Span], marks: Sequence[DrawnMention]) -> list[int]:
    """Where rows begin: at sentences, but never inside a mention."""
    starts = [0, *(sentence.start for sentence in sentences[1:])]
    crossed: set[int] = set()
    for mark in marks:
        first = bisect_right(starts, mark.start)
        last = bisect_left(starts, mark.end)
        crossed.update(starts[first:last])
    return [start for start in starts if start not in crossed]
