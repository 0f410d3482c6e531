"""Statistics of a dataset, as in the paper's Table 2 and §3.4."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from msgspec import Struct

from tatian.aggregation.data.cleanup import CleanedAnswers
from tatian.aggregation.data.records import TYPES, Instance, fold_phrase
from tatian.grouping import grouped, ratio


class ItemCounts(Struct, frozen=True):
    """Numbers of all and of distinct items."""

    total: int = 0
    unique: int = 0


class TaskSummary(Struct, frozen=True):
    """Statistics of a file of instances."""

    instances: int
    tuples: dict[str, ItemCounts]
    """Sets of entities by type."""
    aggregations: dict[str, ItemCounts]
    """Gold phrases by type; the total counts a phrase for every annotator who gave it."""
    unique_aggregations: int
    """Number of distinct phrases over all types."""
    entities: int
    """Number of distinct entities."""
    sizes: dict[int, int]
    """Number of instances by the number of their entities."""
    entities_per_tuple: float
    aggregations_per_instance: float
    """Average number of distinct gold phrases of an instance."""
    candidates_per_instance: float
    background: float
    """Share of entities, as they occur, that have background."""


class AnswerAgreement(Struct, frozen=True):
    """Agreement of annotators, which the papers do not report."""

    pairs: int
    """Pairs of annotators who both named the same instance."""
    shared: float | None
    """Share of these pairs with a phrase in common."""
    aggregatable: float | None
    """Krippendorff's alpha on whether an instance can be named at all; None if undefined."""


def summarize(instances: Iterable[Instance], clean: CleanedAnswers | None = None) -> TaskSummary:
    """Return statistics of instances; with `clean`, phrases count once for each annotator."""
    phrase_counts: Counter[str] = Counter()
    for annotation in clean.annotations if clean else ():
        phrase_counts[annotation.item] += len(annotation.phrases)
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
        answers = phrase_counts[instance.id] or len(instance.aggregations)
        totals["aggregations", instance.type] += answers
        tuples.setdefault(instance.type, set()).add(names)
        phrases.setdefault(instance.type, set()).update(instance.aggregations)
    total = counts["instances"]
    return TaskSummary(
        total,
        {
            type: ItemCounts(totals["tuples", type], len(different))
            for type, different in tuples.items()
        },
        {
            type: ItemCounts(totals["aggregations", type], len(different))
            for type, different in phrases.items()
        },
        len(set().union(*phrases.values())),
        len(entities),
        dict(sorted(sizes.items())),
        ratio(counts["entities"], total),
        ratio(counts["aggregations"], total),
        ratio(counts["candidates"], total),
        ratio(counts["background"], counts["entities"]),
    )


def entities_of(instance: Instance) -> frozenset[str]:
    """Return the set of an instance's entities, without case and order."""
    return frozenset(fold_phrase(entity) for entity in instance.entities)


def unseen(instances: Sequence[Instance], train: Iterable[Instance]) -> float:
    """Return the share of instances none of whose entities is in the training set (§3.4)."""
    seen = frozenset[str]().union(*(entities_of(instance) for instance in train))
    new = sum(seen.isdisjoint(entities_of(instance)) for instance in instances)
    return ratio(new, len(instances))


def agreement(clean: CleanedAnswers) -> AnswerAgreement:
    """Measure the agreement of the annotators of the same instances."""
    from tatian.statistics import krippendorff_alpha

    by_item = grouped((annotation.item, annotation.phrases) for annotation in clean.judged)
    pairs = [
        bool(set(first) & set(second))
        for answers in by_item.values()
        for first, second in combinations([phrases for phrases in answers if phrases], 2)
    ]
    judged = [[bool(phrases) for phrases in answers] for answers in by_item.values()]
    several = [labels for labels in judged if len(labels) > 1]
    alpha = float(krippendorff_alpha(several)) if several else math.nan
    shared = ratio(sum(pairs), len(pairs)) if pairs else None
    return AnswerAgreement(len(pairs), shared, None if math.isnan(alpha) else alpha)
