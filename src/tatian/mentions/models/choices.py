"""What all linkers share: what they choose, and how it becomes layers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate

from msgspec import Struct

from tatian.knowledge.entities import Candidate
from tatian.mentions.models.analysed import AnalysedNames
from tatian.text import LINKS, MENTIONS, NAMES, SENTENCES, Document, Link, Mention

TYPES = {"person": "PER", "location": "LOC", "organisation": "ORG", "concept": ""}
"""What a name of each kind of entity is in the ``names`` and ``mentions`` layers."""


class Choice(Struct, frozen=True):
    """A phrase of the text and the pages it was linked to, the best first."""

    start: int
    end: int
    candidates: tuple[Candidate, ...]
    score: float
    """How sure the linker is, from 0 to 1."""

    def overlaps(self, other: Choice) -> bool:
        """Whether the two share a character."""
        return self.start < other.end and other.start < self.end


def most_common(pages: Sequence[Candidate], most: int) -> tuple[Candidate, ...]:
    """The most common of some pages, and up to `most` in all of those at least half as common."""
    ranked = sorted(pages, key=lambda one: (-one.prior, one.id))
    return tuple(one for one in ranked[:most] if one.prior >= ranked[0].prior / 2)


def with_choices(document: Document, choices: Iterable[Choice], made: str) -> Document:
    """`document` with its ``links``, and with ``mentions``: its names and the things it links.

    A name keeps the type that the analysis gave it; a linked person, place or organisation that
    the analysis took for no name becomes a mention of that type. A document without sentences was
    not analysed: it has no names but those that are linked.
    """
    chosen = sorted(choices, key=lambda one: (one.start, one.end))
    links = [
        Link(one.start, one.end, tuple(page.title for page in one.candidates), one.score)
        for one in chosen
    ]
    analysed = document.has(SENTENCES) or document.has(NAMES)
    named = AnalysedNames().detect(document) if analysed else document
    mentions = sorted(named.get(MENTIONS)) if named.has(MENTIONS) else []
    starts = [mention.start for mention in mentions]
    ends = list(accumulate((mention.end for mention in mentions), max))
    for one in chosen:
        kind = TYPES[one.candidates[0].kind]
        before = bisect_left(starts, one.end)
        if kind and not (before and ends[before - 1] > one.start):
            mentions.append(Mention(one.start, one.end, kind))
    if not document.has(NAMES) and named.has(NAMES):
        document = document.with_layer(NAMES, named.get(NAMES), "tatian/names")
    return document.with_layer(MENTIONS, sorted(mentions), made).with_layer(LINKS, links, made)
