"""The ranking task and its parts: 2:1:1 at random, as in the paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from tatian.aggregation.data.records import CANDIDATES, Instance, same
from tatian.errors import InputError

Ratio = tuple[int, int, int]
RATIO: Ratio = (2, 1, 1)
"""TESA §3.4."""


class Splits(NamedTuple):
    """The three parts, each in the order of the whole."""

    train: list[Instance]
    val: list[Instance]
    test: list[Instance]


def split(instances: Sequence[Instance], *, ratio: Ratio = RATIO, seed: int = 0) -> Splits:
    """Divide instances at random as `ratio` says; the same instances and seed give the same parts,
    whatever their order.

    Sets of entities can cross the parts, as in the original. Sizes are rounded as there, too: 1,718
    instances become 858, 430 and 430.
    """
    if min(ratio) < 0 or not ratio[0]:
        raise InputError(f"{':'.join(map(str, ratio))} is no ratio: such as 2:1:1")
    order = _by_id(instances)
    Random(seed).shuffle(order)
    val, test = (round(len(order) * one / sum(ratio)) for one in ratio[1:])
    ends = len(order) - val - test, len(order) - test, len(order)
    first, second, third = (
        [instances[at] for at in sorted(order[start:end])]
        for start, end in zip((0, *ends), ends, strict=False)
    )
    return Splits(first, second, third)


def _by_id(instances: Sequence[Instance]) -> list[int]:
    """An order that does not depend on that of the file."""
    return sorted(range(len(instances)), key=lambda at: instances[at].id)


def task(instances: Sequence[Instance], *, size: int = CANDIDATES, seed: int = 0) -> list[Instance]:
    """Give every instance `size` candidates, its right phrases among them, in random order.

    Wrong ones are drawn uniformly from the right phrases of all instances of the same type,
    whatever they were given for and whichever part of the data these end up in (TESA §4.1). What
    an instance gets depends on its id, the seed and the phrases there are, not on the order of the
    instances.
    """
    phrases = _phrases(instances)
    made = []
    for instance in instances:
        gold = instance.aggregations
        if not gold:
            raise InputError(f"instance '{instance.id}' has no aggregations to be found")
        if len(gold) > size:
            raise InputError(
                f"instance '{instance.id}' has {len(gold)} aggregations: more than {size} "
                "candidates can hold"
            )
        random = Random(f"{seed}\n{instance.id}")
        taken = set(map(same, gold))
        left = [phrase for phrase in phrases[instance.type] if same(phrase) not in taken]
        candidates = [*gold, *random.sample(left, min(size - len(gold), len(left)))]
        if len(candidates) < size:
            raise InputError(
                f"instance '{instance.id}': the {instance.type} phrases give only "
                f"{len(candidates)} candidates, not {size}: use more instances or fewer candidates"
            )
        random.shuffle(candidates)
        made.append(replace(instance, candidates=tuple(candidates)))
    return made


def _phrases(instances: Iterable[Instance]) -> dict[str, list[str]]:
    """The different right phrases of each type; those that differ in case are one."""
    found: dict[str, dict[str, str]] = {}
    for instance in instances:
        of_type = found.setdefault(instance.type, {})
        for phrase in instance.aggregations:
            plain = same(phrase)
            of_type[plain] = min(phrase, of_type.get(plain, phrase))
    return {type: sorted(phrases.values()) for type, phrases in found.items()}
