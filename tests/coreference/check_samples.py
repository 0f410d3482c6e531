"""Short marked texts for the rules of content: ``[a|Ann Lee^Lee]`` marks "Ann Lee" with MIN "Lee".

Marks with the same letter are linked; ``[a?|...]`` is optional.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tatian.coreference.analysis import analyse
from tatian.coreference.checks.checker import breaches
from tatian.coreference.definition.phrases import Mark, MarkedText
from tatian.text import Document, Span

_PIECE = re.compile(r"\[(?P<chain>\w)(?P<opt>\?)?\||\^(?P<min>[^\]]*)\]|\]|[^\[\]^]+")


class Found(NamedTuple):
    """A rule, the string it was broken at, and the cure."""

    rule: str
    string: str
    advice: str


def page(marked: str, *, markup: bool = True) -> MarkedText:
    """A marked text, analysed."""
    text = ""
    opened: list[tuple[int, str, bool]] = []
    closed: list[tuple[int, int, str, bool, str | None]] = []
    for piece in _PIECE.finditer(marked):
        if piece["chain"]:
            opened.append((len(text), piece["chain"], bool(piece["opt"])))
        elif piece[0][0] in "^]":
            start, chain, optional = opened.pop()
            closed.append((start, len(text), chain, optional, piece["min"]))
        else:
            text += piece[0]
    marks: list[Mark] = []
    seen: set[str] = set()
    for start, end, chain, optional, least in sorted(closed, key=lambda one: (one[0], -one[1])):
        at = text.index(least, start) if least else 0
        minimum = Span(at, at + len(least)) if least else None
        number = str(len(marks) + 1)
        marks.append(Mark(start, end, number, chain, chain in seen, minimum, optional))
        seen.add(chain)
    return MarkedText(analyse(Document("sample", text)), marks, markup=markup)


def found(marked: str, *, markup: bool = True) -> list[Found]:
    """All that the rules of content say about a marked text."""
    read = page(marked, markup=markup)
    return [
        Found(rule.name, breach.mark.of(read.text), breach.advice)
        for rule, breach in breaches(read)
    ]


def strings(rule: str, marked: str) -> list[str]:
    """Where one rule objects, in the order of the text."""
    return [one.string for one in found(marked) if one.rule == rule]
