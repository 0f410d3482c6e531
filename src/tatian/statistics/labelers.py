"""Agreement of labelers who each did some of the sentences (the mention benchmark, §3).

Two labelers are compared on the mentions of the sentences both labelled: marked by her, marked by
him. The average over all pairs weighs each by the number of mentions in those sentences.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping
from itertools import combinations

from msgspec import Struct

from tatian.errors import EmptyInput, InputError
from tatian.statistics.agreement import cohen_kappa


class PairKappa(Struct, frozen=True):
    """Two labelers on the sentences both labelled."""

    first: str
    second: str
    kappa: float
    """NaN when the two marked all mentions, or none: see `agreement`."""
    sentences: int
    mentions: int


class AverageKappa(Struct, frozen=True):
    """The weighted average over pairs, and the pairs."""

    value: float
    """Over the pairs whose kappa is a number; NaN when there is none."""
    pairs: tuple[PairKappa, ...]


def average_pairwise_kappa(
    marked: Mapping[str, Mapping[str, Collection[Hashable]]],
    candidates: Mapping[str, Collection[Hashable]] | None = None,
) -> AverageKappa:
    """The mention benchmark's average kappa, of its detection and of its confirmation task.

    `marked` says, for each labeler and each sentence she labelled, which mentions she detected or
    confirmed (an empty collection where she labelled a sentence and found nothing). `candidates`
    are each sentence's mentions that could be marked: those shown for confirmation. In detection,
    where nothing is shown, leave it out: all that anybody detected are taken.
    """
    universe = _union(marked) if candidates is None else candidates
    pairs = []
    for first, second in combinations(sorted(marked), 2):
        shared = [sentence for sentence in marked[first] if sentence in marked[second]]
        ours, theirs = [], []
        for sentence in shared:
            mentions = set(universe.get(sentence, ()))
            _refuse_strangers(first, sentence, marked[first][sentence], mentions)
            _refuse_strangers(second, sentence, marked[second][sentence], mentions)
            ours += [mention in marked[first][sentence] for mention in mentions]
            theirs += [mention in marked[second][sentence] for mention in mentions]
        if ours:
            kappa = cohen_kappa(ours, theirs)
            pairs.append(PairKappa(first, second, kappa, len(shared), len(ours)))
    if not pairs:
        raise EmptyInput("no two labelers share a sentence with a mention")
    counted = [pair for pair in pairs if not math.isnan(pair.kappa)]
    weight = sum(pair.mentions for pair in counted)
    weighted = sum(pair.kappa * pair.mentions for pair in counted)
    return AverageKappa(weighted / weight if weight else math.nan, tuple(pairs))


def _union(
    marked: Mapping[str, Mapping[str, Collection[Hashable]]],
) -> dict[str, set[Hashable]]:
    universe: dict[str, set[Hashable]] = {}
    for sentences in marked.values():
        for sentence, mentions in sentences.items():
            universe.setdefault(sentence, set()).update(mentions)
    return universe


def _refuse_strangers(
    labeler: str, sentence: str, marked: Collection[Hashable], mentions: set[Hashable]
) -> None:
    for mention in marked:
        if mention not in mentions:
            raise InputError(
                f"labeler '{labeler}' marked {mention!r} in sentence '{sentence}', "
                "which was not among its candidates"
            )
