"""Links that linkers have chosen, and their conversion to layers."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import Candidate
from tatian.mentions.models.names import TITLE_WORDS, NameDetector
from tatian.text import LINKS, MENTIONS, NAMES, SENTENCES, Document, Link, Mention, Name, Span

TYPES = {"person": "PER", "location": "LOC", "organisation": "ORG", "concept": ""}
"""Type of each kind of entity in the ``names`` and ``mentions`` layers."""
_USUAL_PRIOR = 0.5
_MAX_PLACES = 3
_COUNTRY_RELATIONS = ("nationality", "country")
"""Relations that give the country of a person or an organisation."""


class LinkChoice(Span, frozen=True):
    """A phrase of the text and the pages it is linked to, the best first."""

    candidates: tuple[Candidate, ...]
    score: float
    """Confidence of the linker, from 0 to 1."""

    @property
    def link(self) -> Link:
        """The choice as a link."""
        titles = tuple(page.title for page in self.candidates)
        return Link(self.start, self.end, titles, self.score)


def most_common(pages: Sequence[Candidate], most: int) -> tuple[Candidate, ...]:
    """Return up to `most` pages that are at least half as common as the most common one."""
    ranked = sorted(pages, key=lambda page: (-page.prior, page.id))
    return tuple(page for page in ranked[:most] if page.prior >= ranked[0].prior / 2)


def usual_page(pages: Iterable[Candidate]) -> Candidate | None:
    """Return the page that a term means in most cases; None if there is none."""
    best = max(pages, key=lambda page: page.prior, default=None)
    return best if best and best.prior > _USUAL_PRIOR else None


def place_names(pages: Iterable[Candidate | None], base: KnowledgeBase, most: int) -> list[str]:
    """Return up to `most` names and adjectives of each of the first places among some pages.

    For people and organisations, their country counts: a text on Pedro II is about Brazil.
    """
    places = dict.fromkeys(place for page in pages if page for place in _places(page, base))
    aliases = (name for place in list(places)[:_MAX_PLACES] for name in base.aliases(place)[:most])
    return list(dict.fromkeys(name for name in aliases if " " not in name and len(name) > 3))


def _places(page: Candidate, base: KnowledgeBase) -> Iterator[int]:
    if page.kind == "location":
        yield page.id
    elif page.kind != "concept":
        for fact in base.facts(page.id):
            country = base.id_of(fact.value) if fact.relation in _COUNTRY_RELATIONS else None
            if country is not None:
                yield country


def page_vector(base: KnowledgeBase, page: int) -> npt.NDArray[np.float32] | None:
    """Return the vector of a page or its description, if any; the encoder must be installed."""
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
    """Add the ``links`` layer, and ``mentions`` with all names and linked entities.

    A name keeps the type of the analysis. Linked people, places and organisations that the analysis
    did not find become mentions of their type. In a document without sentences, which was not
    analysed, only linked names are mentions.
    """
    chosen = sorted(choices, key=lambda choice: (choice.start, choice.end))
    links = [choice.link for choice in chosen]
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
        """Add the `mentions` and `links` layers, and `names` if it is missing."""
        if not document.has(NAMES):
            return NameDetector().detect(document)
        kinds = _types_of_names(document)
        names = document.get(NAMES)
        mentions = [_with_title(document, name, kinds[name.of(document.text)]) for name in names]
        author = "tatian/analysed"
        return document.with_layer(MENTIONS, mentions, author).with_layer(LINKS, (), author)


def _types_of_names(document: Document) -> dict[str, str]:
    """Map each name of a document to its most frequent type."""
    votes: dict[str, Counter[str]] = {}
    for name in document.get(NAMES):
        votes.setdefault(name.of(document.text), Counter())[name.type] += 1
    return {text: max(sorted(counts), key=lambda k: counts[k]) for text, counts in votes.items()}


def _with_title(document: Document, name: Name, kind: str) -> Mention:
    """Return a mention of a person's name and the titles before it, with the name as head."""
    tokens = document.tokens
    index = bisect_left(tokens, name.start, key=lambda token: token.start)
    first = index
    if kind == "PER":
        while first > 0:
            word = tokens[first - 1].text
            is_adjacent = tokens[first].start - tokens[first - 1].end <= 1
            is_title = first < index or word.lower() in TITLE_WORDS
            if not (is_adjacent and is_title and word[0].isupper()):
                break
            first -= 1
    start = tokens[first].start if first < index else name.start
    head = Span(name.start, name.end) if start < name.start else None
    return Mention(start, name.end, kind, head=head)
