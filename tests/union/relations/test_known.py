"""What a knowledge base says of two phrases: one thing, or a thing and what it is."""

from __future__ import annotations

from tatian.knowledge import open_base
from tatian.union.relations.knowledge import KnownPhrases


def test_a_base_knows_names_of_one_thing_and_what_a_thing_is() -> None:
    with open_base() as base:
        known = KnownPhrases(base)
        for first, second, kind in (
            ("the UK", "Britain", "equivalent"),
            ("Emmanuel Macron", "Macron", "equivalent"),
            ("Paris", "the city", "entails"),
            ("the capital of France", "Paris", "entailed"),
            ("Paris", "the French capital", "entails"),
            ("a vehicle", "their car", "entailed"),
        ):
            found = known.compare(first, second)
            assert found is not None, (first, second)
            assert found.kind == kind, (first, second)
        for first, second in (
            ("Paris", "the German capital"),
            ("Paris", "Paris"),
            ("Lyon", "the French capital"),
            ("the ferry", "the harbour"),
        ):
            assert known.compare(first, second) is None, (first, second)
