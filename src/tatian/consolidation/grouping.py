"""Which sentences of different accounts report the same thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tatian.consolidation.meaning import Meaning
from tatian.consolidation.units import Unit, Weights, flatten
from tatian.progress import Progress, silent
from tatian.text import Document

_COMMON = 400
"""A concept in more sentences than this tells nothing, and comparing by it would take for ever."""
_MOST_CANDIDATES = 600
"""With how many others a sentence is compared, those that share its rarest words first."""
_DISPUTE = 0.2
"""Added to the similarity of sentences that contradict each other: they speak of the same thing."""

Pair = tuple[tuple[int, int], tuple[int, int]]

Copies = Mapping[tuple[int, int], Sequence[Unit]]
"""Sentences that another account has word for word, by the key of that one."""


def group(
    accounts: Sequence[Sequence[Unit]],
    weights: Weights,
    *,
    meaning: Meaning | None = None,
    copies: Copies = MappingProxyType({}),
    disputed: frozenset[Pair] = frozenset(),
    threshold: float = 0.2,
    progress: Progress = silent,
) -> list[list[Unit]]:
    """Every sentence in exactly one group; the sentences of a group report the same thing.

    Average linkage between accounts, best pairs first; sentences of one account come together only
    through what another account says. `copies` go where their originals go, see
    `set_copies_apart`; `disputed` are pairs of unit keys, in order.
    """
    units = flatten(accounts)
    homes = [{unit.account, *(copy.account for copy in copies.get(unit.key, ()))} for unit in units]
    pairs = _similar_pairs(
        units, homes, weights, meaning or Meaning({}), disputed, threshold * 0.6, progress
    )
    clusters = _Clusters(units, pairs)
    for score, first, second in pairs:
        if score < threshold:
            break
        clusters.join(first, second, threshold * 0.8)
    return [
        sorted(
            (one for unit in members for one in (unit, *copies.get(unit.key, ()))),
            key=lambda unit: unit.key,
        )
        for members in clusters.groups(units)
    ]


def set_copies_apart(
    accounts: Sequence[Sequence[Unit]], documents: Sequence[Document]
) -> tuple[list[list[Unit]], Copies]:
    """The accounts without the sentences they share word for word with a longer one, and those.

    Whoever reprints a report adds nothing to it: its sentences must not weigh twice, nor bring
    sentences of the original together. An account's own repetitions are no copies. The order of
    the accounts makes no difference.
    """
    holders: dict[tuple[str, int], list[Unit]] = {}
    longest = sorted(
        range(len(accounts)), key=lambda number: (-len(accounts[number]), documents[number].text)
    )
    for number in longest:
        times: Counter[str] = Counter()
        for unit in accounts[number]:
            words = " ".join(unit.body.of(documents[number].text).split())
            times[words] += 1
            holders.setdefault((words, times[words]), []).append(unit)
    copies = {original.key: others for original, *others in holders.values() if others}
    copied = {unit.key for others in copies.values() for unit in others}
    return [[unit for unit in units if unit.key not in copied] for units in accounts], copies


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
        return [self._members[number] for number in numbers]


def _similar_pairs(
    units: Sequence[Unit],
    homes: Sequence[set[int]],
    weights: Weights,
    meaning: Meaning,
    disputed: frozenset[Pair],
    floor: float,
    progress: Progress,
) -> list[tuple[float, Unit, Unit]]:
    """Pairs at or above `floor` that no account has both of, best first."""
    holders: dict[tuple[str, str], list[int]] = {}
    for number, unit in enumerate(units):
        for clue in _clues(unit):
            holders.setdefault(clue, []).append(number)
    found = []
    for number, unit in enumerate(units):
        if number % 200 == 0:
            progress("comparing sentences", number, len(units))
        candidates: set[int] = set()
        for clue in sorted(_clues(unit), key=lambda clue: (len(holders[clue]), clue)):
            if len(holders[clue]) > _COMMON or len(candidates) > _MOST_CANDIDATES:
                break
            candidates.update(
                other
                for other in holders[clue]
                if other > number and homes[other].isdisjoint(homes[number])
            )
        for other in sorted(candidates):
            words = weights.similarity(unit, units[other])
            score = meaning.blended(words, unit.key, units[other].key)
            score += _DISPUTE if (unit.key, units[other].key) in disputed else 0.0
            if score >= floor:
                found.append((score, unit, units[other]))
    progress("comparing sentences", len(units), len(units))
    found.sort(key=lambda pair: (-pair[0], pair[1].key, pair[2].key))
    return found


def _clues(unit: Unit) -> list[tuple[str, str]]:
    """What sentences that report the same thing are found by: shared words, and shared pages."""
    words = [("word", concept) for concept in unit.concepts]
    return [*words, *(("page", title) for title in unit.pages)]
