"""Aggregators, rankers and generators by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from msgspec import Struct

from tatian.aggregation.data.records import Instance
from tatian.errors import EmptyInput
from tatian.registry import Registry

if TYPE_CHECKING:
    from tatian.text import Document, EntitySet


Ranking = tuple[tuple[str, float], ...]
"""All candidates of an instance with their scores, best first."""


class Aggregator(Protocol):
    """Model that finds a phrase for a set of entities: "the French presidential candidates"."""

    def aggregate(self, entities: EntitySet, context: Document) -> tuple[tuple[str, float], ...]:
        """Return phrases for the set with scores, best first; empty if none is good enough."""
        ...


@runtime_checkable
class ExplainingAggregator(Protocol):
    """An aggregator that gives the support of its phrases."""

    def explain(self, entities: EntitySet, context: Document) -> tuple[Proposal, ...]:
        """Return the phrases of `aggregate`, each with its support."""
        ...


class Ranker(Protocol):
    """Model that ranks the candidates of an instance (TESA §4.1)."""

    def rank(self, instance: Instance) -> Ranking:
        """Return all candidates with their scores, best first."""
        ...


class Generator(Protocol):
    """Model that proposes phrases for an instance without candidates (TESA §6.3)."""

    def generate(self, instance: Instance, limit: int = 10) -> tuple[Proposal, ...]:
        """Return at most `limit` phrases, best first."""
        ...


aggregators: Registry[Aggregator] = Registry(
    "aggregation",
    {
        "heads": "tatian.aggregation.models.facts.aggregator:HeadAggregator",
        "tatian": "tatian.aggregation.models.facts.aggregator:FactAggregator",
    },
    default="tatian",
    method="aggregate",
)
rankers: Registry[Ranker] = Registry(
    "ranking",
    {
        "cosine": "tatian.aggregation.models.baselines:CosineRanker",
        "discriminative": "tatian.aggregation.models.encoder_decoder:DiscriminativeRanker",
        "frequency": "tatian.aggregation.models.baselines:FrequencyRanker",
        "generative": "tatian.aggregation.models.encoder_decoder:GenerativeRanker",
        "logistic": "tatian.aggregation.models.logistic:LogisticRanker",
        "pretrained": "tatian.aggregation.models.encoder_decoder:PretrainedRanker",
        "random": "tatian.aggregation.models.baselines:RandomRanker",
        "tatian": "tatian.aggregation.models.boosted:BoostedRanker",
    },
    default="tatian",
    method="rank",
)
generators: Registry[Generator] = Registry(
    "generation",
    {
        "generative": "tatian.aggregation.models.encoder_decoder:GenerativeRanker",
        "pretrained": "tatian.aggregation.models.encoder_decoder:PretrainedRanker",
        "tatian": "tatian.aggregation.models.facts.generator:FactGenerator",
    },
    default="tatian",
    method="generate",
)


QUOTED = "the text:"
"""Beginning of a support line that quotes the context."""


class Proposal(Struct, frozen=True):
    """A phrase that names the whole set, with its support."""

    phrase: str
    """Plural noun phrase without determiner: ``French politicians``."""
    score: float
    """Confidence in the phrase, from 0 to 1."""
    support: tuple[str, ...] = ()
    """Support lines such as ``Nicolas Sarkozy: nationality France``."""


def quote_context(words: str) -> str:
    """Return a support line that quotes the context."""
    return f"{QUOTED} “{words}”"


def candidates_of(instance: Instance) -> tuple[str, ...]:
    """Return the distinct candidates of an instance; raise an EmptyInput if it has none."""
    candidates = tuple(dict.fromkeys(instance.candidates))
    if not candidates:
        raise EmptyInput(
            f"instance '{instance.id}' has no candidates to rank: make them with "
            "'tatian aggregate task'"
        )
    return candidates


def order_candidates(candidates: Sequence[str], scores: Sequence[float]) -> Ranking:
    """Order candidates by score, then alphabetically: the input order may reveal the gold."""
    pairs = zip(candidates, map(float, scores), strict=True)
    return tuple(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))
