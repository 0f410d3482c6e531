"""Sets of entities that share facts, drawn from a knowledge base; reproducible by seed."""

from __future__ import annotations

import random
from collections import defaultdict

from msgspec import Struct

from tatian.aggregation.data.records import Instance
from tatian.knowledge import Entity, KnowledgeBase

TYPES = {"person": "person", "location": "location", "organisation": "organization"}
COUNTS = {"person": 40, "location": 30, "organisation": 30}
"""Number of sets of each kind."""
CLASS_RELATIONS = frozenset({"occupation", "type", "industry"})
OTHER_RELATIONS = frozenset(
    {
        "nationality",
        "party",
        "position",
        "team",
        "sport",
        "employer",
        "member of",
        "country",
        "located in",
        "continent",
        "capital of",
        "league",
        "headquarters",
    }
)
SIZES = (3, 3, 3, 4, 4, 5)
Key = tuple[str, str]


class DrawnSet(Struct, frozen=True):
    """A set and the facts by which it was drawn, which the generator does not see."""

    instance: Instance
    facts: tuple[Key, ...]


def draw_sets(base: KnowledgeBase, seed: int) -> list[DrawnSet]:
    """Draw the sets: one third share a class, one third another fact, one third both."""
    generator = random.Random(seed)
    drawn: list[DrawnSet] = []
    seen: set[frozenset[str]] = set()
    for kind, count in COUNTS.items():
        titles_of = _titles_by_fact([p for p in base if p.kind == kind and p.role == "article"])
        classes = sorted(
            key for key in titles_of if key[0] in CLASS_RELATIONS and len(titles_of[key]) >= 3
        )
        others = sorted(
            key for key in titles_of if key[0] in OTHER_RELATIONS and len(titles_of[key]) >= 3
        )
        for number in range(count):
            while True:
                facts = _facts(generator, number % 3, classes, others)
                pool = sorted(set.intersection(*(titles_of[fact] for fact in facts)))
                size = generator.choice(SIZES)
                if len(pool) < size:
                    continue
                members = tuple(sorted(generator.sample(pool, size)))
                if frozenset(members) not in seen:
                    break
            seen.add(frozenset(members))
            name = f"set-{len(drawn) + 1:03}"
            drawn.append(DrawnSet(Instance(name, members, TYPES[kind]), facts))
    return drawn


def _titles_by_fact(entities: list[Entity]) -> dict[Key, set[str]]:
    by_key: defaultdict[Key, set[str]] = defaultdict(set)
    for entity in entities:
        for fact in entity.facts:
            by_key[fact.relation, fact.value].add(entity.title)
    return by_key


def _facts(
    generator: random.Random, way: int, classes: list[Key], others: list[Key]
) -> tuple[Key, ...]:
    if way == 0:
        return (generator.choice(classes),)
    if way == 1:
        return generator.choice(classes), generator.choice(others)
    return (generator.choice(others),)
