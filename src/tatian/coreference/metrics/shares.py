"""What each mention contributes to a score, so that names, nominals and pronouns can be told apart.

MUC, B-cubed, LEA and mention detection are sums over mentions, so their counts by type add up to
those of the whole. In MUC a mention after the first of its chain is one link; it is found if the
other side joins it with an earlier mention of the chain. CEAF and BLANC judge chains and pairs,
which have no type.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping

from tatian.coreference.metrics.metric import Counts
from tatian.coreference.metrics.overlap import Clusters

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
