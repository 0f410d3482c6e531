"""The words that a knowledge base has for an entity."""

from __future__ import annotations

from functools import lru_cache

from tatian.aggregation.models.remembering.memory import stems
from tatian.knowledge.base import KnowledgeBase

_REMEMBERED = 1 << 14
_DESCRIPTION = 300


class Known:
    """What one or more knowledge bases say of entities, as words without their endings."""

    def __init__(self, *bases: KnowledgeBase) -> None:
        self._bases = bases
        self.words = lru_cache(_REMEMBERED)(self._words)
        """Of an entity by its name; none if no base knows it."""

    def _words(self, entity: str) -> frozenset[str]:
        found: set[str] = set()
        for base in self._bases:
            for page in base.lookup(entity).candidates[:1]:
                thing = base.entity(page.id)
                if thing is None:
                    continue
                said = [fact.value for fact in thing.facts]
                said += [thing.description[:_DESCRIPTION], *thing.categories]
                found.update(word for one in said for word in stems(one))
        return frozenset(found)
