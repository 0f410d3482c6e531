"""Metrics of generated phrases: matches with gold, support by facts, variety.

There are good phrases that no annotator thought of, so matches with the gold are a lower bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tatian.scoring.metric import Counts, Metric

MAX_PROPOSALS = 10
"""Number of proposals that count: the ten hypotheses of the beam in TESA Table 7."""


class Proposals(NamedTuple):
    """Proposals for one instance, normalised, best first, at most `MAX_PROPOSALS`."""

    phrases: Sequence[str]
    gold: frozenset[str]
    supported: Sequence[bool]
    """True for each phrase that facts support."""

    @property
    def first_gold_rank(self) -> int:
        """Rank of the first gold phrase, from 1; 0 if none is gold."""
        return next((n for n, phrase in enumerate(self.phrases, 1) if phrase in self.gold), 0)

    @property
    def words(self) -> list[str]:
        """Words of all proposals."""
        return [word for phrase in self.phrases for word in phrase.split()]


def divide(counts: Sequence[float]) -> float:
    """Return the first count divided by the second; 0 if that is 0."""
    return counts[0] / counts[1] if counts[1] else 0.0


def _metric(name: str, description: str, count: Callable[[Proposals], Counts]) -> Metric[Proposals]:
    return Metric(name, "generation", description, count, ratio=divide)


MATCH_AT_1 = _metric(
    "match@1", "instances whose first proposal is gold", lambda item: (item.first_gold_rank == 1, 1)
)
MATCH_AT_10 = _metric(
    f"match@{MAX_PROPOSALS}",
    "instances with any proposal that is gold",
    lambda item: (item.first_gold_rank > 0, 1),
)
MRR = _metric(
    "mrr",
    "reciprocal rank of the first gold phrase, 0 where none is",
    lambda item: (1 / item.first_gold_rank if item.first_gold_rank else 0, 1),
)
RECALL = _metric(
    "recall",
    "the share of an instance's gold phrases that were proposed",
    lambda item: (len(item.gold.intersection(item.phrases)) / len(item.gold), 1),
)
SUPPORTED = _metric(
    "supported",
    "proposals that rest on facts",
    lambda item: (sum(item.supported), len(item.phrases)),
)
SUPPORTED_AT_1 = _metric(
    "supported@1",
    "first proposals that rest on facts",
    lambda item: (sum(item.supported[:1]), len(item.phrases[:1])),
)
DISTINCT = _metric(
    "distinct",
    "proposals that do not repeat an earlier one of the same instance",
    lambda item: (len(set(item.phrases)), len(item.phrases)),
)
WORDS = _metric(
    "words",
    "words that no earlier proposal of the instance used (distinct-1, Li et al. 2016)",
    lambda item: (len(set(item.words)), len(item.words)),
)
ANSWERED = _metric("answered", "instances with any proposal", lambda item: (bool(item.phrases), 1))
