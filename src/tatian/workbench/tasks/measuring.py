"""What several tasks need to compare answers: means over pairs of people, Krippendorff's alpha."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal, TypeVar

from tatian.workbench.tasks.comparing import Measure, Rule

T = TypeVar("T", bound=Hashable)
Alike = tuple[str, str, float]
"""Two annotators and how alike they answered one thing, 0 to 1."""


def mean_of_pairs(name: str, compared: Iterable[Alike], detail: str) -> Measure:
    """The mean over all comparisons, and over those of each pair of annotators."""
    found: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for one, other, value in compared:
        found[one, other].append(value)
    values: defaultdict[str, list[float]] = defaultdict(list)
    for couple, some in found.items():
        values[" ".join(sorted(couple))] += some
    every = [value for some in values.values() for value in some]
    pairs = {pair: math.fsum(some) / len(some) for pair, some in sorted(values.items())}
    mean = math.fsum(every) / len(every) if every else None
    return Measure(name, mean, len(every), detail, pairs)


def share_of_equal(name: str, units: Iterable[Mapping[str, Hashable]], detail: str) -> Measure:
    """How often two annotators say the same of a thing: the mean over pairs, as `mean_of_pairs`.

    `units` hold what each annotator says of one thing. Large campaigns have millions of pairs, so
    they are counted rather than listed.
    """
    all_pairs: Counter[tuple[str, str]] = Counter()
    equal: Counter[tuple[str, str]] = Counter()
    for unit in units:
        people = sorted(unit)
        all_pairs.update(combinations(people, 2))
        alike: defaultdict[Hashable, list[str]] = defaultdict(list)
        for person in people:
            alike[unit[person]].append(person)
        for some in alike.values():
            equal.update(combinations(some, 2))
    total = all_pairs.total()
    pairs = {" ".join(pair): equal[pair] / count for pair, count in sorted(all_pairs.items())}
    return Measure(name, equal.total() / total if total else None, total, detail, pairs)


def alpha(
    name: str,
    units: Iterable[Sequence[Hashable]],
    detail: str,
    level: Literal["nominal", "ordinal"] = "nominal",
) -> Measure:
    """Krippendorff's alpha over whatever two or more annotators labelled."""
    from tatian.statistics import krippendorff_alpha

    shared = [labels for labels in units if len(labels) > 1]
    value = krippendorff_alpha(shared, level) if shared else math.nan
    return Measure(name, None if math.isnan(value) else value, len(shared), detail)


def pairs(people: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Every two of those who answered an item."""
    return combinations(sorted(people), 2)


def accepted(said: Iterable[T], rule: Rule) -> T | None:
    """What enough people say; None where nothing is said often enough, or two things are."""
    counts = Counter(said)
    won = [choice for choice, votes in counts.items() if rule.accepts(votes, counts.total())]
    return won[0] if len(won) == 1 else None
