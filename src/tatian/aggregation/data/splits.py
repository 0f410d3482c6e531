"""The ranking task and its splits: 2:1:1 at random, as in the paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from tatian.aggregation.data.records import CANDIDATES, Instance, fold_phrase
from tatian.errors import InputError

Ratio = tuple[int, int, int]
RATIO: Ratio = (2, 1, 1)
"""TESA §3.4."""


class Splits(NamedTuple):
    """The three parts, each in the original order."""

    train: list[Instance]
    val: list[Instance]
    test: list[Instance]


def split(instances: Sequence[Instance], *, ratio: Ratio = RATIO, seed: int = 0) -> Splits:
    """Divide instances at random by `ratio`.

    The parts depend on the ids and the seed, not on the order. Entities can occur in several parts,
    and sizes are rounded, as in the original: 1,718 instances become 858, 430 and 430.
    """
    if min(ratio) < 0 or not ratio[0]:
        raise InputError(f"invalid ratio {':'.join(map(str, ratio))}: expected one such as 2:1:1")
    order = sorted(range(len(instances)), key=lambda at: instances[at].id)
    Random(seed).shuffle(order)
    val, test = (round(len(order) * share / sum(ratio)) for share in ratio[1:])
    ends = len(order) - val - test, len(order) - test, len(order)
    first, second, third = (
        [instances[at] for at in sorted(order[start:end])]
        for start, end in zip((0, *ends), ends, strict=False)
    )
    return Splits(first, second, third)


def add_candidates(
    instances: Sequence[Instance], *, size: int = CANDIDATES, seed: int = 0
) -> list[Instance]:
    """Add `size` candidates in random order to every instance, including its gold phrases.

    Wrong candidates are drawn uniformly from the gold phrases of all instances of the same type,
    from any part of the data (TESA §4.1). The candidates depend on the instance's id, the seed and
    the phrases, not on the order of the instances.
    """
    phrases = _phrases(instances)
    completed = []
    for instance in instances:
        gold = instance.aggregations
        if not gold:
            raise InputError(f"instance '{instance.id}' has no gold aggregations")
        if len(gold) > size:
            raise InputError(
                f"instance '{instance.id}' has {len(gold)} aggregations, more than the "
                f"number of candidates ({size})"
            )
        random = Random(f"{seed}\n{instance.id}")
        taken = set(map(fold_phrase, gold))
        left = [phrase for phrase in phrases[instance.type] if fold_phrase(phrase) not in taken]
        candidates = [*gold, *random.sample(left, min(size - len(gold), len(left)))]
        if len(candidates) < size:
            raise InputError(
                f"instance '{instance.id}': the {instance.type} phrases give only "
                f"{len(candidates)} candidates, not {size}: use more instances or fewer candidates"
            )
        random.shuffle(candidates)
        completed.append(replace(instance, candidates=tuple(candidates)))
    return completed


def _phrases(instances: Iterable[Instance]) -> dict[str, list[str]]:
    """Return the distinct gold phrases of each type, compared without case."""
    by_type: dict[str, dict[str, str]] = {}
    for instance in instances:
        of_type = by_type.setdefault(instance.type, {})
        for phrase in instance.aggregations:
            folded = fold_phrase(phrase)
            of_type[folded] = min(phrase, of_type.get(folded, phrase))
    return {type: sorted(phrases.values()) for type, phrases in by_type.items()}
