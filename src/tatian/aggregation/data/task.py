"""The ranking task: every instance with its right phrases hidden among wrong ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from msgspec.structs import replace

from tatian.aggregation.data.checking import same
from tatian.aggregation.data.records import CANDIDATES, Instance
from tatian.errors import InputError


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
