"""Overlap of two sets of chains over the same mentions, the input of all metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

Clusters = Sequence[Sequence[Hashable]]
"""Chains of mentions; a mention of the key and one of the response are the same if equal."""


class Overlap(NamedTuple):
    """Sizes of the chains and of their intersections, without the mentions themselves."""

    key: list[int]
    """Size of each chain of the key."""
    response: list[int]
    cells: list[tuple[int, int, int]]
    """Each intersection that is not empty: chain of the key, of the response, shared mentions."""

    @property
    def shared(self) -> int:
        """Number of mentions in both."""
        return sum(count for _, _, count in self.cells)


class DistinctChains(NamedTuple):
    """Chains that have each mention once, and the number of repeats."""

    clusters: list[Sequence[Hashable]]
    repeats: int


def drop_repeated(clusters: Clusters) -> DistinctChains:
    """Keep the first occurrence of each mention, as the reference scorer does in a response.

    Chains that lose all their mentions disappear.
    """
    nonempty = [cluster for cluster in clusters if cluster]
    total = sum(map(len, nonempty))
    if len(set().union(*nonempty)) == total:
        return DistinctChains(nonempty, 0)
    seen: set[Hashable] = set()
    chains: list[Sequence[Hashable]] = []
    for cluster in nonempty:
        chain = [mention for mention in dict.fromkeys(cluster) if mention not in seen]
        seen.update(chain)
        if chain:
            chains.append(chain)
    return DistinctChains(chains, total - len(seen))


def without_singletons(clusters: Iterable[Sequence[Hashable]]) -> list[Sequence[Hashable]]:
    """Return the chains of at least two mentions."""
    return [cluster for cluster in clusters if len(cluster) > 1]


def overlap(key: Clusters, response: Clusters) -> Overlap:
    """Return the overlap of chains in which each mention occurs once."""
    chain_of = {mention: index for index, chain in enumerate(key) for mention in chain}
    cells = [
        (row, column, count)
        for column, chain in enumerate(response)
        for row, count in _shared_counts(chain_of, chain)
    ]
    return Overlap([len(chain) for chain in key], [len(chain) for chain in response], cells)


def _shared_counts(
    chain_of: dict[Hashable, int], chain: Sequence[Hashable]
) -> Iterable[tuple[int, int]]:
    if len(chain) == 1:
        index = chain_of.get(chain[0])
        return () if index is None else ((index, 1),)
    return Counter(chain_of[mention] for mention in chain if mention in chain_of).items()
