"""Scores of a system's rankings: in total, by group, and the worst instances.

All candidates of every instance must be ranked once, best first (TESA §4.2). Candidates with equal
scores have no order: see `tatian.scoring.ranking`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, get_args

import msgspec
from msgspec.structs import replace

from tatian.aggregation.data.records import Instance, check, fold_phrase
from tatian.errors import EmptyInput, InputError
from tatian.grouping import grouped
from tatian.scoring.metric import choose_metrics
from tatian.scoring.ranking import blocks
from tatian.scoring.scores import Scores, count_items

By = Literal["type", "size", "seen"]
BYS: tuple[By, ...] = get_args(By)
SEEN, UNSEEN = "seen", "unseen"
Ranking = Sequence[tuple[str, float]]


class RankingScores(Scores, frozen=True, kw_only=True):
    """Scores of a system's rankings of the candidates of a task."""

    types: tuple[str, ...]
    """Entity type of each instance."""
    sizes: tuple[int, ...]
    seen: tuple[bool, ...] | None

    def by(self, kind: By) -> dict[str, RankingScores]:
        """Return the scores by type, by number of entities, or by seen and unseen entities."""
        groups: Sequence[str | int] = self.types if kind == "type" else self.sizes
        if kind == "seen":
            if self.seen is None:
                raise InputError("seen and unseen entities: the training instances are needed")
            groups = [SEEN if is_seen else UNSEEN for is_seen in self.seen]
        places = sorted(range(len(self.ids)), key=lambda at: groups[at])
        places_of = grouped((str(groups[at]), at) for at in places)
        return {group: self._select(places) for group, places in places_of.items()}

    def _select(self, places: Sequence[int]) -> RankingScores:
        return replace(
            self,
            ids=tuple(self.ids[at] for at in places),
            counts={name: tuple(rows[at] for at in places) for name, rows in self.counts.items()},
            types=tuple(self.types[at] for at in places),
            sizes=tuple(self.sizes[at] for at in places),
            seen=tuple(self.seen[at] for at in places) if self.seen else None,
        )

    def worst(self, count: int) -> tuple[str, ...]:
        """Return the instances with the lowest MAP, worst first; ties in the task's order."""
        rows = zip(self.ids, self.counts["map"], strict=True)
        return tuple(id for id, _ in sorted(rows, key=lambda row: row[1][0])[:count])


def score(
    task: Sequence[Instance],
    ranked: Mapping[str, Ranking],
    *,
    train: Iterable[Instance] | None = None,
    metrics: Iterable[str] | None = None,
) -> RankingScores:
    """Score rankings by instance id; `train` tells seen from unseen ones for `RankingScores.by`."""
    check_ids(task, ranked)
    names = None if train is None else names_in(train)
    for instance in task:
        _check(instance, ranked[instance.id])
    items = [blocks(ranked[instance.id], frozenset(instance.aggregations)) for instance in task]
    used = choose_metrics("ranking", metrics)
    return RankingScores(
        "aggregation",
        tuple(instance.id for instance in task),
        used,
        count_items(items, used),
        {"ties": "expected"},
        fingerprint_of(task),
        "aggregation.",
        types=tuple(instance.type for instance in task),
        sizes=tuple(len(instance.entities) for instance in task),
        seen=None if names is None else tuple(any_seen(instance, names) for instance in task),
    )


def names_in(instances: Iterable[Instance]) -> frozenset[str]:
    """Return the names of all entities of some instances, without case."""
    return frozenset(fold_phrase(name) for instance in instances for name in instance.entities)


def any_seen(instance: Instance, names: frozenset[str]) -> bool:
    """Return whether any of an instance's entities occurs in training (TESA §3.4)."""
    return any(fold_phrase(name) in names for name in instance.entities)


def check_ids(task: Sequence[Instance], answered: Mapping[str, object]) -> None:
    """Refuse an empty or ambiguous task, and answers that do not match its instances."""
    if not task:
        raise EmptyInput("the task has no instances")
    ids = [instance.id for instance in task]
    if twice := _find_repeated(ids):
        raise InputError(f"two instances of the task have the id '{twice}'")
    valid = frozenset(ids)
    missing = [id for id in ids if id not in answered]
    if missing:
        raise InputError(f"instances without an answer: {_shorten(missing)}")
    extra = [id for id in answered if id not in valid]
    if extra:
        raise InputError(f"answers for instances that the task does not have: {_shorten(extra)}")


def fingerprint_of(task: Iterable[Instance]) -> str:
    """Return a fingerprint of the instances."""
    from tatian.statistics import fingerprint

    return fingerprint(msgspec.json.encode(instance).decode() for instance in task)


def _check(instance: Instance, ranking: Ranking) -> None:
    try:
        check(instance, ("candidates", "aggregations"))
        check_ranking(instance, ranking)
    except ValueError as error:
        raise InputError(f"instance '{instance.id}': {error}") from error


def check_ranking(instance: Instance, ranking: Ranking) -> None:
    """Raise a ValueError unless each candidate is ranked once, best first."""
    ranked = [phrase for phrase, _ in ranking]
    if twice := _find_repeated(ranked):
        raise ValueError(f"'{twice}' is ranked twice")
    if missing := [candidate for candidate in instance.candidates if candidate not in set(ranked)]:
        raise ValueError(f"candidates that are not ranked: {_shorten(missing)}")
    if extra := [phrase for phrase in ranked if phrase not in set(instance.candidates)]:
        raise ValueError(f"ranked phrases that are no candidates: {_shorten(extra)}")
    previous = math.inf
    for phrase, value in ranking:
        if math.isnan(value):
            raise ValueError(f"the score of '{phrase}' is not a number")
        if value > previous:
            raise ValueError(
                f"'{phrase}' has a higher score than the one ranked above it: "
                "the best comes first and has the highest score"
            )
        previous = value


def _find_repeated(names: Iterable[str]) -> str | None:
    met: set[str] = set()
    for name in names:
        if name in met:
            return name
        met.add(name)
    return None


def _shorten(names: Sequence[str]) -> str:
    """Return the first name, and how many more there are."""
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"'{names[0]}'{more}"
