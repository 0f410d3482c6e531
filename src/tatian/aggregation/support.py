"""Which phrases the facts of a knowledge base support, whoever proposed them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tatian.aggregation.data.records import Instance
from tatian.aggregation.metrics.normal import normal
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.knowledge.base import KnowledgeBase


class Facts:
    """What a base allows to be said of a whole set of entities: a judge of generated phrases.

    Supported are the phrases that what the entities share can be put into. Others may be true and
    differently worded, so the share of supported phrases is a lower bound.
    """

    def __init__(self, kb: KnowledgeBase | str | os.PathLike[str]) -> None:
        from tatian.aggregation.models.generating.generator import FactGenerator

        self._generator = FactGenerator(kb)

    def __call__(self, instance: Instance) -> frozenset[str]:
        """The phrases after normalisation; none for a set that is not understood."""
        from tatian.aggregation.models.generating.phrases import drafts, shared

        try:
            senses = self._generator.senses(instance)
        except InputError:
            return frozenset()
        return frozenset(normal(one.phrase) for one in drafts(shared(senses), instance.type))
