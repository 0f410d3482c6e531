"""What a knowledge base has to say of an entity."""

from __future__ import annotations

from functools import lru_cache, partial

from msgspec import Struct

from tatian.aggregation.models.generating.traits import traits_of
from tatian.aggregation.models.remembering.memory import stems
from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import Entity

_REMEMBERED = 1 << 14
_DESCRIPTION = 300


class Told(Struct, frozen=True):
    """What is known of one entity; nothing if no base knows it."""

    words: frozenset[str] = frozenset()
    """Of its facts, description and categories, without their endings."""
    traits: frozenset[str] = frozenset()
    """Words that may name it: its kinds and all above them, its nations, its parties."""
    description: str = ""


class Known:
    """What one or more knowledge bases say of entities."""

    def __init__(self, *bases: KnowledgeBase) -> None:
        self._bases = bases
        self.of = lru_cache(_REMEMBERED)(self._of)
        """An entity by its name."""

    def _of(self, entity: str) -> Told:
        words: set[str] = set()
        traits: set[str] = set()
        description = ""
        for base in self._bases:
            thing = _page(base, entity)
            if thing is None:
                continue
            said = [fact.value for fact in thing.facts]
            said += [thing.description[:_DESCRIPTION], *thing.categories]
            words.update(word for one in said for word in stems(one))
            found = traits_of(thing.facts, partial(_page, base))
            traits.update(word for _, value in found for word in stems(value))
            description = description or thing.description[:_DESCRIPTION]
        return Told(frozenset(words), frozenset(traits), description)


def _page(base: KnowledgeBase, title: str) -> Entity | None:
    candidates = base.lookup(title).candidates
    return base.entity(candidates[0].id) if candidates else None
