"""The sizes of a dataset, as the paper's Table 2 and §3.4 give them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from msgspec import Struct

from tatian.aggregation.data.cleanup import Clean
from tatian.aggregation.data.records import TYPES, Instance, same


class Counted(Struct, frozen=True):
    """How often something occurs, and how many different ones there are."""

    total: int = 0
    unique: int = 0


class TaskSummary(Struct, frozen=True):
    """What a file of instances holds."""

    instances: int
    tuples: dict[str, Counted]
    """Sets of entities by type."""
    aggregations: dict[str, Counted]
    """Right phrases by type; the total counts a phrase for every annotator who gave it."""
    unique_aggregations: int
    """Different phrases over all types."""
    entities: int
    """Different entities."""
    sizes: dict[int, int]
    """Instances by the number of their entities."""
    entities_per_tuple: float
    aggregations_per_instance: float
    """Different right phrases of an instance, on average."""
    candidates_per_instance: float
    background: float
    """The share of entities, as they occur, that have background."""


class AnswerAgreement(Struct, frozen=True):
    """How far annotators agree; the papers give no figure of their own."""

    pairs: int
    """Pairs of annotators who both named the same instance."""
    shared: float | None
    """The share of these pairs with a phrase in common."""
    aggregatable: float | None
    """Krippendorff's alpha on whether an instance can be named at all; None if undefined."""


def summarize(instances: Iterable[Instance], clean: Clean | None = None) -> TaskSummary:
    """Count what the instances hold; with the answers they come from, also how often each phrase.

    Entities are the same whatever their case and order.
    """
    given: Counter[str] = Counter()
    for one in clean.annotations if clean else ():
        given[one.item] += len(one.phrases)
    counts: Counter[str] = Counter()
    sizes: Counter[int] = Counter()
    totals: Counter[tuple[str, str]] = Counter()
    tuples: dict[str, set[frozenset[str]]] = {type: set() for type in TYPES}
    phrases: dict[str, set[str]] = {type: set() for type in TYPES}
    entities: set[str] = set()
    for instance in instances:
        names = entities_of(instance)
        entities |= names
        sizes[len(names)] += 1
        counts["instances"] += 1
        counts["entities"] += len(names)
        counts["aggregations"] += len(instance.aggregations)
        counts["candidates"] += len(instance.candidates)
        counts["background"] += len(instance.background)
        totals["tuples", instance.type] += 1
        totals["aggregations", instance.type] += given[instance.id] or len(instance.aggregations)
        tuples.setdefault(instance.type, set()).add(names)
        phrases.setdefault(instance.type, set()).update(instance.aggregations)
    whole = counts["instances"]
    return TaskSummary(
        whole,
        {type: Counted(totals["tuples", type], len(found)) for type, found in tuples.items()},
        {
            type: Counted(totals["aggregations", type], len(found))
            for type, found in phrases.items()
        },
        len(set().union(*phrases.values())),
        len(entities),
        dict(sorted(sizes.items())),
        _ratio(counts["entities"], whole),
        _ratio(counts["aggregations"], whole),
        _ratio(counts["candidates"], whole),
        _ratio(counts["background"], counts["entities"]),
    )


def entities_of(instance: Instance) -> frozenset[str]:
    """The set of an instance's entities, whatever their case and order."""
    return frozenset(same(entity) for entity in instance.entities)


def unseen(instances: Sequence[Instance], train: Iterable[Instance]) -> float:
    """The share of instances none of whose entities is in the training set (§3.4)."""
    known = frozenset[str]().union(*(entities_of(one) for one in train))
    return _ratio(sum(known.isdisjoint(entities_of(one)) for one in instances), len(instances))


def agreement(clean: Clean) -> AnswerAgreement:
    """How far the annotators of the same instances agree."""
    from tatian.statistics import krippendorff_alpha

    by_item: dict[str, list[tuple[str, ...]]] = {}
    for one in clean.judged:
        by_item.setdefault(one.item, []).append(one.phrases)
    pairs = [
        bool(set(first) & set(second))
        for answers in by_item.values()
        for first, second in combinations([phrases for phrases in answers if phrases], 2)
    ]
    judged = [[bool(phrases) for phrases in answers] for answers in by_item.values()]
    several = [labels for labels in judged if len(labels) > 1]
    alpha = float(krippendorff_alpha(several)) if several else math.nan
    shared = _ratio(sum(pairs), len(pairs)) if pairs else None
    return AnswerAgreement(len(pairs), shared, None if math.isnan(alpha) else alpha)


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
