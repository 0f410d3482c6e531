"""A text with its mentions, as benchmarks hold it and linkers give it."""

from __future__ import annotations

from msgspec import Struct

from tatian.text import Span


class LinkedMention(Span, frozen=True, order=True, omit_defaults=True):
    """A term where it stands, and the Wikipedia pages that it means."""

    term: str = ""
    """The text of the span."""
    titles: tuple[str, ...] = ()
    """Every page that is right (gold), or the pages chosen, best first (a system's)."""
    score: float | None = None
    """How sure a system is, from 0 to 1."""
    named: bool | None = None
    """Whether it names a person, place, organisation or the like; None where nobody said."""
    type: str = ""
    """PER, LOC, ORG, MISC or what the corpus says."""
    tags: tuple[str, ...] = ()
    """What else a corpus says of it: its form (``form:pronoun``), its overlap (``overlap:max``),
    that it need not be found (``optional``)."""
    ids: tuple[str, ...] = ()
    """The same pages in the corpus's own terms (``Q142``, a DBpedia URI), where it has others."""
    names: tuple[str, ...] = ()
    """What the corpus calls each of `ids`, where it says so (Wikidata labels)."""


class LinkedText(Struct, frozen=True, omit_defaults=True):
    """One text of a benchmark (a sentence, a turn, an article) with all its mentions in order."""

    id: str
    text: str
    topic: str = ""
    mentions: tuple[LinkedMention, ...] = ()
    evaluated: tuple[Span, ...] = ()
    """The parts that were annotated; empty for all of it."""
    title: str = ""
    """The headline, or whatever else the corpus calls the text."""
    part_of: str = ""
    """What holds it, where it is a sentence of something longer: an id that all its parts share."""
