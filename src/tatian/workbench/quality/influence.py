"""Whether a model's suggestions sway people: work that began with one against work that did not.

With `Settings.suggestions` at ``half`` chance decides who sees one, so that a difference between
the two is the suggestion's doing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, exists, func, select

from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.timing import Kind, Times, together
from tatian.workbench.storage import plain
from tatian.workbench.storage.tables import answers, items

LATEST = 2_000
"""Answers that are held against suggestions, the latest first."""


class Side(Struct, frozen=True):
    """Answers that began with a suggestion, or without."""

    answers: int
    median_seconds: float | None
    mean_seconds: float | None
    score: float | None
    """The mean against gold, where there is one."""
    scored: int
    likeness: float | None
    """How much of an answer stands in the model's suggestion, 0 to 1, on average."""
    compared: int


class Influence(Struct, frozen=True):
    """Both sides, of production items, hidden tests included."""

    shown: Side
    hidden: Side


def influence(
    connection: Connection, campaign: Campaign, timed: Mapping[Kind, Times]
) -> Influence | None:
    """What suggestions change; None where nobody has been shown one."""
    if not any(kind.preannotated for kind in timed):
        return None
    scores = _scores(connection, campaign)
    alike = _alike(connection, campaign)
    sides = []
    for shown in (True, False):
        of_side = {kind: taken for kind, taken in timed.items() if kind.preannotated is shown}
        taken = together(of_side, lambda kind: not kind.training and not kind.correction)
        score, scored = scores.get(shown, (None, 0))
        compared = alike[shown]
        mean = sum(compared) / len(compared) if compared else None
        sides.append(
            Side(taken.answers, taken.median, taken.mean, score, scored, mean, len(compared))
        )
    return Influence(*sides)


def likeness(suggestion: Any, answer: Any) -> float:
    """How much of an answer stands in a suggestion: words, places and choices, 0 to 1.

    A suggestion is the state of a page and an answer what the page sends, so that their shapes
    differ while what they say does not.
    """
    said, proposed = Counter(_leaves(answer)), Counter(_leaves(suggestion))
    return (said & proposed).total() / said.total() if said else 1.0


def _leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, str(key))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(inner, name)
    elif isinstance(value, str):
        yield from ((name, word) for word in value.split())
    elif value is not None:
        yield name, value


def _scores(connection: Connection, campaign: Campaign) -> dict[bool, tuple[float | None, int]]:
    later = answers.alias()
    corrected = exists().where(later.c.replaces == answers.c.id)
    found = (
        select(answers.c.preannotated, func.avg(answers.c.score), func.count(answers.c.score))
        .select_from(items.join(answers, answers.c.item == items.c.id))
        .where(items.c.campaign == campaign.id, answers.c.campaign == campaign.id)
        .where(items.c.stage == campaign.last, items.c.gold.is_not(None), ~corrected)
        .group_by(answers.c.preannotated)
    )
    return {bool(row[0]): (row[1], row[2]) for row in connection.execute(found)}


def _alike(connection: Connection, campaign: Campaign) -> dict[bool, list[float]]:
    found = (
        select(answers.c.preannotated, answers.c.answer, items.c.suggestion)
        .select_from(answers.join(items, answers.c.item == items.c.id))
        .where(answers.c.campaign == campaign.id, items.c.suggestion.is_not(None))
        .where(items.c.stage == campaign.last, answers.c.replaces.is_(None))
        .order_by(answers.c.submitted.desc(), answers.c.id)
        .limit(LATEST)
    )
    alike: dict[bool, list[float]] = {True: [], False: []}
    for row in connection.execute(found):
        value = likeness(plain.decode(row.suggestion), plain.decode(row.answer))
        alike[bool(row.preannotated)].append(value)
    return alike
