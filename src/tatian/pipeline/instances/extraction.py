"""Extraction of the aggregatable instances of an article, by the rules of TESA."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

from msgspec import Struct

from tatian.aggregation.data.records import MAX_ENTITIES, MIN_ENTITIES, TYPES, Instance
from tatian.corpora.articles import Article
from tatian.pipeline.instances.background import Background
from tatian.pipeline.instances.entities import (
    NamedEntity,
    from_chains,
    index_entities,
    likely_entities,
    locate_entities,
)
from tatian.pipeline.pipeline import Pipeline
from tatian.pipeline.profiles import sentence_of
from tatian.text import Document, Metadata, Span


class _EntitySet(NamedTuple):
    """Some entities and the span of text that mentions them."""

    entities: tuple[NamedEntity, ...]
    text: str
    span: Span


class Extractor:
    """Extractor of instances from articles, with counts of the effect of every rule.

    A set must be mentioned within `window` sentences, by default as many as it has entities.
    """

    def __init__(
        self,
        pipeline: Pipeline | None = None,
        *,
        background: Background | None = None,
        window: int | None = None,
    ) -> None:
        self._pipeline = pipeline or Pipeline()
        self._background = background
        self._window = window
        self.counts = ExtractionCounts()

    def extract(self, article: Article) -> Iterator[Instance]:
        """Yield the instances of an article by type, those of the text first."""
        self.counts.add("articles")
        body, abstract = self._entities(article)
        if not _has_set(body) and not _has_set(abstract):
            self.counts.add("articles without sets")
            return
        number = 0
        for type in TYPES:
            for candidate in self._sets(type, article, body, abstract):
                number += 1
                yield self._instance(article, type, number, candidate)

    def _entities(self, article: Article) -> tuple[_TextEntities, _TextEntities]:
        """Return the entities of the text and of the abstract, with their mentions there."""
        if article.entities is None:
            document = article.document
            empty = _TextEntities(Document(article.id, ""), [])
            if document is None:
                return empty, empty
            document = self._pipeline.process(document)
            entities = from_chains(document)
            for named in entities:
                self.counts.add("entities", type=named.type)
            return _TextEntities(document, entities), empty
        tagged = index_entities(article.entities)
        body = self._locate(tagged, article, "\n\n".join(article.paragraphs))
        abstract = self._locate(tagged, article, article.abstract)
        mentioned = {(named.type, named.name) for named in (*body.entities, *abstract.entities)}
        for entity in tagged:
            self.counts.add("entities", type=entity.type)
            if (entity.type, entity.name) not in mentioned:
                self.counts.add("entities not mentioned", type=entity.type)
        return body, abstract

    def _locate(self, tagged: Sequence[NamedEntity], article: Article, text: str) -> _TextEntities:
        """Return the tagged entities that a text mentions, analysing it if it may have sets."""
        named = likely_entities(tagged, text)
        document = Document(article.id, text, Metadata(title=article.title, date=article.date))
        if not _has_set(_TextEntities(document, named)):
            return _TextEntities(document, named)
        document = self._pipeline.process(document)
        located = locate_entities(named, document)
        return _TextEntities(document, [entity for entity in located if entity.mentions])

    def _sets(
        self, type: str, article: Article, body: _TextEntities, abstract: _TextEntities
    ) -> Iterator[_EntitySet]:
        """Yield every set with each of its contexts, those of the text first."""
        in_body, in_abstract = body.of(type), abstract.of(type)
        named = {entity.name for entity in (*in_body, *in_abstract)}
        self.counts.add("sets", possible_sets(len(named)), type=type)
        close: set[tuple[str, ...]] = set()
        for candidate in (
            *self._in_windows(type, body.document, in_body),
            *self._in_abstract(type, abstract.document, in_abstract),
        ):
            close.add(tuple(entity.name for entity in candidate.entities))
            yield candidate
        self.counts.add("sets not close", possible_sets(len(named)) - len(close), type=type)

    def _in_windows(
        self, type: str, document: Document, entities: Sequence[NamedEntity]
    ) -> Iterator[_EntitySet]:
        if len(entities) < MIN_ENTITIES:
            return
        sentences = document.sentences
        place = {sentence.start: number for number, sentence in enumerate(sentences)}
        present: list[set[int]] = [set() for _ in sentences]
        for number, entity in enumerate(entities):
            for mention in entity.mentions:
                if sentence := sentence_of(document, mention):
                    present[place[sentence.start]].add(number)
        seen: set[tuple[tuple[int, ...], int, int]] = set()
        for window in windows([frozenset(numbers) for numbers in present], self._window):
            if window is None:
                self.counts.add("crowded windows", type=type)
                continue
            self.counts.add("windows", type=type)
            first, last = with_neighbour(window, len(sentences))
            if (window.entities, first, last) in seen:
                self.counts.add("repeated windows", type=type)
                continue
            seen.add((window.entities, first, last))
            span = Span(sentences[first].start, sentences[last].end)
            yield _EntitySet(tuple(entities[n] for n in window.entities), document.text, span)

    def _in_abstract(
        self, type: str, document: Document, entities: Sequence[NamedEntity]
    ) -> Iterator[_EntitySet]:
        whole = Span(0, len(document.text))
        for window in windows([frozenset(range(len(entities)))]):
            self.counts.add("abstracts" if window else "crowded windows", type=type)
            if window:
                yield _EntitySet(tuple(entities[n] for n in window.entities), document.text, whole)

    def _instance(self, article: Article, type: str, number: int, chosen: _EntitySet) -> Instance:
        context, _ = excerpt(chosen.text, chosen.span)
        mentions = {}
        background = {}
        for entity in chosen.entities:
            _, places = excerpt(chosen.text, chosen.span, entity.mentions)
            mentions[entity.name] = tuple((place.start, place.end) for place in places)
            if self._background is not None:
                self.counts.add("background asked", type=type)
                if description := self._background.of(entity.name, type, entity.page):
                    self.counts.add("background found", type=type)
                    background[entity.name] = description
        names = tuple(entity.name for entity in chosen.entities)
        self.counts.add("instances", type=type, size=len(names))
        self.counts.add("entities in instances", len(names), type=type)
        return Instance(
            id=f"{article.id}-{number}",
            entities=names,
            type=type,
            title=article.title,
            context=context,
            background=background,
            date=article.date,
            source=article.id,
            mentions=mentions,
        )


class _TextEntities(NamedTuple):
    """A text and the entities it mentions."""

    document: Document
    entities: list[NamedEntity]

    def of(self, type: str) -> list[NamedEntity]:
        """Return the entities of one type, sorted by name."""
        of_type = (entity for entity in self.entities if entity.type == type)
        return sorted(of_type, key=lambda entity: (entity.name.casefold(), entity.name))


def _has_set(text_entities: _TextEntities) -> bool:
    return any(len(text_entities.of(type)) >= MIN_ENTITIES for type in TYPES)


_SPACE = re.compile(r"\s+")


def excerpt(text: str, span: Span, marks: Iterable[Span] = ()) -> tuple[str, list[Span]]:
    """Return the text of `span` with single spaces, and the `marks` inside it at new offsets."""
    begin, end = span.start, span.end
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    written = text[begin:end]
    runs = [run for run in _SPACE.finditer(written) if run[0] != " "]
    cuts = [(begin + run.start(), len(run[0]) - 1) for run in runs]

    def place(position: int) -> int:
        before = ((length, position - at - 1) for at, length in cuts if at < position)
        dropped = sum(min(length, max(0, distance)) for length, distance in before)
        return position - begin - dropped

    kept = (mark for mark in marks if begin <= mark.start <= mark.end <= end)
    inside = [Span(place(mark.start), place(mark.end)) for mark in kept]
    return _SPACE.sub(" ", written), inside


MAX_TOGETHER = 15
"""Number of entities of one type above which the sets of a window are not meaningful."""


class Window(Struct, frozen=True):
    """A set of entities and the shortest run of sentences that mentions them all."""

    entities: tuple[int, ...]
    """Indices, ascending."""
    first: int
    last: int
    """First and last sentence, both included."""


def windows(
    present: Sequence[frozenset[int]], widest: int | None = None
) -> Iterator[Window | None]:
    """Yield every set of two to six entities with every window that mentions it.

    `present` has the entities of each sentence. A set of n entities can have a window of up to n
    sentences (TESA §3.2), or `widest` if given. None stands for a skipped window with more than
    `MAX_TOGETHER` entities.
    """
    longest = widest or MAX_ENTITIES
    for first, first_entities in enumerate(present):
        if not first_entities:
            continue
        so_far: frozenset[int] = frozenset()
        after_first: frozenset[int] = frozenset()
        for last in range(first, min(len(present), first + longest)):
            if last > first:
                after_first |= present[last]
            only_first = first_entities - after_first
            only_last = present[last] - so_far
            all_entities = so_far | present[last]
            so_far = all_entities
            if not only_first:
                break
            if only_last:
                yield from _sets(all_entities, only_first, only_last, first, last, widest)


def _sets(
    all_entities: frozenset[int],
    only_first: frozenset[int],
    only_last: frozenset[int],
    first: int,
    last: int,
    widest: int | None,
) -> Iterator[Window | None]:
    """Yield the sets that no shorter window within this one mentions."""
    if len(all_entities) > MAX_TOGETHER:
        yield None
        return
    fewest = MIN_ENTITIES if widest else max(MIN_ENTITIES, last - first + 1)
    for size in range(fewest, min(MAX_ENTITIES, len(all_entities)) + 1):
        for chosen in combinations(sorted(all_entities), size):
            if not only_first.isdisjoint(chosen) and not only_last.isdisjoint(chosen):
                yield Window(chosen, first, last)


def with_neighbour(window: Window, sentences: int) -> tuple[int, int]:
    """Return the first and last sentence of a context; a single sentence gains a neighbour."""
    if window.first != window.last or sentences < 2:
        return window.first, window.last
    return (window.first - 1, window.last) if window.first else (0, 1)


def possible_sets(entities: int) -> int:
    """Return the number of sets of two to six among some entities."""
    return sum(comb(entities, size) for size in range(MIN_ENTITIES, MAX_ENTITIES + 1))


TOTALS = {
    "articles": "articles read",
    "repeated articles": "left out: an article with the same id came before",
    "articles without sets": "left out: no two entities of one type in the text or in the abstract",
    "entities": "different entities of the articles",
    "entities not mentioned": "left out: neither the text nor the abstract mentions them by name",
    "sets": "sets of two to six mentioned entities of one type",
    "sets not close": "left out: neither together in a window of sentences nor in the abstract",
    "crowded windows": "skipped: windows with too many entities of one type",
    "windows": "windows of sentences that mention a whole set",
    "repeated windows": "left out: the same sentences, once the neighbour is added",
    "abstracts": "abstracts that mention a whole set",
    "instances": "instances found",
    "entities in instances": "entities of all instances",
    "background asked": "entities looked up in the knowledge base",
    "background found": "of these, with a page that says something",
    "sampled": "instances drawn",
}
"""All figures, in the order of the steps, with what they count."""


class ExtractionCounts:
    """Counts of one extraction, which can be added over runs."""

    def __init__(self, values: Mapping[str, int] | None = None) -> None:
        self._values = Counter(values or {})

    def add(self, name: str, count: int = 1, *, type: str = "", size: int = 0) -> None:
        """Count `name` and, if given, also for one type and one size of set."""
        if name not in TOTALS:
            raise KeyError(name)
        self._values[name] += count
        if type:
            self._values[f"{name}/{type}"] += count
        if size:
            self._values[f"{name}//{size}"] += count

    def update(self, values: Mapping[str, int]) -> None:
        """Add the counts of another extraction."""
        self._values.update(values)

    def __getitem__(self, name: str) -> int:
        return self._values[name]

    def values(self) -> dict[str, int]:
        """Return all counts, in a form to be stored."""
        return dict(sorted(self._values.items()))

    def rows(self) -> Iterator[tuple[str, int, tuple[int | None, ...], str]]:
        """Yield each count with its name, its total, its values by type and its meaning."""
        for name, meaning in TOTALS.items():
            if name in self._values:
                by_type = tuple(self._values.get(f"{name}/{type}") for type in TYPES)
                yield name, self._values[name], by_type, meaning

    def sizes(self) -> dict[int, int]:
        """Return the number of instances by number of entities."""
        prefix = "instances//"
        by_size = {
            int(name.removeprefix(prefix)): count
            for name, count in self._values.items()
            if name.startswith(prefix)
        }
        return dict(sorted(by_size.items()))

    @property
    def mean_size(self) -> float:
        """Average number of entities of an instance; 0 without instances."""
        return self["entities in instances"] / max(1, self["instances"])
