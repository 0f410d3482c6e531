"""Extracts the aggregatable instances of an article, by the rules of the TESA paper."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

from msgspec import Struct

from tatian.aggregation.data.records import FEWEST, MOST, TYPES, Instance
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

_ENOUGH = 2
"""Least number of entities of one type that make a set."""


class _Set(NamedTuple):
    """Some entities and the stretch of text that mentions them."""

    entities: tuple[NamedEntity, ...]
    text: str
    span: Span


class Extractor:
    """Extracts instances from articles, and counts the effect of every rule.

    A set is spread over at most `window` sentences; without it, as many as it has entities.
    """

    def __init__(
        self,
        pipeline: Pipeline | None = None,
        *,
        background: Background | None = None,
        window: int | None = None,
        counts: ExtractionCounts | None = None,
    ) -> None:
        self._pipeline = pipeline or Pipeline()
        self._background = background
        self._window = window
        self.counts = counts or ExtractionCounts()

    def extract(self, article: Article) -> Iterator[Instance]:
        """Yield the instances of an article by type, those of the text before the abstract's."""
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

    def _entities(self, article: Article) -> tuple[_Read, _Read]:
        """Return the entities of the text and of the abstract, with their mentions there."""
        if article.entities is None:
            document = article.document
            read = self._pipeline.process(document) if document else Document(article.id, "")
            entities = from_chains(read) if document else []
            for named in entities:
                self.counts.add("entities", type=named.type)
            return _Read(read, entities), _Read(Document(article.id, ""), [])
        tagged = index_entities(article.entities)
        body = self._located(tagged, article, "\n\n".join(article.paragraphs))
        abstract = self._located(tagged, article, article.abstract)
        mentioned = {(named.type, named.name) for named in (*body.entities, *abstract.entities)}
        for entity in tagged:
            self.counts.add("entities", type=entity.type)
            if (entity.type, entity.name) not in mentioned:
                self.counts.add("entities not mentioned", type=entity.type)
        return body, abstract

    def _located(self, tagged: Sequence[NamedEntity], article: Article, text: str) -> _Read:
        """Return the tagged entities that a text mentions; analyse it only if a set is possible."""
        named = likely_entities(tagged, text)
        document = Document(article.id, text, Metadata(title=article.title, date=article.date))
        if not _has_set(_Read(document, named)):
            return _Read(document, named)
        document = self._pipeline.process(document)
        return _Read(
            document, [entity for entity in locate_entities(named, document) if entity.mentions]
        )

    def _sets(self, type: str, article: Article, body: _Read, abstract: _Read) -> Iterator[_Set]:
        """Yield every set with every context, those of the text in order."""
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
    ) -> Iterator[_Set]:
        if len(entities) < _ENOUGH:
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
            yield _Set(tuple(entities[n] for n in window.entities), document.text, span)

    def _in_abstract(
        self, type: str, document: Document, entities: Sequence[NamedEntity]
    ) -> Iterator[_Set]:
        whole = Span(0, len(document.text))
        for window in windows([frozenset(range(len(entities)))]):
            self.counts.add("abstracts" if window else "crowded windows", type=type)
            if window:
                yield _Set(tuple(entities[n] for n in window.entities), document.text, whole)

    def _instance(self, article: Article, type: str, number: int, chosen: _Set) -> Instance:
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


class _Read(NamedTuple):
    """A text and the entities it mentions."""

    document: Document
    entities: list[NamedEntity]

    def of(self, type: str) -> list[NamedEntity]:
        """Return those of one type, by name."""
        return sorted((entity for entity in self.entities if entity.type == type), key=_by_name)


def _by_name(entity: NamedEntity) -> tuple[str, str]:
    return entity.name.casefold(), entity.name


def _has_set(read: _Read) -> bool:
    return any(len(read.of(type)) >= _ENOUGH for type in TYPES)


_SPACE = re.compile(r"\s+")


def excerpt(text: str, span: Span, marks: Iterable[Span] = ()) -> tuple[str, list[Span]]:
    """Return the text of `span` with single spaces, and the `marks` that lie wholly inside it."""
    begin, end = span.start, span.end
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    written = text[begin:end]
    cuts = [
        (begin + run.start(), len(run[0]) - 1) for run in _SPACE.finditer(written) if run[0] != " "
    ]

    def place(position: int) -> int:
        lost = sum(min(length, max(0, position - at - 1)) for at, length in cuts if at < position)
        return position - begin - lost

    inside = [
        Span(place(mark.start), place(mark.end))
        for mark in marks
        if begin <= mark.start <= mark.end <= end
    ]
    return _SPACE.sub(" ", written), inside


MOST_TOGETHER = 15
"""Entities of one type in one window above which its sets are not meaningful."""


class Window(Struct, frozen=True):
    """A set of entities and the fewest consecutive sentences that mention them all."""

    entities: tuple[int, ...]
    """Indices, ascending."""
    first: int
    last: int
    """Sentences, both included."""


def windows(
    present: Sequence[frozenset[int]], widest: int | None = None
) -> Iterator[Window | None]:
    """Yield every set of two to six entities with every window that mentions it.

    `present` has the entities of each sentence. A set of n entities may need n sentences (TESA
    §3.2), or `widest` if given. None stands for a window that is skipped because it has more than
    `MOST_TOGETHER` entities.
    """
    longest = widest or MOST
    for first, opening in enumerate(present):
        if not opening:
            continue
        before_last: frozenset[int] = frozenset()
        after_first: frozenset[int] = frozenset()
        for last in range(first, min(len(present), first + longest)):
            if last > first:
                after_first |= present[last]
            only_first = opening - after_first
            only_last = present[last] - before_last
            together = before_last | present[last]
            before_last = together
            if not only_first:
                break
            if only_last:
                yield from _sets(together, only_first, only_last, first, last, widest)


def _sets(
    together: frozenset[int],
    only_first: frozenset[int],
    only_last: frozenset[int],
    first: int,
    last: int,
    widest: int | None,
) -> Iterator[Window | None]:
    """Yield the sets that need the whole window: no shorter one within it mentions them all."""
    if len(together) > MOST_TOGETHER:
        yield None
        return
    fewest = FEWEST if widest else max(FEWEST, last - first + 1)
    for size in range(fewest, min(MOST, len(together)) + 1):
        for chosen in combinations(sorted(together), size):
            if not only_first.isdisjoint(chosen) and not only_last.isdisjoint(chosen):
                yield Window(chosen, first, last)


def with_neighbour(window: Window, sentences: int) -> tuple[int, int]:
    """Return the sentences of a context; a single one gains a neighbour, if possible before it."""
    if window.first != window.last or sentences < 2:
        return window.first, window.last
    return (window.first - 1, window.last) if window.first else (0, 1)


def possible_sets(entities: int) -> int:
    """Return the number of sets of two to six among so many entities."""
    return sum(comb(entities, size) for size in range(FEWEST, MOST + 1))


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
    """Figures of one extraction: whole numbers that add up over runs."""

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
        """Add figures that were counted elsewhere."""
        self._values.update(values)

    def __getitem__(self, name: str) -> int:
        return self._values[name]

    def values(self) -> dict[str, int]:
        """Return all figures, to be stored and given to another `ExtractionCounts`."""
        return dict(sorted(self._values.items()))

    def rows(self) -> Iterator[tuple[str, int, tuple[int | None, ...], str]]:
        """Yield each figure with its total, its shares by type if known, and its meaning."""
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
        """Entities per instance; 0 without instances."""
        return self["entities in instances"] / max(1, self["instances"])
