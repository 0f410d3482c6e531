"""What instances can be told apart by, so that a figure for all does not hide one for some."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from tatian.aggregation.data.checking import same
from tatian.aggregation.data.records import Instance

By = Literal["type", "size", "seen"]
BYS: tuple[By, ...] = get_args(By)
SEEN, UNSEEN = "seen", "unseen"


def names_in(instances: Iterable[Instance]) -> frozenset[str]:
    """The names of all entities of some instances, whatever their case."""
    return frozenset(same(name) for one in instances for name in one.entities)


def any_seen(instance: Instance, names: frozenset[str]) -> bool:
    """Whether training met any of an instance's entities.

    TESA §3.4 counts as unseen the instances whose entities "do not overlap with entities in the
    training set at all".
    """
    return any(same(name) in names for name in instance.entities)
