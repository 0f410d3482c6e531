"""One thing that can be said of an entity in a phrase."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tatian.knowledge.building.wording import shown
from tatian.knowledge.entities import Fact

Slot = Literal[
    "noun",
    "whole",
    "group",
    "nation",
    "party",
    "genre",
    "religion",
    "language",
    "size",
    "sex",
    "in",
    "based",
    "bordering",
]
"""A noun by itself, one with all that belongs to it, a finished phrase; or a kind of modifier."""
Key = tuple[Slot, str]


class Trait(Struct, frozen=True):
    """What a phrase may say of an entity, and the fact that lets it."""

    slot: Slot
    value: str
    """A noun in the singular, an adjective, a place: the words of the phrase."""
    fact: str
    """Relation and value as the base has them, for people to read."""
    source: tuple[str, str] = ("", "")
    """The fact by which it is counted how many share it."""
    depth: int = 0
    """How far it was generalised: 0 for what the fact itself says."""

    @property
    def key(self) -> Key:
        """What two entities must have alike to share it."""
        return self.slot, self.value


def trait(slot: Slot, value: str, fact: Fact, depth: int = 0) -> Trait:
    """The trait that a fact gives."""
    said = f"{fact.relation} {shown(fact.value)}"
    if fact.since or fact.until:
        said += f" ({fact.since}–{fact.until})"
    return Trait(slot, value, said, (fact.relation, fact.value), depth)
