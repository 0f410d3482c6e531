"""Which sentences of different accounts report the same thing."""

from __future__ import annotations

from collections import Counter
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
    clusters = _Clusters(units, pairs)
    for score, first, second in pairs:
        if score < threshold:
            break
        clusters.join(first, second, threshold * 0.8)
    return clusters.groups(units)


class _Clusters:
    """Average linkage: two clusters come together if their members are similar on the whole."""

    def __init__(self, units: Sequence[Unit], pairs: Sequence[tuple[float, Unit, Unit]]) -> None:
        self._of = {unit.key: number for number, unit in enumerate(units)}
        self._members: list[list[Unit]] = [[unit] for unit in units]
        self._accounts = [Counter({unit.account: 1}) for unit in units]
        self._sums: list[dict[int, float]] = [{} for _ in units]
        for score, first, second in pairs:
            one, two = self._of[first.key], self._of[second.key]
            self._sums[one][two] = self._sums[two][one] = score

    def join(self, first: Unit, second: Unit, least: float) -> None:
        """Make one cluster of two, if their linkage is at least `least`."""
        one, two = self._of[first.key], self._of[second.key]
        if one == two or self._linkage(one, two) < least:
            return
        if len(self._members[one]) < len(self._members[two]):
            one, two = two, one
        for unit in self._members[two]:
            self._of[unit.key] = one
        self._members[one] += self._members[two]
        self._accounts[one] += self._accounts[two]
        for other, total in self._sums[two].items():
            if other != one:
                merged = self._sums[one].get(other, 0.0) + total
                self._sums[one][other] = self._sums[other][one] = merged
                self._sums[other].pop(two, None)
        self._sums[one].pop(two, None)
        self._sums[two] = {}
        self._members[two] = []

    def _linkage(self, one: int, two: int) -> float:
        """The mean similarity between two clusters, sentences of the same account left out."""
        first, second = self._accounts[one], self._accounts[two]
        same = sum(count * second[account] for account, count in first.items())
        between = first.total() * second.total() - same
        return self._sums[one].get(two, 0.0) / between if between else 0.0

    def groups(self, units: Sequence[Unit]) -> list[list[Unit]]:
        """The clusters, by their first member."""
        numbers = dict.fromkeys(self._of[unit.key] for unit in units)
        return [sorted(self._members[number], key=lambda unit: unit.key) for number in numbers]


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
