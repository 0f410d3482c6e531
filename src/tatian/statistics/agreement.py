"""Agreement of annotators beyond chance, and correlation of two rankings.

Labels may be of any hashable type. If all labels are the same, agreement beyond chance is
undefined, and the result is NaN.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from itertools import combinations, groupby
from operator import itemgetter
from typing import Literal

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.errors import EmptyInput, InputError
from tatian.grouping import grouped
from tatian.statistics.score import Numbers

Level = Literal["nominal", "ordinal", "interval"]


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Return the agreement of two annotators who labelled all items (Cohen 1960)."""
    if len(first) != len(second):
        raise InputError(f"the annotators labelled {len(first)} and {len(second)} items")
    if not first:
        raise EmptyInput("no items to measure agreement on")
    items = len(first)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / items
    first_counts, second_counts = Counter(first), Counter(second)
    expected = sum(count * second_counts[label] for label, count in first_counts.items()) / items**2
    return math.nan if expected >= 1 else (observed - expected) / (1 - expected)


def krippendorff_alpha(
    ratings: Sequence[Sequence[Hashable | None]], level: Level = "nominal"
) -> float:
    """Return the agreement of any number of annotators, with missing labels, on any scale.

    Krippendorff's alpha. `ratings` holds each item's labels, None or NaN where an annotator gave
    none; items with fewer than two labels are left out. Ordinal labels must be comparable, interval
    labels numbers.
    """
    present = [[label for label in labels if not _is_missing(label)] for labels in ratings]
    pairable = [labels for labels in present if len(labels) > 1]
    if not pairable:
        raise EmptyInput("no item has two labels: nothing to measure agreement on")
    domain = _domain(pairable, ordered=level != "nominal")
    counts = _counts(pairable, domain)
    totals = counts.sum(axis=0)
    distances = _DISTANCES[level](domain, totals)
    within = counts / (counts.sum(axis=1, keepdims=True) - 1)
    observed = float((within @ distances * counts).sum())
    expected = float(totals @ distances @ totals / (totals.sum() - 1))
    return math.nan if expected == 0 else 1 - observed / expected


def _is_missing(label: Hashable | None) -> bool:
    return label is None or (isinstance(label, float) and math.isnan(label))


def _domain(ratings: Sequence[Sequence[Hashable]], *, ordered: bool) -> list[Hashable]:
    labels = list(dict.fromkeys(label for item in ratings for label in item))
    if not ordered:
        return labels
    try:
        return sorted(labels)  # type: ignore[type-var]
    except TypeError as error:
        raise InputError(f"labels without an order cannot be compared: {error}") from error


def _counts(ratings: Sequence[Sequence[Hashable]], domain: Sequence[Hashable]) -> Numbers:
    """Count how often each item was given each label."""
    place = {label: index for index, label in enumerate(domain)}
    counts = np.zeros((len(ratings), len(domain)))
    for row, labels in zip(counts, ratings, strict=True):
        for label in labels:
            row[place[label]] += 1
    return counts


def _nominal(domain: Sequence[Hashable], totals: Numbers) -> Numbers:
    return 1 - np.eye(len(domain))


def _ordinal(domain: Sequence[Hashable], totals: Numbers) -> Numbers:
    """Return the squared number of labels between two ranks, counting half of those at either."""
    middles = np.cumsum(totals) - totals / 2
    return (middles[:, None] - middles[None, :]) ** 2


def _interval(domain: Sequence[Hashable], totals: Numbers) -> Numbers:
    try:
        values = np.array(domain, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError("labels on an interval scale must be numbers") from error
    return (values[:, None] - values[None, :]) ** 2


_DISTANCES: dict[Level, Callable[[Sequence[Hashable], Numbers], Numbers]] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "interval": _interval,
}


# Agreement of labelers who each labelled some of the sentences (the mention benchmark, §3).
#
# Two labelers are compared on the mentions of the sentences that both labelled. The average over
# all pairs is weighted by the number of these mentions.


class PairKappa(Struct, frozen=True):
    """Agreement of two labelers on the sentences that both labelled."""

    first: str
    second: str
    kappa: float
    """NaN if both marked all mentions, or none."""
    sentences: int
    mentions: int


class AverageKappa(Struct, frozen=True):
    """The weighted average over pairs, and the pairs."""

    value: float
    """Average over the pairs whose kappa is a number; NaN if there are none."""
    pairs: tuple[PairKappa, ...]


def average_pairwise_kappa(
    marked: Mapping[str, Mapping[str, Collection[Hashable]]],
    candidates: Mapping[str, Collection[Hashable]] | None = None,
) -> AverageKappa:
    """Return the mention benchmark's average kappa, of its detection or its confirmation task.

    `marked` holds the mentions that each labeler detected or confirmed in each sentence that she
    labelled, possibly none. `candidates` are the mentions of each sentence that were
    shown for confirmation. In detection there are none: then all mentions that anybody detected are
    used.
    """
    if candidates is None:
        candidates = _all_marked(marked)
    pairs = []
    for first, second in combinations(sorted(marked), 2):
        shared = [sentence for sentence in marked[first] if sentence in marked[second]]
        first_marks, second_marks = [], []
        for sentence in shared:
            mentions = set(candidates.get(sentence, ()))
            _refuse_unknown(first, sentence, marked[first][sentence], mentions)
            _refuse_unknown(second, sentence, marked[second][sentence], mentions)
            first_marks += [mention in marked[first][sentence] for mention in mentions]
            second_marks += [mention in marked[second][sentence] for mention in mentions]
        if first_marks:
            kappa = cohen_kappa(first_marks, second_marks)
            pairs.append(PairKappa(first, second, kappa, len(shared), len(first_marks)))
    if not pairs:
        raise EmptyInput("no two labelers share a sentence with a mention")
    defined = [pair for pair in pairs if not math.isnan(pair.kappa)]
    weight = sum(pair.mentions for pair in defined)
    weighted = sum(pair.kappa * pair.mentions for pair in defined)
    return AverageKappa(weighted / weight if weight else math.nan, tuple(pairs))


def _all_marked(
    marked: Mapping[str, Mapping[str, Collection[Hashable]]],
) -> dict[str, list[Hashable]]:
    """Return the mentions of each sentence that anybody marked."""
    return grouped(
        (sentence, mention)
        for sentences in marked.values()
        for sentence, mentions in sentences.items()
        for mention in mentions
    )


def _refuse_unknown(
    labeler: str, sentence: str, marked: Collection[Hashable], mentions: set[Hashable]
) -> None:
    for mention in marked:
        if mention not in mentions:
            raise InputError(
                f"labeler '{labeler}' marked {mention!r} in sentence '{sentence}', "
                "which was not among its candidates"
            )


# Agreement of two rankings on the order of things.


class Correlation(Struct, frozen=True):
    """Kendall's tau-b and its p-value.

    Both are NaN if one of the rankings is constant.
    """

    tau: float
    p_value: float
    """Two-sided, by the normal approximation with ties (Kendall 1970); rough below ten items."""
    items: int


def kendall_tau(first: Sequence[float], second: Sequence[float]) -> Correlation:
    """Return Kendall's tau-b, which allows ties."""
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1:
        raise InputError(f"cannot correlate {x.size} values with {y.size}")
    items = x.size
    if items < 2:
        raise InputError("a correlation needs at least two items")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise InputError("a correlation needs finite numbers")
    pairs = items * (items - 1) // 2
    ties_x, ties_y = _ties(x), _ties(y)
    untied_x, untied_y = pairs - _choose_two(ties_x), pairs - _choose_two(ties_y)
    if not untied_x or not untied_y:
        return Correlation(math.nan, math.nan, items)
    concordance = _concordance(x, y)
    tau = concordance / math.sqrt(untied_x * untied_y)
    return Correlation(tau, _p_value(concordance, items, ties_x, ties_y), items)


def _concordance(x: Numbers, y: Numbers) -> int:
    """Return the number of pairs in the same order minus those in opposite orders."""
    balance, before = 0, list[float]()
    for _, tied in groupby(sorted(zip(x.tolist(), y.tolist(), strict=True)), itemgetter(0)):
        values = [value for _, value in tied]
        for value in values:
            balance += bisect_left(before, value) + bisect_right(before, value) - len(before)
        for value in values:
            insort(before, value)
    return balance


def _ties(values: Numbers) -> npt.NDArray[np.int64]:
    return np.unique(values, return_counts=True)[1].astype(np.int64)


def _choose_two(counts: npt.NDArray[np.int64]) -> int:
    return int((counts * (counts - 1)).sum()) // 2


def _p_value(
    concordance: int, items: int, ties_x: npt.NDArray[np.int64], ties_y: npt.NDArray[np.int64]
) -> float:
    def permutations(counts: npt.NDArray[np.int64], size: int) -> int:
        return sum(math.perm(int(count), size) for count in counts)

    def tie_term(counts: npt.NDArray[np.int64]) -> int:
        return int((counts * (counts - 1) * (2 * counts + 5)).sum())

    ordered = items * (items - 1)
    variance = (ordered * (2 * items + 5) - tie_term(ties_x) - tie_term(ties_y)) / 18
    variance += permutations(ties_x, 2) * permutations(ties_y, 2) / (2 * ordered)
    if items > 2:
        triples = 9 * ordered * (items - 2)
        variance += permutations(ties_x, 3) * permutations(ties_y, 3) / triples
    return math.erfc(abs(concordance) / math.sqrt(2 * variance))
