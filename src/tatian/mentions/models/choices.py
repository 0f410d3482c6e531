"""Links that linkers chose, and their conversion to layers."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import Candidate
from tatian.mentions.models.names import TITLE_WORDS, NameDetector
from tatian.text import (
    LINKS,
    MENTIONS,
    NAMES,
    SENTENCES,
    Document,
    Link,
    Mention,
    Name,
    Span,
    Token,
)

TYPES = {"person": "PER", "location": "LOC", "organisation": "ORG", "concept": ""}
"""Type of each kind of entity in the ``names`` and ``mentions`` layers."""
_LIKELY = 0.5
_MOST_PLACES = 3
_HOMES = ("nationality", "country")
"""Facts that give the country of a person or an organisation."""


class LinkChoice(Struct, frozen=True):
    """A phrase of the text and the pages it was linked to, the best first."""

    start: int
    end: int
    candidates: tuple[Candidate, ...]
    score: float
    """Confidence of the linker, from 0 to 1."""

    def overlaps(self, other: LinkChoice) -> bool:
        """Return whether the two share a character."""
        return self.start < other.end and other.start < self.end


def most_common(pages: Sequence[Candidate], most: int) -> tuple[Candidate, ...]:
    """Return the most common pages, at most `most`, at least half as common as the first."""
    ranked = sorted(pages, key=lambda page: (-page.prior, page.id))
    return tuple(page for page in ranked[:most] if page.prior >= ranked[0].prior / 2)


def usual_page(pages: Iterable[Candidate]) -> Candidate | None:
    """Return the page that a term with these pages means more often than not, if any."""
    best = max(pages, key=lambda page: page.prior, default=None)
    return best if best and best.prior > _LIKELY else None


def place_names(pages: Iterable[Candidate | None], base: KnowledgeBase, most: int) -> list[str]:
    """Return names and adjectives of the first places among some pages, at most `most` of each.

    A person or an organisation stands for its country: a text on Pedro II is about Brazil.
    """
    places = dict.fromkeys(place for page in pages if page for place in _places(page, base))
    aliases = (name for place in list(places)[:_MOST_PLACES] for name in base.aliases(place)[:most])
    return list(dict.fromkeys(name for name in aliases if " " not in name and len(name) > 3))


def _places(page: Candidate, base: KnowledgeBase) -> Iterator[int]:
    if page.kind == "location":
        yield page.id
    elif page.kind != "concept":
        for fact in base.facts(page.id):
            country = base.id_of(fact.value) if fact.relation in _HOMES else None
            if country is not None:
                yield country


def page_vector(base: KnowledgeBase, page: int) -> npt.NDArray[np.float32] | None:
    """Return the vector of a page, or of its description if the base has no vectors at all.

    None without either; needs the encoder.
    """
    vector = base.vector(page)
    if vector is not None or base.info().counts.vectors:
        return vector
    entity = base.entity(page)
    return encode(entity.description) if entity else None


def encode(text: str) -> npt.NDArray[np.float32] | None:
    """Return the vector of a text by the encoder, which must be installed; None if empty."""
    if not text.strip():
        return None
    from tatian.analysis.meaning import vectors

    vector: npt.NDArray[np.float32] = vectors([text], threads=1)[0]
    return vector


def special_forms(term: str, names: Iterable[str]) -> list[str]:
    """Return the place-specific forms of a term: "Brazil economy", "economy of Brazil"."""
    return [form for name in names for form in (f"{name} {term}", f"{term} of {name}")]


def with_choices(document: Document, choices: Iterable[LinkChoice], author: str) -> Document:
    """Return `document` with its ``links``, and with ``mentions``: its names and linked entities.

    A name keeps the type of the analysis. A linked person, place or organisation that the analysis
    took for no name becomes a mention of that type. A document without sentences was not analysed:
    its only names are those that are linked.
    """
    chosen = sorted(choices, key=lambda choice: (choice.start, choice.end))
    links = [
        Link(
            choice.start, choice.end, tuple(page.title for page in choice.candidates), choice.score
        )
        for choice in chosen
    ]
    analysed = document.has(SENTENCES) or document.has(NAMES)
    named = AnalysedNames().detect(document) if analysed else document
    mentions = sorted(named.get(MENTIONS)) if named.has(MENTIONS) else []
    starts = [mention.start for mention in mentions]
    ends = list(accumulate((mention.end for mention in mentions), max))
    for choice in chosen:
        kind = TYPES[choice.candidates[0].kind]
        before = bisect_left(starts, choice.end)
        if kind and not (before and ends[before - 1] > choice.start):
            mentions.append(Mention(choice.start, choice.end, kind))
    if not document.has(NAMES) and named.has(NAMES):
        document = document.with_layer(NAMES, named.get(NAMES), "tatian/names")
    return document.with_layer(MENTIONS, sorted(mentions), author).with_layer(LINKS, links, author)


class AnalysedNames:
    """Names of the analysis, with their titles; without a names layer, names by capitals."""

    def detect(self, document: Document) -> Document:
        """Add the `mentions` and `links` layers (and `names`, where the analysis did not)."""
        if not document.has(NAMES):
            return NameDetector().detect(document)
        kinds = _kinds(document)
        mentions = [
            _titled(document, name, kinds[name.of(document.text)]) for name in document.get(NAMES)
        ]
        author = "tatian/analysed"
        return document.with_layer(MENTIONS, mentions, author).with_layer(LINKS, (), author)


def _kinds(document: Document) -> dict[str, str]:
    """Return one type for all uses of a name in a document: the most frequent one."""
    votes: dict[str, Counter[str]] = {}
    for name in document.get(NAMES):
        votes.setdefault(name.of(document.text), Counter())[name.type] += 1
    return {text: max(sorted(counts), key=lambda k: counts[k]) for text, counts in votes.items()}


def _titled(document: Document, name: Name, kind: str) -> Mention:
    """Return the name with the titles before it ("Prime Minister"), which are not part of it."""
    tokens = document.tokens
    index = bisect_left(tokens, name.start, key=lambda token: token.start)
    first = index
    if kind == "PER":
        while first > 0 and _is_title(tokens, first - 1, first < index):
            first -= 1
    start = tokens[first].start if first < index else name.start
    head = Span(name.start, name.end) if start < name.start else None
    return Mention(start, name.end, kind, head=head)


def _is_title(tokens: Sequence[Token], index: int, begun: bool) -> bool:
    word = tokens[index].text
    near = tokens[index + 1].start - tokens[index].end <= 1
    return near and word[0].isupper() and (begun or word.lower() in TITLE_WORDS)
