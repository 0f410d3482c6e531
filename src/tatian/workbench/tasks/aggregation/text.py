"""What the aggregation page shows of an instance: marked texts, the prompt sentence, the links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from urllib.parse import quote

from msgspec import Struct

from tatian.aggregation.data.records import Instance
from tatian.text import Document, Span
from tatian.text.quantities import in_words

NOUNS = {"person": "people", "location": "areas", "organization": "organizations"}
"""What the prompt calls the entities of each type (TESA §3.3)."""

_PAGE = "https://en.wikipedia.org/wiki/Special:Search?go=Go&search="
"""Leads to the page of exactly this title, and to a search where there is none."""

Placed = tuple[Span, int]
"""A mention and the number of its entity."""


class TextRun(Struct, frozen=True, omit_defaults=True):
    """A piece of a text, and whom it mentions."""

    text: str
    entity: int | None = None
    """The number of the entity, from 0."""


class PromptSentence(Struct, frozen=True):
    """The sentence to go on from, and the phrase that is to be replaced."""

    lead: str
    standard: str


def prompt(instance: Instance) -> PromptSentence:
    """ "In this article, A, B and C are discussed." and "The three people"."""
    *others, last = instance.entities
    listed = f"{', '.join(others)} and {last}"
    place = "In this article, " if instance.title or instance.context else ""
    count = in_words(len(instance.entities))
    standard = f"The {count} {NOUNS[instance.type]}"
    return PromptSentence(f"{place}{listed} are discussed.", standard)


def title_runs(instance: Instance) -> tuple[TextRun, ...]:
    """The title with the entities that it names."""
    return _runs(instance.title, _by_name(instance, instance.title))


def context_runs(instance: Instance) -> tuple[TextRun, ...]:
    """The excerpt with all mentions: the given ones, for entities without any those by name."""
    given = [
        (Span(start, end), number)
        for number, name in enumerate(instance.entities)
        for start, end in instance.mentions.get(name, ())
    ]
    taken = {number for _, number in given}
    if len(taken) < len(instance.entities):
        given += [
            (span, number)
            for span, number in _by_name(instance, instance.context)
            if number not in taken
        ]
    return _runs(instance.context, given)


def link(name: str, given: Mapping[str, str]) -> str:
    """The address of an entity's page."""
    return given.get(name) or _PAGE + quote(name)


def _by_name(instance: Instance, text: str) -> list[Placed]:
    """Names and last names in a text; "New York" in "New York City" is not one."""
    from tatian.pipeline.instances.entities import Entity, located

    wanted = [Entity(name, instance.type) for name in instance.entities]
    found = [
        (span, number)
        for number, entity in enumerate(located(wanted, Document("text", text)))
        for span in entity.mentions
    ]
    longest = sorted(found, key=lambda one: (one[0].start, -len(one[0])))
    kept: list[Placed] = []
    for span, number in longest:
        if not kept or kept[-1][0].end <= span.start:
            kept.append((span, number))
    return kept


def _runs(text: str, placed: Sequence[Placed]) -> tuple[TextRun, ...]:
    """The whole text in pieces; where mentions lie within others the inner one counts."""
    cuts = {0, len(text), *(at for span, _ in placed for at in (span.start, span.end))}
    bounds = sorted(cuts)
    inner = sorted(placed, key=lambda one: (len(one[0]), one[0].start))
    pieces = (TextRun(text[start:end], _at(inner, start, end)) for start, end in pairwise(bounds))
    return tuple(_joined(pieces))


def _at(inner: Iterable[Placed], start: int, end: int) -> int | None:
    return next((number for span, number in inner if span.start <= start and end <= span.end), None)


def _joined(runs: Iterable[TextRun]) -> Iterator[TextRun]:
    """Neighbours without a mention as one."""
    last: TextRun | None = None
    for run in runs:
        if last is not None and last.entity is None and run.entity is None:
            last = TextRun(last.text + run.text)
            continue
        if last is not None:
            yield last
        last = run
    if last is not None:
        yield last
