"""The way from a task and a system's rankings to figures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from tatian.aggregation.data.records import Instance, check
from tatian.aggregation.metrics.scores import Judged, Scores, any_seen, names_in
from tatian.errors import EmptyInput, InputError
from tatian.scoring.average_precision import average_precision
from tatian.scoring.recall_at import recall_at
from tatian.scoring.reciprocal_rank import reciprocal_rank
from tatian.scoring.ties import blocks

CUTOFF = 10
"""TESA §4.2: recall is measured among the first ten of 24."""

Ranking = Sequence[tuple[str, float]]


def score(
    task: Sequence[Instance],
    ranked: Mapping[str, Ranking],
    *,
    train: Iterable[Instance] | None = None,
    cutoff: int = CUTOFF,
) -> Scores:
    """How well rankings, by the id of their instance, put the right candidates first.

    `tatian.aggregation.metrics` says what counts. With `train`, each instance is known to have
    entities that training met or not, for `Scores.by`.
    """
    if cutoff < 1:
        raise InputError(f"recall at {cutoff}: the cutoff is at least 1")
    check_ids(task, ranked)
    names = None if train is None else names_in(train)
    return Scores(
        tuple(_judged(one, ranked[one.id], names, cutoff) for one in task),
        cutoff,
        fingerprint_of(task),
    )


def check_ids(task: Sequence[Instance], answered: Mapping[str, object]) -> None:
    """Refuse a task that cannot be scored, and answers to other instances than the task's."""
    if not task:
        raise EmptyInput("the task has no instances")
    ids = [instance.id for instance in task]
    if twice := _twice(ids):
        raise InputError(f"two instances of the task have the id '{twice}'")
    known = frozenset(ids)
    missing = [id for id in ids if id not in answered]
    if missing:
        raise InputError(f"instances without an answer: {_listed(missing)}")
    extra = [id for id in answered if id not in known]
    if extra:
        raise InputError(f"answers for instances that the task does not have: {_listed(extra)}")


def fingerprint_of(task: Iterable[Instance]) -> str:
    """Of all that the instances say."""
    from tatian.statistics import fingerprint

    return fingerprint(msgspec.json.encode(instance).decode() for instance in task)


def _judged(
    instance: Instance, ranking: Ranking, names: frozenset[str] | None, cutoff: int
) -> Judged:
    try:
        check(instance, ("candidates", "aggregations"))
        check_ranking(instance, ranking)
    except ValueError as error:
        raise InputError(f"instance '{instance.id}': {error}") from error
    ranked = blocks(ranking, frozenset(instance.aggregations))
    values = {
        "map": average_precision(ranked),
        f"r@{cutoff}": recall_at(ranked, cutoff),
        "mrr": reciprocal_rank(ranked),
    }
    seen = None if names is None else any_seen(instance, names)
    return Judged(instance.id, instance.type, len(instance.entities), seen, values)


def check_ranking(instance: Instance, ranking: Ranking) -> None:
    """Refuse, with a ValueError, what does not rank each candidate once, best first."""
    ranked = [phrase for phrase, _ in ranking]
    if twice := _twice(ranked):
        raise ValueError(f"'{twice}' is ranked twice")
    if missing := [one for one in instance.candidates if one not in set(ranked)]:
        raise ValueError(f"candidates that are not ranked: {_listed(missing)}")
    if extra := [one for one in ranked if one not in set(instance.candidates)]:
        raise ValueError(f"ranked phrases that are no candidates: {_listed(extra)}")
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


def _twice(names: Iterable[str]) -> str | None:
    met: set[str] = set()
    for name in names:
        if name in met:
            return name
        met.add(name)
    return None


def _listed(names: Sequence[str]) -> str:
    """The first, and how many more there are."""
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"'{names[0]}'{more}"
