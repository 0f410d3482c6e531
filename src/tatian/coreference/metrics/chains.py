"""Scores of chains: for plain clusters, for pairs of documents, within and across them."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from tatian.errors import EmptyInput, InputError
from tatian.scoring.conll import CONLL, PARTS, join
from tatian.scoring.metric import Counts, Metric, Rates, choose_metrics
from tatian.scoring.overlap import Clusters, Overlap, drop_repeated, overlap, without_singletons
from tatian.scoring.scores import Average, Scores

MAX_REPEATS = 10
"""Maximum number of repeated mentions in a response, as in the reference scorer."""

LabelledChains = Sequence[tuple[str, Sequence[Hashable]]]
"""Chains with their ids; equal values are the same mention in key and response."""


class ChainScores(Scores, frozen=True, kw_only=True):
    """Agreement of a response's chains with those of a key."""

    repeats: tuple[int, int] = (0, 0)
    """Numbers of repeated mentions in key and response, each of which counts once."""
    partners: tuple[str, ...] = ()
    """Each document's id in the response; empty if unknown."""

    def signature(self, average: Average | None = "micro") -> str:
        """Return a line on how the figures were computed; figures with equal lines compare."""
        return super().signature(average)

    def to_json(self, average: Average = "micro") -> dict[str, Any]:
        """Return recall, precision and F1 of every metric, or its only figure."""
        return {metric: self.plain(metric, average) for metric in self.metrics}


class ChainPair(NamedTuple):
    """The chains of one document in the key and in the response."""

    id: str
    key: LabelledChains
    response: LabelledChains
    source: str = ""
    """The key before matching, if matching has changed it."""
    partner: str = ""
    """The document's id in the response; empty if unknown."""

    @property
    def key_text(self) -> str:
        """Text that is the same for all responses to one key."""
        return self.source or repr((self.id, self.key))


def score_clusters(
    key: Clusters, response: Clusters, metrics: Iterable[str] | None = None
) -> dict[str, Rates]:
    """Compare two sets of chains of hashable mentions; each counts only at its first occurrence."""
    chosen_metrics = choose_metrics("coreference", metrics)
    overlaps = overlap(drop_repeated(key).clusters, drop_repeated(response).clusters)
    counts = count_all(overlaps, chosen_metrics)
    return {metric.name: metric.rates_of(counts[metric.name]) for metric in chosen_metrics}


def score_pairs(
    pairs: Iterable[ChainPair],
    *,
    metrics: Iterable[str] | None = None,
    singletons: bool = True,
    options: Mapping[str, str] | None = None,
) -> ChainScores:
    """Score documents whose mentions have been matched already."""
    chosen_metrics = choose_metrics("coreference", metrics)
    scored: list[ChainPair] = []
    counts_by_metric: dict[str, list[Counts]] = {metric.name: [] for metric in chosen_metrics}
    repeats = [0, 0]
    digest = hashlib.sha256()
    for pair in pairs:
        clusters_by_side = []
        for index, chains in enumerate((pair.key, pair.response)):
            clusters, repeated = drop_repeated([mentions for _, mentions in chains])
            repeats[index] += repeated
            clusters_by_side.append(clusters if singletons else without_singletons(clusters))
        key, response = clusters_by_side
        digest.update(pair.key_text.encode("utf-8", "surrogatepass"))
        scored.append(pair)
        for metric, numbers in count_all(overlap(key, response), chosen_metrics).items():
            counts_by_metric[metric].append(numbers)
    if not scored:
        raise EmptyInput("no documents to score")
    if repeats[1] > MAX_REPEATS:
        raise InputError(
            f"the response repeats {repeats[1]} mentions: more than {MAX_REPEATS} are refused, "
            "as the reference scorer does; give each mention to one chain, once"
        )
    return ChainScores(
        "coref",
        tuple(pair.id for pair in scored),
        chosen_metrics,
        {metric: tuple(rows) for metric, rows in counts_by_metric.items()},
        {**(options or {}), "singletons": "keep" if singletons else "drop"},
        digest.hexdigest()[:12],
        repeats=(repeats[0], repeats[1]),
        partners=tuple(pair.partner for pair in scored),
    )


def count_all(overlaps: Overlap, metrics: Sequence[Metric[Overlap]]) -> dict[str, Counts]:
    """Return the counts of each metric; the CoNLL average reuses those of its parts."""
    counts_by_metric = {m.name: m.count(overlaps) for m in metrics if m is not CONLL}
    if CONLL in metrics:
        parts = [counts_by_metric.get(part.name) or part.count(overlaps) for part in PARTS]
        counts_by_metric[CONLL.name] = join(parts)
    return {metric.name: counts_by_metric[metric.name] for metric in metrics}


def join_documents(pairs: Iterable[ChainPair]) -> ChainPair:
    """Join all documents into one, in which chains with one id are one chain."""
    key: dict[str, list[Hashable]] = {}
    response: dict[str, list[Hashable]] = {}
    sources = []
    for pair in pairs:
        sources.append(pair.key_text)
        for chains, joined in ((pair.key, key), (pair.response, response)):
            for label, mentions in chains:
                joined.setdefault(label, []).extend((pair.id, mention) for mention in mentions)
    return ChainPair("all documents", [*key.items()], [*response.items()], "\n".join(sources))
