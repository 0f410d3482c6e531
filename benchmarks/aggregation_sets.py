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
CLASSES = frozenset({"occupation", "type", "industry"})
OTHERS = frozenset(
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


class Drawn(Struct, frozen=True):
    """A set and the facts by which it was drawn, which the generator does not see."""

    instance: Instance
    facts: tuple[Key, ...]


def draw_sets(base: KnowledgeBase, seed: int) -> list[Drawn]:
    """Draw the sets: one third share a class, one third another fact, one third both."""
    chosen = random.Random(seed)
    drawn: list[Drawn] = []
    seen: set[frozenset[str]] = set()
    for kind, count in COUNTS.items():
        having = _having([p for p in base if p.kind == kind and p.role == "article"])
        classes = sorted(key for key in having if key[0] in CLASSES and len(having[key]) >= 3)
        others = sorted(key for key in having if key[0] in OTHERS and len(having[key]) >= 3)
        for number in range(count):
            while True:
                facts = _facts(chosen, number % 3, classes, others)
                pool = sorted(set.intersection(*(having[fact] for fact in facts)))
                size = chosen.choice(SIZES)
                if len(pool) < size:
                    continue
                members = tuple(sorted(chosen.sample(pool, size)))
                if frozenset(members) not in seen:
                    break
            seen.add(frozenset(members))
            name = f"set-{len(drawn) + 1:03}"
            drawn.append(Drawn(Instance(name, members, TYPES[kind]), facts))
    return drawn


def _having(entities: list[Entity]) -> dict[Key, set[str]]:
    by_key: defaultdict[Key, set[str]] = defaultdict(set)
    for entity in entities:
        for fact in entity.facts:
            by_key[fact.relation, fact.value].add(entity.title)
    return by_key


def _facts(
    chosen: random.Random, way: int, classes: list[Key], others: list[Key]
) -> tuple[Key, ...]:
    if way == 0:
        return (chosen.choice(classes),)
    if way == 1:
        return chosen.choice(classes), chosen.choice(others)
    return (chosen.choice(others),)
