"""Training of the default ranker."""

from __future__ import annotations

from tatian.aggregation.data import Instance
from tatian.training.ranker import of_one_document


def test_sets_of_one_document_are_forgotten_together() -> None:
    entities = ("Oslo", "Rome")
    told = [Instance(name, entities, "location", source=source) for name, source in ("ax", "bx")]
    alone = Instance("c", entities, "location")
    both = frozenset({0, 1})
    assert of_one_document([*told, alone]) == [both, both, frozenset({2})]
