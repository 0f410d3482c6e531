"""What a generator refuses, with words that say how to mend it."""

from __future__ import annotations

from collections.abc import Sequence

from tatian.aggregation.data.checking import problems
from tatian.aggregation.data.records import Instance
from tatian.aggregation.models.generating.resolving import Resolver, Sense
from tatian.errors import InputError


def check(instance: Instance) -> None:
    """Refuse what is no set of different entities of a known type."""
    if found := "; ".join(problems(instance)):
        raise InputError(f"instance '{instance.id}': {found}")


def check_senses(instance: Instance, senses: Sequence[Sense], resolver: Resolver) -> None:
    """Refuse one entity under two names, and members that are clearly of another type.

    Where the base has no member under the type given, all must be known as something else.
    """
    names: dict[str, str] = {}
    placed = any(sense.title for sense in senses)
    if not placed:
        others = [resolver.other_kinds(sense.name, instance.type) for sense in senses]
        if len(set(others)) == 1 and len(others[0]) == 1:
            raise InputError(
                f"instance '{instance.id}': type: all entities are known as "
                f"{next(iter(others[0]))}, none as {instance.type}"
            )
    for sense in senses:
        if sense.title and (other := names.setdefault(sense.title, sense.name)) != sense.name:
            raise InputError(
                f"instance '{instance.id}': '{other}' and '{sense.name}' are both "
                f"{sense.title}: name each entity once"
            )
        kinds = resolver.other_kinds(sense.name, instance.type) if not sense.title else frozenset()
        if placed and len(kinds) == 1:
            raise InputError(
                f"instance '{instance.id}': mixed types: '{sense.name}' is known as "
                f"{next(iter(kinds))}, not as {instance.type}: give entities of one type"
            )
