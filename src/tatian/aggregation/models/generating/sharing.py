"""What the entities of a set have in common, and what none of them contradicts."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from tatian.aggregation.models.generating.resolving import Sense
from tatian.aggregation.models.generating.trait import Key, Slot, Trait

_MAY_BE_SILENT = frozenset({"noun", "nation"})
"""A base that says nothing of a thing here has forgotten it; elsewhere that means it is not so."""
_LEAST = 2 / 3


class Shared(Struct, frozen=True):
    """One thing that can be said of the whole set."""

    slot: Slot
    value: str
    traits: tuple[Trait, ...]
    """Of the entities that have it."""
    support: tuple[str, ...]
    coverage: float
    """The share of the entities that have it; the base is silent on the others."""
    depth: int = 0
    """How far it had to be generalised for the entity it fits least."""


def shared(senses: Sequence[Sense]) -> list[Shared]:
    """Everything that two thirds of the entities have and the others do not contradict."""
    keys = dict.fromkeys(key for sense in senses for key in sense.traits)
    return [found for key in keys if (found := _shared(key, senses)) is not None]


def _shared(key: Key, senses: Sequence[Sense]) -> Shared | None:
    having = [sense for sense in senses if key in sense.traits]
    if len(having) < max(2, math.ceil(_LEAST * len(senses))):
        return None
    if any(_contradicts(sense, key) for sense in senses):
        return None
    return Shared(
        slot=key[0],
        value=key[1],
        traits=tuple(sense.traits[key] for sense in having),
        support=tuple(f"{sense.name}: {sense.traits[key].fact}" for sense in having),
        coverage=len(having) / len(senses),
        depth=max(sense.traits[key].depth for sense in having),
    )


def _contradicts(sense: Sense, key: Key) -> bool:
    if key in sense.traits or not sense.known:
        return False
    return key[0] not in _MAY_BE_SILENT or sense.in_slot(key[0])
