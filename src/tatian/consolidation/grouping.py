"""Which sentences of different accounts report the same thing."""

from __future__ import annotations

from collections.abc import Sequence

from tatian.consolidation.units import Unit, Weights, flatten
from tatian.progress import Progress, silent

_COMMON = 400
"""A concept in more sentences than this tells nothing, and comparing by it would take for ever."""


_DISPUTE = 0.2
"""Added to the similarity of sentences that contradict each other: they speak of the same thing."""

Pair = tuple[tuple[int, int], tuple[int, int]]


def group(
    accounts: Sequence[Sequence[Unit]],
    weights: Weights,
    *,
    disputed: frozenset[Pair] = frozenset(),
    threshold: float = 0.15,
    progress: Progress = silent,
) -> list[list[Unit]]:
    """Every sentence in exactly one group; the sentences of a group report the same thing.

    Average linkage between accounts, best pairs first; sentences of one account come together only
    through what another account says. `disputed` are pairs of unit keys, in order.
    """
    units = flatten(accounts)
    pairs = _similar_pairs(units, weights, disputed, threshold * 0.6, progress)
    cluster_of: dict[tuple[int, int], list[Unit]] = {unit.key: [unit] for unit in units}
    scores = {(first.key, second.key): score for score, first, second in pairs}
    for score, first, second in pairs:
        if score < threshold:
            break
        one, two = cluster_of[first.key], cluster_of[second.key]
        if one is not two and _linkage(one, two, scores) >= threshold * 0.8:
            one.extend(two)
            for unit in two:
                cluster_of[unit.key] = one
    seen: set[int] = set()
    groups = []
    for unit in units:
        cluster = cluster_of[unit.key]
        if id(cluster) not in seen:
            seen.add(id(cluster))
            groups.append(sorted(cluster, key=lambda member: member.key))
    return groups


def _similar_pairs(
    units: Sequence[Unit],
    weights: Weights,
    disputed: frozenset[Pair],
    floor: float,
    progress: Progress,
) -> list[tuple[float, Unit, Unit]]:
    """Pairs of different accounts at or above `floor`, best first."""
    holders: dict[str, list[int]] = {}
    for number, unit in enumerate(units):
        for concept in unit.concepts:
            holders.setdefault(concept, []).append(number)
    found = []
    for number, unit in enumerate(units):
        if number % 200 == 0:
            progress("comparing sentences", number, len(units))
        candidates = {
            other
            for concept in unit.concepts
            if len(holders[concept]) <= _COMMON
            for other in holders[concept]
            if other > number and units[other].account != unit.account
        }
        for other in sorted(candidates):
            score = weights.similarity(unit, units[other])
            score += _DISPUTE if (unit.key, units[other].key) in disputed else 0.0
            if score >= floor:
                found.append((score, unit, units[other]))
    progress("comparing sentences", len(units), len(units))
    found.sort(key=lambda pair: (-pair[0], pair[1].key, pair[2].key))
    return found


def _linkage(
    one: Sequence[Unit],
    two: Sequence[Unit],
    scores: dict[Pair, float],
) -> float:
    """The mean similarity between two clusters, sentences of the same account left out."""
    between = [
        scores.get((min(a.key, b.key), max(a.key, b.key)), 0.0)
        for a in one
        for b in two
        if a.account != b.account
    ]
    return sum(between) / len(between) if between else 0.0
