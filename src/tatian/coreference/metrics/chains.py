"""From chains to scores: for plain clusters, for pairs of documents, within and across them."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from tatian.errors import EmptyInput, InputError
from tatian.scoring.conll import CONLL, PARTS, join
from tatian.scoring.metric import Counts, Metric, Rates, chosen
from tatian.scoring.overlap import (
    Clusters,
    Overlap,
    Unrepeated,
    overlap,
    unrepeated,
    without_singletons,
)
from tatian.scoring.scores import Average, Scores, added

REPEATS = 10
"""As in the reference scorer: a response that repeats more mentions is refused."""

Labelled = Sequence[tuple[str, Sequence[Hashable]]]
"""Chains with their ids; a mention of the key and one of the response are the same if equal."""


class ChainScores(Scores, frozen=True, kw_only=True):
    """How well the chains of a response agree with those of a key; make one with `score`."""

    types: dict[str, dict[str, Counts]] = msgspec.field(default_factory=dict)
    """Counts by type of mention, then by metric, where they were asked for."""
    repeats: tuple[int, int] = (0, 0)
    """Mentions that the key, then the response, had twice and that counted once."""
    partners: tuple[str, ...] = ()
    """What the response calls each document, where that is known."""

    def type_rates(self) -> dict[str, dict[str, Rates]]:
        """The metrics that are sums over mentions, by type of mention."""
        return {
            kind: {name: self.metric(name).rates_of(found) for name, found in counts.items()}
            for kind, counts in self.types.items()
        }

    def signature(self, average: Average | None = "micro") -> str:
        """One line that says how the figures were made; equal lines mean comparable figures."""
        return super().signature(average)

    def to_json(self, average: Average = "micro") -> dict[str, Any]:
        """Plain data: recall, precision and F1 of every metric, or its one figure."""
        return {metric: self.plain(metric, average) for metric in self.metrics}


class ChainPair(NamedTuple):
    """The chains of one document in the key and in the response."""

    id: str
    key: Labelled
    response: Labelled
    types: tuple[Mapping[Hashable, str], Mapping[Hashable, str]] | None = None
    """Of the mentions of the key and of the response, where scores by type are wanted."""
    source: str = ""
    """The key as it was given, where matching it with this response has changed it."""
    partner: str = ""
    """What the response calls the document, where that is known."""

    @property
    def given(self) -> str:
        """What is the same for all responses to one key."""
        return self.source or repr((self.id, self.key))


def score_clusters(
    key: Clusters, response: Clusters, metrics: Iterable[str] | None = None
) -> dict[str, Rates]:
    """Compare two sets of chains of anything that can be compared: spans, ids, pairs.

    A mention that occurs twice on one side counts where it occurs first.
    """
    wanted = chosen("coreference", metrics)
    found = overlap(unrepeated(key).clusters, unrepeated(response).clusters)
    counts = count_all(found, wanted)
    return {metric.name: metric.rates_of(counts[metric.name]) for metric in wanted}


def score_pairs(
    pairs: Iterable[ChainPair],
    *,
    metrics: Iterable[str] | None = None,
    singletons: bool = True,
    options: Mapping[str, str] | None = None,
) -> ChainScores:
    """Score documents whose mentions have been matched already."""
    wanted = chosen("coreference", metrics)
    given: list[ChainPair] = []
    counted: dict[str, list[Counts]] = {metric.name: [] for metric in wanted}
    repeats = [0, 0]
    kinds: dict[str, dict[str, list[Counts]]] = {}
    digest = hashlib.sha256()
    for pair in pairs:
        sides = []
        for index, chains in enumerate((pair.key, pair.response)):
            clusters, repeated = _once(chains)
            repeats[index] += repeated
            sides.append(clusters if singletons else without_singletons(clusters))
        key, response = sides
        digest.update(pair.given.encode("utf-8", "surrogatepass"))
        given.append(pair)
        for metric, numbers in count_all(overlap(key, response), wanted).items():
            counted[metric].append(numbers)
        if pair.types is not None:
            for kind, counts in by_type(key, response, *pair.types).items():
                for metric, numbers in counts.items():
                    if metric in counted:
                        kinds.setdefault(kind, {}).setdefault(metric, []).append(numbers)
    if not given:
        raise EmptyInput("no documents to score")
    if repeats[1] > REPEATS:
        raise InputError(
            f"the response repeats {repeats[1]} mentions: more than {REPEATS} are refused, as the "
            "reference scorer does; give each mention to one chain, once"
        )
    return ChainScores(
        "coref",
        tuple(pair.id for pair in given),
        wanted,
        {metric: tuple(rows) for metric, rows in counted.items()},
        {**(options or {}), "singletons": "keep" if singletons else "drop"},
        digest.hexdigest()[:12],
        types={
            kind: {metric: added(numbers) for metric, numbers in counts.items()}
            for kind, counts in sorted(kinds.items())
        },
        repeats=(repeats[0], repeats[1]),
        partners=tuple(pair.partner for pair in given),
    )


def count_all(found: Overlap, metrics: Sequence[Metric[Overlap]]) -> dict[str, Counts]:
    """The counts of each metric; the CoNLL average reuses those of its parts."""
    counted = {metric.name: metric.count(found) for metric in metrics if metric is not CONLL}
    if CONLL in metrics:
        parts = [counted.get(part.name) or part.count(found) for part in PARTS]
        counted[CONLL.name] = join(parts)
    return {metric.name: counted[metric.name] for metric in metrics}


def _once(chains: Labelled) -> Unrepeated:
    return unrepeated([mentions for _, mentions in chains])


def joined(pairs: Iterable[ChainPair], id: str = "all documents") -> ChainPair:
    """All documents as one, in which chains with one id are one chain."""
    key: dict[str, list[Hashable]] = {}
    response: dict[str, list[Hashable]] = {}
    types: tuple[dict[Hashable, str], dict[Hashable, str]] = ({}, {})
    typed = False
    sources = []
    for pair in pairs:
        sources.append(pair.given)
        for chains, whole in ((pair.key, key), (pair.response, response)):
            for label, mentions in chains:
                whole.setdefault(label, []).extend((pair.id, mention) for mention in mentions)
        if pair.types is not None:
            typed = True
            for one, all in zip(pair.types, types, strict=True):
                all.update(((pair.id, mention), kind) for mention, kind in one.items())
    kinds = types if typed else None
    return ChainPair(id, list(key.items()), list(response.items()), kinds, "\n".join(sources))


DIVISIBLE = ("muc", "b3", "lea", "mentions")
Ratio = tuple[float, float]


def by_type(
    key: Clusters,
    response: Clusters,
    key_types: Mapping[Hashable, str],
    response_types: Mapping[Hashable, str],
) -> dict[str, dict[str, Counts]]:
    """The counts of the divisible metrics for each type of mention.

    Recall is over the mentions that have the type in the key, precision over those that have it
    in the response. Mentions of a chain are expected in the order of the text.
    """
    recall = _side(key, response, key_types)
    precision = _side(response, key, response_types)
    nothing: dict[str, Ratio] = dict.fromkeys(DIVISIBLE, (0, 0))
    return {
        kind: {
            metric: (*recall.get(kind, nothing)[metric], *precision.get(kind, nothing)[metric])
            for metric in DIVISIBLE
        }
        for kind in sorted(recall.keys() | precision.keys())
    }


def _side(
    chains: Clusters, others: Clusters, types: Mapping[Hashable, str]
) -> dict[str, dict[str, Ratio]]:
    home = {mention: index for index, chain in enumerate(others) for mention in chain}
    sums: dict[str, dict[str, list[float]]] = defaultdict(
        lambda: {metric: [0.0, 0.0] for metric in DIVISIBLE}
    )
    for chain in chains:
        pieces = Counter(home[mention] for mention in chain if mention in home)
        begun: set[int] = set()
        for place, mention in enumerate(chain):
            piece = home.get(mention)
            shared = pieces[piece] if piece is not None else 0
            alone = piece is not None and len(others[piece]) == 1
            shares = {
                "muc": (float(piece in begun), float(place > 0)),
                "b3": (shared / len(chain), 1.0),
                "lea": (_link_share(shared, len(chain), alone), 1.0),
                "mentions": (float(shared > 0), 1.0),
            }
            if piece is not None:
                begun.add(piece)
            for metric, (numerator, denominator) in shares.items():
                row = sums[types[mention]][metric]
                row[0] += numerator
                row[1] += denominator
    return {
        kind: {metric: (row[0], row[1]) for metric, row in metrics.items()}
        for kind, metrics in sums.items()
    }


def _link_share(shared: int, size: int, alone: bool) -> float:
    if size == 1:
        return float(alone)
    return (shared - 1) / (size - 1) if shared else 0.0
