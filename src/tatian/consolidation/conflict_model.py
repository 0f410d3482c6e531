"""Model of conflicts: whether two differing claims of two sources are about the same thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from difflib import SequenceMatcher
from itertools import chain, islice, product
from math import exp, log, log10
from operator import mul
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import astuple

from tatian.claims import (
    BIRTHDAY,
    PlacedClaim,
    StatedClaim,
    about_one,
    find_barrier,
    likenesses,
    may_supersede,
)
from tatian.claims.slots import MOST_MINUTES
from tatian.claims.times import DAY
from tatian.consolidation.coverage import CoverageModel
from tatian.consolidation.rivals import (
    are_rivals,
    count_transposed,
    has_value,
    have_changed,
    is_one_of_several,
    may_match,
    without_lists,
)
from tatian.consolidation.spans import Key

ClaimPair = tuple[tuple[Key, PlacedClaim], tuple[Key, PlacedClaim]]


class ConflictWeights(Struct, frozen=True):
    """Weights of a logistic model: the log-odds that two claims are about the same thing.

    Fitted on part of the judged pairs on 2026-11-19. ``benchmarks/conflicts.py fit`` uses all 1,642
    compared pairs, so it gives other weights.
    """

    bias: float = 0.12
    likeness: float = 0.45
    """Per unit of log-odds by the model that reads both sentences without the figures."""
    distance: float = -1.50
    """Per unit of the logarithm of the ratio of two figures, at most `_MAX_DISTANCE`."""
    near_size: float = 0.25
    """Per decimal place of the lesser of two near figures: 612 and 621 rather than 7 and 8."""
    very_near: float = 0.78
    """For figures that differ by less than a twelfth."""
    similarity: float = 1.13
    """Per unit of the spans' similarity."""
    one_thing: float = 1.05
    """For claims with one governor and one counted thing."""
    other_people: float = -1.09
    """For sentences that name different people."""
    changing: float = 0.89
    """For figures that may have changed between the sources."""
    same_noun: float = 1.03
    """For figures that count the same noun."""
    figures: float = -0.34
    """Per unit of the logarithm of the number of such figures in each source, summed over both."""
    transposed: float = 1.34
    """Per digit after the first, if two figures have the same digits in another order."""
    barrier: float = -0.52
    """For claims that the rules hold to be about different things."""
    mismatch: float = -0.67
    """For claims whose nouns, acts or days do not match."""
    several: float = -0.85
    """For a source with another such value for what looks like the same thing."""


WEIGHTS = ConflictWeights()
MIN_SAME, MIN_SAME_OTHER_DAY = 0.65, 0.7
"""Minimum probability for claims of one day, and of different days, to be named as a conflict."""
_MIN_SIMILARITY = 0.03
"""Minimum similarity of two spans whose claims are compared, unless they count the same thing."""
_MIN_NAME_SIMILARITY = 0.4
"""Minimum share of letters, in order, that two given names of one person have in common."""
_MAX_DISTANCE = 1.5
_HALF_DAY = DAY // 2
"""Minutes after which a clock without "a.m." or "p.m." reads the same."""
_NEAR, _VERY_NEAR = 0.25, 0.08
"""Logarithms of the ratio of two figures below which they are near, and very near."""
_MAX_NEAREST = 20
"""Maximum number of larger figures that a figure is compared with in dissimilar spans."""
_MAX_READ = 400
"""Maximum number of pairs of claims that the model reads, those of the most similar spans."""
_MIN_NEAR_FIGURE = 10
"""Least quantity, in its base unit, that is compared with a near one in a dissimilar span."""
_MAX_NEAR_SHARE, _NEAR_YEARS, _NEAR_AGES = 0.3, 10 * 366, 5
"""Largest difference of such figures: as a share of the lesser, in days for dates, in years for
ages."""
_QUANTITIES = frozenset(("count", "money", "share", "measure", "duration", "age"))


class RivalFeatures(NamedTuple):
    """Features of two differing claims, as in `ConflictWeights`."""

    likeness: float
    distance: float
    near_size: float
    very_near: bool
    similarity: float
    one_thing: bool
    other_people: bool
    changing: bool
    same_noun: bool
    figures: float
    transposed: int
    barrier: bool
    mismatch: bool
    several: bool

    @classmethod
    def of(
        cls,
        claims: tuple[StatedClaim, StatedClaim],
        claims_of: tuple[Sequence[StatedClaim], Sequence[StatedClaim]],
        *,
        likeness: float,
        similarity: float,
    ) -> RivalFeatures:
        """Return the features of two claims; `claims_of` has all claims of their sources."""
        first, second = claims
        left, right = first.scope, second.scope
        distance, size = _measure_distance(first, second)
        people = left.people, right.people
        counts = (
            sum((other.kind, other.unit) == (claim.kind, claim.unit) for other in others)
            for claim, others in zip(claims, claims_of, strict=True)
        )
        return cls(
            likeness=likeness,
            distance=min(distance, _MAX_DISTANCE),
            near_size=size if 0 < distance < _NEAR else 0.0,
            very_near=0 < distance < _VERY_NEAR,
            similarity=similarity,
            one_thing=about_one(first, second),
            other_people=all(people) and people[0].isdisjoint(people[1]),
            changing=may_supersede(first, second, rough=True),
            same_noun=left.noun == right.noun != "",
            figures=sum(log(1 + count) for count in counts),
            transposed=count_transposed(first, second),
            barrier=find_barrier(first, second, "exclude") not in ("", BIRTHDAY),
            mismatch=not may_match(first, second),
            several=any(map(is_one_of_several, claims_of, claims)),
        )

    def probability(self) -> float:
        """Return the probability that the claims are about the same thing."""
        _, *weights = astuple(WEIGHTS)
        return 1 / (1 + exp(-WEIGHTS.bias - sum(map(mul, weights, self))))


def _measure_distance(first: StatedClaim, second: StatedClaim) -> tuple[float, float]:
    """Return the logarithm of the ratio of two figures, and the decimal places of the lesser.

    Both are 0 for claims that are not quantities above zero.
    """
    ranges = first.interval, second.interval
    low, high = sorted(ends.low if ends else 0.0 for ends in ranges)
    if first.kind not in _QUANTITIES or low <= 0:
        return 0.0, 0.0
    return log(high / low), log10(1 + low)


def find_likely_pairs(coverage: CoverageModel, days: Sequence[date | None]) -> Iterator[ClaimPair]:
    """Yield pairs of differing claims that are likely about the same thing, the likeliest first."""
    rated = sorted(rate_rivals(coverage), key=_rank)
    for features, pair in rated:
        dated = {day for (source, _), _ in pair if (day := days[source])}
        if features.probability() >= (MIN_SAME if len(dated) < 2 else MIN_SAME_OTHER_DAY):
            yield pair


def _rank(rated: tuple[RivalFeatures, ClaimPair]) -> tuple[float, Key, Key]:
    features, ((key, _), (other, _)) = rated
    return -features.probability(), key, other


def rate_rivals(coverage: CoverageModel) -> Iterator[tuple[RivalFeatures, ClaimPair]]:
    """Yield pairs of differing claims of different sources, with their features."""
    by_source: dict[int, list[StatedClaim]] = {}
    for key, content in coverage.contents.items():
        by_source.setdefault(key[0], []).extend(content.claims)
    pairs = [*_find_rivals(coverage, by_source)]
    if len(pairs) > _MAX_READ:
        pairs.sort(key=lambda pair: -coverage.similarity(pair[0][0], pair[1][0]))
        del pairs[_MAX_READ:]
    read = likenesses([(first, second) for (_, first), (_, second) in pairs])
    for pair, likeness in zip(pairs, read, strict=True):
        (key, first), (other, second) = pair
        features = RivalFeatures.of(
            (first.claim, second.claim),
            (by_source[key[0]], by_source[other[0]]),
            likeness=likeness,
            similarity=coverage.similarity(key, other),
        )
        yield features, pair


def _find_rivals(
    coverage: CoverageModel, by_source: dict[int, list[StatedClaim]]
) -> Iterator[ClaimPair]:
    """Yield pairs of claims of different sources that differ and may be about the same thing."""
    for pair in chain(_find_in_neighbours(coverage), _find_near_figures(coverage)):
        (key, placed), (other, rival) = pair
        first, second = placed.claim, rival.claim
        if (
            are_rivals(first, second)
            and not have_changed(first, second)
            and (first.kind != "name" or _may_name_one_person(first, second))
            and not has_value(by_source[other[0]], first)
            and not has_value(by_source[key[0]], second)
        ):
            yield pair


def _find_in_neighbours(coverage: CoverageModel) -> Iterator[ClaimPair]:
    """Yield pairs of claims of different sources, in similar spans or about the same thing."""
    for key, content in coverage.contents.items():
        for other in coverage.neighbours(key) if content.placed else ():
            if other[0] == key[0] or (other < key and key in coverage.neighbours(other)):
                continue
            sides = map(without_lists, (content.placed, coverage.content(other).placed))
            for first, second in product(*sides):
                if _are_alike(coverage, (key, first), (other, second)):
                    yield (key, first), (other, second)


def _are_alike(
    coverage: CoverageModel, first: tuple[Key, PlacedClaim], second: tuple[Key, PlacedClaim]
) -> bool:
    """Check whether two claims of neighbours are in similar spans, or count the same thing."""
    (key, placed), (other, rival) = first, second
    is_similar = coverage.similarity(key, other) >= _MIN_SIMILARITY
    return is_similar or placed.claim.scope.thing == rival.claim.scope.thing != ""


def _find_near_figures(coverage: CoverageModel) -> Iterator[ClaimPair]:
    """Yield near figures of dissimilar spans: 61,407 and 61,704, or two clock times."""
    for kind, group in _group_figures(coverage):
        larger = group
        if kind == "clock":
            larger = group + [
                (low + _HALF_DAY, key, placed) for low, key, placed in group if low < MOST_MINUTES
            ]
        for number, (low, key, first) in enumerate(group):
            for figure, other, second in islice(larger, number + 1, number + 1 + _MAX_NEAREST):
                if figure - low > _max_difference(kind, low):
                    break
                are_neighbours = other in coverage.neighbours(key) or key in coverage.neighbours(
                    other
                )
                pair = (key, first), (other, second)
                if other[0] != key[0] and not (are_neighbours and _are_alike(coverage, *pair)):
                    yield pair


def _group_figures(
    coverage: CoverageModel,
) -> Iterator[tuple[str, list[tuple[float, Key, PlacedClaim]]]]:
    """Yield each kind of figure with those of one unit, in ascending order."""
    groups: dict[tuple[str, str], list[tuple[float, Key, PlacedClaim]]] = {}
    for key, content in coverage.contents.items():
        for placed in without_lists(content.placed):
            kind, unit, interval = placed.claim.kind, placed.claim.unit, placed.claim.interval
            if interval is None or (kind in _QUANTITIES and interval.low < _MIN_NEAR_FIGURE):
                continue
            figure = (interval.low % _HALF_DAY, "") if kind == "clock" else (interval.low, unit)
            groups.setdefault((kind, figure[1]), []).append((figure[0], key, placed))
    for (name, _), group in groups.items():
        yield name, sorted(group, key=lambda item: item[:2])


def _max_difference(kind: str, figure: float) -> float:
    """Return the largest difference of near figures of a kind, in its unit."""
    return {"clock": MOST_MINUTES, "date": _NEAR_YEARS, "age": _NEAR_AGES}.get(
        kind, _MAX_NEAR_SHARE * figure
    )


def _may_name_one_person(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two given names are similar: "Edwin" and "Edward", not "Anna" and "Jonas"."""
    given_names = SequenceMatcher(None, first.name[0], second.name[0], autojunk=False)
    return first.unit == second.unit == "PER" and given_names.ratio() >= _MIN_NAME_SIMILARITY
