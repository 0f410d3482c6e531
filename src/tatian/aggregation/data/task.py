"""The ranking task: every instance with its right phrases hidden among wrong ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

from msgspec.structs import replace

from tatian.aggregation.data.checking import same
from tatian.aggregation.data.negatives import Negatives, Uniform
from tatian.aggregation.data.records import CANDIDATES, Instance
from tatian.aggregation.data.summary import entities_of
from tatian.errors import InputError


def task(
    instances: Sequence[Instance],
    *,
    size: int = CANDIDATES,
    seed: int = 0,
    negatives: Callable[[Sequence[str]], Negatives] = Uniform,
) -> list[Instance]:
    """Give every instance `size` candidates, its right phrases among them, in random order.

    Wrong ones come from the right phrases of all instances of the same type, whichever part of
    the data these end up in, as in the original. What an instance gets depends on its id, the
    seed and the phrases there are, not on the order of the instances.
    """
    choosers = {type: negatives(phrases) for type, phrases in _phrases(instances).items()}
    known: dict[frozenset[str], dict[str, None]] = {}
    for instance in instances:
        given = known.setdefault(entities_of(instance), {})
        given.update(dict.fromkeys(instance.aggregations))
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
        wrong = choosers[instance.type].choose(
            gold, known[entities_of(instance)], size - len(gold), random
        )
        candidates = [*gold, *wrong]
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
