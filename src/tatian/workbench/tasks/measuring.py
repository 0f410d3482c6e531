"""What several tasks need to compare answers: means over pairs of people, Krippendorff's alpha."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Literal, TypeVar

from tatian.workbench.tasks.comparing import Measure, Rule

T = TypeVar("T", bound=Hashable)
Alike = tuple[str, str, float]
"""Two annotators and how alike they answered one thing, 0 to 1."""


def mean_of_pairs(name: str, compared: Iterable[Alike], detail: str) -> Measure:
    """The mean over all comparisons, and over those of each pair of annotators."""
    values: dict[str, list[float]] = {}
    for one, other, value in compared:
        values.setdefault(" ".join(sorted((one, other))), []).append(value)
    every = [value for found in values.values() for value in found]
    pairs = {pair: math.fsum(found) / len(found) for pair, found in sorted(values.items())}
    mean = math.fsum(every) / len(every) if every else None
    return Measure(name, mean, len(every), detail, pairs)


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
