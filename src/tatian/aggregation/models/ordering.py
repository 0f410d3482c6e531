"""How scores become a ranking, the same way for every ranker."""

from __future__ import annotations

from collections.abc import Sequence

from tatian.aggregation.data.records import Instance
from tatian.aggregation.models import Ranking
from tatian.errors import EmptyInput


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
