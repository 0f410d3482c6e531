"""Sentences cut where a phrase can be lifted out, without a parser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from tatian.text import WovenToken
from tatian.text.lexicon import PREPOSITIONS, REPORTING_VERBS

ChunkKind = Literal["core", "adjunct", "clause", "aside"]

_NEVER_CUT = frozenset("of to than as like per up out down off".split())
_CUTTING = PREPOSITIONS - _NEVER_CUT
_CLAUSES = frozenset("because although though while whereas after before when until unless".split())
_RELATIVE = frozenset("who whom whose which where".split())
_FIXED = frozenset({("at", "least"), ("at", "most"), ("at", "all"), ("in", "all")})
_PUNCTUATION = frozenset(", ; : – — -- - ( )".split())
FINAL = frozenset(". ? ! … ...".split())


class Chunk(Struct, frozen=True):
    """Tokens ``start`` to ``end`` of a sentence, opened by a preposition, conjunction or comma."""

    start: int
    end: int
    kind: ChunkKind


def body_end(tokens: Sequence[WovenToken]) -> int:
    """Where the sentence ends before its final stop."""
    end = len(tokens)
    while end and tokens[end - 1].text in FINAL:
        end -= 1
    return end


def quoted(tokens: Sequence[WovenToken]) -> list[bool]:
    """For each token, whether it stands inside quotation marks (the marks count as inside)."""
    return [token.quoted for token in tokens]


def cut(tokens: Sequence[WovenToken]) -> list[Chunk]:
    """The chunks of a sentence, in order; they cover it up to its final stop."""
    end = body_end(tokens)
    inside = quoted(tokens)
    starts = [0]
    for index in range(1, end):
        if inside[index] and inside[index - 1]:
            continue
        word = tokens[index].text.lower()
        previous = tokens[index - 1].text.lower()
        if word in _PUNCTUATION and _opens(tokens, index):
            starts.append(index)
        elif previous in _PUNCTUATION and starts[-1] == index - 1:
            continue
        elif word in _CUTTING or word in _CLAUSES or word in _RELATIVE:
            following = tokens[index + 1].text.lower() if index + 1 < end else ""
            if (word, following) in _FIXED:
                continue
            if previous in _CUTTING or previous in {"and", "or", "but", "from"}:
                continue
            starts.append(index)
        elif word in {"and", "but"} and _verbal(tokens, index + 1, end):
            starts.append(index)
    chunks = []
    for start, stop in zip(starts, [*starts[1:], end], strict=True):
        if stop > start:
            chunks.append(Chunk(start, stop, _kind(tokens, start, stop)))
    return chunks


def _opens(tokens: Sequence[WovenToken], index: int) -> bool:
    """A comma inside a number or between digits opens nothing."""
    return not (tokens[index].text == "-" and not tokens[index].space)


def _verbal(tokens: Sequence[WovenToken], index: int, end: int) -> bool:
    """Whether what follows a conjunction looks like a verb rather than a further noun."""
    if index >= end:
        return False
    word = tokens[index].text.lower()
    return word.endswith("ed") or word in {"was", "were", "is", "are", "has", "had", "have", "will"}


def _kind(tokens: Sequence[WovenToken], start: int, stop: int) -> ChunkKind:
    words = [token.text.lower() for token in tokens[start:stop]]
    first = words[0]
    if start == 0:
        return "core" if first not in _CUTTING | _CLAUSES else "adjunct"
    if first in _PUNCTUATION:
        rest = words[1:]
        if not rest:
            return "core"
        if rest[0] in _RELATIVE | {"according"} or rest[-1] in REPORTING_VERBS:
            return "aside"
        if rest[0] in _CLAUSES or rest[0].endswith("ing"):
            return "clause"
        if rest[0] in _CUTTING:
            return "adjunct"
        return "aside" if rest[0] in {"a", "an", "the"} else "core"
    if first in _CLAUSES or first in _RELATIVE or first in {"and", "but"}:
        return "clause"
    return "adjunct"
