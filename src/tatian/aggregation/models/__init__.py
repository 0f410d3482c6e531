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
"""Every candidate of an instance with its score, best first; equal scores as the model says."""


class Aggregator(Protocol):
    """Finds a phrase that names a whole set of things ("the French presidential candidates")."""

    def aggregate(self, entities: EntitySet, context: Document) -> tuple[tuple[str, float], ...]:
        """Phrases for the set with their scores, best first; empty when there is no good one."""
        ...


@runtime_checkable
class Explaining(Protocol):
    """An aggregator that says what its phrases rest on."""

    def explain(self, entities: EntitySet, context: Document) -> tuple[Proposal, ...]:
        """The phrases of `aggregate`, each with its support."""
        ...


class Ranker(Protocol):
    """Orders the candidates of an instance by how well each names its entities (TESA §4.1)."""

    def rank(self, instance: Instance) -> Ranking:
        """All candidates with their scores, best first."""
        ...


class Generator(Protocol):
    """Proposes phrases for an instance that nobody gave candidates for (TESA §6.3)."""

    def generate(self, instance: Instance, limit: int = 10) -> tuple[Proposal, ...]:
        """At most `limit` phrases, best first."""
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
"""How a line of support begins that is no fact but what the context says."""


class Proposal(Struct, frozen=True):
    """One phrase that names the whole set, with what it rests on."""

    phrase: str
    """A plural noun phrase without determiner: ``French politicians``."""
    score: float
    """From 0 to 1: how far the phrase is to be trusted."""
    support: tuple[str, ...] = ()
    """One line each, such as ``Nicolas Sarkozy: nationality France``."""


def quoted(words: str) -> str:
    """The line of support for what the context says."""
    return f"{QUOTED} “{words}”"


def candidates_of(instance: Instance) -> tuple[str, ...]:
    """What there is to rank, each phrase once; an instance without candidates is refused."""
    found = tuple(dict.fromkeys(instance.candidates))
    if not found:
        raise EmptyInput(
            f"instance '{instance.id}' has no candidates to rank: make them with "
            "'tatian aggregate task'"
        )
    return found


def ordered(candidates: Sequence[str], scores: Sequence[float]) -> Ranking:
    """The candidates by falling score; those with equal scores by the alphabet.

    The order in which candidates were given decides nothing: a file may list the right ones first.
    """
    pairs = zip(candidates, map(float, scores), strict=True)
    return tuple(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))
