"""How far annotators of coreference agree, and what they agree on.

Two annotators' chains are compared as a key and a response are: CoNLL F1 (the mean of MUC, B³ and
CEAF-e), phrases matched by their heads (MIN). That is not symmetric where links are optional, so
the mean of both directions is taken.

Alpha on links is Krippendorff's, nominal, over pairs of phrases: all pairs of phrases of a document
that anybody has marked and linked; each annotator labels a pair as linked or not. Pairs that nobody
links count too, as agreement that chance explains almost wholly, so the figure hardly depends on
how long a document is. Phrases are the same for two annotators if their MINs are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from tatian.coreference.annotation import Markup
from tatian.coreference.metrics.documents import pair
from tatian.coreference.metrics.matching import Match
from tatian.coreference.metrics.scoring import score_pairs
from tatian.text import CHAINS, Document
from tatian.workbench.tasks.comparing import Measure
from tatian.workbench.tasks.coreference_content import Content
from tatian.workbench.tasks.coreference_settling import Phrases, links

Markups = Mapping[str, Markup]
"""One document's answers by annotator."""


def agreement(contents: Mapping[str, Content], answers: Mapping[str, Markups]) -> list[Measure]:
    """The figures over all documents that two or more annotated."""
    shared = {key: given for key, given in answers.items() if len(given) > 1 and key in contents}
    names = sorted({name for given in shared.values() for name in given})
    chains: dict[str, float] = {}
    mentions: dict[str, float] = {}
    compared: Counter[str] = Counter()
    for one, other in combinations(names, 2):
        both = {key: given for key, given in shared.items() if one in given and other in given}
        if not both:
            continue
        sides = [
            (contents[key].document(key, given[one]), contents[key].document(key, given[other]))
            for key, given in both.items()
        ]
        turned = [(second, first) for first, second in sides]
        named = f"{one} {other}"
        compared[named] = len(both)
        chains[named] = (f1(sides) + f1(turned)) / 2
        mentions[named] = (f1(sides, "mentions") + f1(turned, "mentions")) / 2
    alpha, units = links_alpha([Phrases.of(given) for given in shared.values()])
    detail = "by pairs of annotators, documents both annotated"
    return [
        Measure("CoNLL F1 of chains", _mean(chains, compared), len(shared), detail, chains),
        Measure("F1 of mentions", _mean(mentions, compared), len(shared), detail, mentions),
        Measure("alpha on links", alpha, units, "nominal, over pairs of marked phrases"),
    ]


def f1(
    sides: Sequence[tuple[Document, Document]], metric: str = "conll", match: Match = "head"
) -> float:
    """F1 of chains or mentions, of all documents together; 1 where neither side has any."""
    if not any(side.get(CHAINS) for both in sides for side in both):
        return 1.0
    pairs = [pair(key, response, match) for key, response in sides]
    return score_pairs(pairs, metrics=[metric]).rates(metric).f1


def links_alpha(documents: Iterable[Phrases]) -> tuple[float | None, int]:
    """Krippendorff's alpha on whether two phrases are linked, and how many pairs there are.

    Only pairs that somebody links are looked at one by one; of the others only the number matters.
    """
    linked = unlinked = differing = 0.0
    units = 0
    for phrases in documents:
        coders = len(phrases.chains)
        size = len(phrases.order)
        everything = size * (size - 1) // 2
        units += everything
        votes = links(phrases)
        linked += sum(votes.values())
        unlinked += everything * coders - sum(votes.values())
        differing += sum(2 * n * (coders - n) / (coders - 1) for n in votes.values())
    if not linked or not unlinked:
        return None, units
    total = linked + unlinked
    value = 1 - (total - 1) * differing / (2 * linked * unlinked)
    return (None if math.isnan(value) else value), units


def _mean(values: Mapping[str, float], weights: Mapping[str, int]) -> float | None:
    """The mean of the pairs, each weighted by its documents."""
    total = sum(weights.values())
    return sum(values[name] * weights[name] for name in values) / total if total else None
