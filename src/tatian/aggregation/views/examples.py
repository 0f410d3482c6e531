"""What the papers' tables of examples show of an instance: the first phrases, and every gold one.

Of a ranking the first six candidates and whatever gold is ranked below them (TESA Table 6), of a
generation the ten best phrases (Table 7).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from tatian.aggregation.data.records import Instance
from tatian.aggregation.data.rules import normal
from tatian.aggregation.metrics.answers import Answers
from tatian.aggregation.metrics.generation import Generated
from tatian.errors import InputError
from tatian.scoring.generation import LIMIT

FIRST = 6
"""TESA Table 6: how many candidates are shown in any case."""


class ShownPhrase(Struct, frozen=True):
    """One line of a list: the phrase at a rank."""

    rank: int
    text: str
    score: float
    gold: bool


class SystemColumn(Struct, frozen=True):
    """What one system answered."""

    system: str
    phrases: tuple[ShownPhrase, ...]

    @property
    def lines(self) -> tuple[ShownPhrase | None, ...]:
        """The phrases, with None where ranks between two of them are left out."""
        lines: list[ShownPhrase | None] = []
        expected = 1
        for phrase in self.phrases:
            if phrase.rank != expected:
                lines.append(None)
            lines.append(phrase)
            expected = phrase.rank + 1
        return tuple(lines)


class ShownInstance(Struct, frozen=True):
    """An instance with what systems made of it, side by side."""

    instance: Instance
    columns: tuple[SystemColumn, ...]

    @property
    def entities(self) -> str:
        """The names as the papers write them: "Chicago and London"."""
        *others, last = self.instance.entities
        return f"{', '.join(others)} and {last}" if others else last


def ranked(
    ranking: Sequence[tuple[str, float]], gold: Iterable[str], first: int = FIRST
) -> tuple[ShownPhrase, ...]:
    """The first candidates, and every gold one below them."""
    right = set(gold)
    return tuple(
        ShownPhrase(rank, text, score, text in right)
        for rank, (text, score) in enumerate(ranking, start=1)
        if rank <= first or text in right
    )


def generated(
    answer: Generated, gold: Iterable[str], limit: int = LIMIT
) -> tuple[ShownPhrase, ...]:
    """The best phrases; gold is what counts as gold where they are scored (`normal`)."""
    right = {normal(phrase) for phrase in gold}
    return tuple(
        ShownPhrase(rank, text, score, normal(text) in right)
        for rank, (text, score) in enumerate(answer.aggregations[:limit], start=1)
    )


def examples(
    task: Iterable[Instance],
    systems: Mapping[str, Answers],
    *,
    first: int = FIRST,
    limit: int = LIMIT,
) -> list[ShownInstance]:
    """The instances with a list of each system's; every system must have answered them all."""
    return [
        ShownInstance(
            instance,
            tuple(
                SystemColumn(name, _phrases(instance, name, answers, first, limit))
                for name, answers in systems.items()
            ),
        )
        for instance in task
    ]


def _phrases(
    instance: Instance, name: str, answers: Answers, first: int, limit: int
) -> tuple[ShownPhrase, ...]:
    if instance.id in answers.rankings:
        return ranked(answers.rankings[instance.id], instance.aggregations, first)
    if instance.id in answers.generations:
        return generated(answers.generations[instance.id], instance.aggregations, limit)
    raise InputError(f"instance '{instance.id}': no answer of the system '{name}'")
