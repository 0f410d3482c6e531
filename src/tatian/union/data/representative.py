"""Choice of one union where several annotators wrote one for the same sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeVar

from msgspec import Struct

from tatian.errors import EmptyInput
from tatian.union.data import UnionInstance
from tatian.union.metrics import content_words

T = TypeVar("T")


class Representative(Struct, frozen=True):
    """The chosen union of several, and the annotators' agreement with it."""

    index: int
    agreement: float
    """Mean F-measure between its content words and those of each other union; 1 if alone."""


def representative(unions: Sequence[str]) -> Representative:
    """Return the union with the highest mean agreement with the others.

    McKeown et al. (2010) let five people write each union and keep one, chosen automatically. The
    union nearest to all others has what most annotators kept, without single annotators' slips.
    Ties go to the union whose word pairs agree most with the others', then to the first.
    """
    if not unions:
        raise EmptyInput("no unions to choose from")
    words = [content_words(union) for union in unions]
    by_words = _agreements([Counter(text_words) for text_words in words])
    by_pairs = _agreements([Counter(pairwise(text_words)) for text_words in words])
    best = max(range(len(unions)), key=lambda index: (by_words[index], by_pairs[index], -index))
    return Representative(best, by_words[best])


def choose_representatives(instances: Iterable[UnionInstance]) -> list[UnionInstance]:
    """Return one instance per group of sentences, in the order of the groups' first appearance.

    If at least half of the annotators skipped a group, the first skipped instance represents it.
    """
    groups: dict[tuple[str, ...], list[UnionInstance]] = {}
    for instance in instances:
        groups.setdefault(instance.sentences, []).append(instance)
    return [_chosen(group) for group in groups.values()]


def _chosen(group: Sequence[UnionInstance]) -> UnionInstance:
    skipped = [instance for instance in group if instance.skip is not None]
    written = [
        instance for instance in group if instance.skip is None and instance.merged is not None
    ]
    if skipped and len(skipped) >= len(written):
        return skipped[0]
    if not written:
        return group[0]
    return written[representative([instance.merged or "" for instance in written]).index]


def _agreements(bags: Sequence[Counter[T]]) -> list[float]:
    """Return each bag's mean F-measure with all others."""
    if len(bags) == 1:
        return [1.0]
    return [
        sum(_f_measure(bag, other) for place, other in enumerate(bags) if place != index)
        / (len(bags) - 1)
        for index, bag in enumerate(bags)
    ]


def _f_measure(first: Counter[T], second: Counter[T]) -> float:
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 1.0
