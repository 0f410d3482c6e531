"""Claims of one span that others lack or contradict."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tatian.claims import StatedClaim, about_one, agree, compare_values
from tatian.consolidation.coverage import CoverageModel
from tatian.consolidation.spans import Key
from tatian.text.content import concepts

_MAX_NUMBER_OF_NAMES = 3
"""Maximum number in words that a list of names may cover: "two others"."""
_SAME_NAME = frozenset({"equal", "variant", "entails", "entailed"})
"""Relations of two names that may belong to one person."""


def has_unique_claim(coverage: CoverageModel, key: Key, others: Sequence[Key]) -> bool:
    """Check whether a span names a person or gives a figure that none of the others has.

    Without a judge, claims are not read: then only numbers in digits count.
    """
    conflicting = frozenset[str]().union(
        *(coverage.settlement.conflicting.get((key, other), ()) for other in others)
    )
    contents = [coverage.content(other) for other in others]
    mentioned = conflicting.union(*(content.concepts for content in contents))
    if coverage.judge is None:
        numbers = {word.concept for word in coverage.content(key).words if word.exact}
        return any(any(map(str.isdigit, number)) for number in numbers - mentioned)
    for claim in coverage.content(key).claims:
        is_person = claim.kind == "name" and claim.unit == "PER"
        if not is_person or not mentioned.isdisjoint(concepts(claim.name)):
            continue
        other_claims = (other for content in contents for other in content.claims)
        if not any(compare_values(claim, other)[0] in _SAME_NAME for other in other_claims):
            return True
    differing = find_differing_claims(coverage, key, others)
    return any(not conflicting.issuperset(claim.concepts) for claim, _ in differing)


def find_differing_claims(
    coverage: CoverageModel, key: Key, others: Sequence[Key]
) -> list[tuple[StatedClaim, tuple[Key, StatedClaim] | None]]:
    """Return a span's figures and times that no other gives, each with the rival value, if any."""
    other_claims = [(other, claim) for other in others for claim in coverage.content(other).claims]
    mentioned = frozenset[str]().union(*(coverage.content(other).concepts for other in others))
    differing = []
    for claim in coverage.content(key).claims:
        if claim.kind in ("name", "date", "order") or not _is_stated(claim):
            continue
        if any(_gives(other, claim) for _, other in other_claims):
            continue
        rivals = (pair for pair in other_claims if about_one(claim, pair[1]))
        rival = next((pair for pair in rivals if not agree(claim, pair[1])), None)
        if rival or not (claim.concepts <= mentioned or _is_small(claim)):
            differing.append((claim, rival))
    return differing


def _is_stated(claim: StatedClaim) -> bool:
    """Check whether a figure is given in numbers: "several" and "one" may be paraphrased."""
    interval = claim.interval
    if interval is None or interval.low == 1:
        return False
    return not interval.bounded or any(map(str.isdigit, claim.stated))


def _is_small(claim: StatedClaim) -> bool:
    """Check whether a number is small and in words, so that a list of names may cover it."""
    interval = claim.interval
    return interval is not None and interval.high <= _MAX_NUMBER_OF_NAMES and claim.stated.isalpha()


def _gives(other: StatedClaim, claim: StatedClaim) -> bool:
    """Check whether another claim may give the same or a more exact value of the same thing.

    A fraction may have lost its stroke: "41/2" is printed as "412".
    """
    things = {other.scope.thing, claim.scope.thing} - {""}
    is_same = compare_values(other, claim)[0] in ("equal", "entails", "variant")
    figures = other.stated, claim.stated
    is_fraction = any("/" in figure for figure in figures)
    is_garbled = is_fraction and len({re.sub(r"\D", "", figure) for figure in figures}) == 1
    return len(things) < 2 and (is_same or is_garbled or other.concepts == claim.concepts)


def is_same_value(coverage: CoverageModel, word: tuple[Key, int], other: tuple[Key, int]) -> bool:
    """Check whether two words (span, position) belong to the same value, or at most to names."""
    claims = [_claim_at(coverage, *place) for place in (word, other)]
    first, second = claims
    if first is None or second is None:
        return all(claim is None or claim.kind == "name" for claim in claims)
    value = compare_values(first, second)[0]
    if "name" in (first.kind, second.kind):
        return value in _SAME_NAME
    return value == "equal" or first.concepts == second.concepts


def _claim_at(coverage: CoverageModel, key: Key, position: int) -> StatedClaim | None:
    claims = coverage.content(key).claims
    return next((c for c in claims if c.figure.start <= position < c.figure.end), None)
