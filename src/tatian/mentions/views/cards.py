"""What a page of linked texts says of each Wikipedia page, and in which order it lists them."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import Kind
from tatian.mentions.data.ids import wikipedia_url
from tatian.mentions.data.records import LinkedMention

KINDS: tuple[Kind, ...] = ("person", "location", "organisation", "concept")
_OF_TYPE: dict[str, Kind] = {"PER": "person", "LOC": "location", "ORG": "organisation"}


class Card(Struct, frozen=True):
    """One Wikipedia page that a text links to."""

    title: str
    kind: Kind
    description: str
    count: int
    """How many mentions have it as their best page."""

    @property
    def url(self) -> str:
        """Where it is on the web."""
        return wikipedia_url(self.title)


def cards(mentions: Iterable[LinkedMention], base: KnowledgeBase | None) -> dict[str, Card]:
    """The best pages of `mentions` by title, the most frequent first."""
    counts: dict[str, int] = {}
    types: dict[str, str] = {}
    for one in mentions:
        if one.titles:
            title = one.titles[0]
            counts[title] = counts.get(title, 0) + 1
            types.setdefault(title, one.type)
    ranked = sorted(counts, key=lambda title: (-counts[title], title))
    return {title: _card(title, types[title], counts[title], base) for title in ranked}


def _card(title: str, type: str, count: int, base: KnowledgeBase | None) -> Card:
    entity = base.entity(title) if base else None
    if entity is None:
        return Card(title, _OF_TYPE.get(type, "concept"), "", count)
    return Card(title, entity.kind, entity.description, count)
