"""Rankings and generations to look at: TESA's Tables 6, 7 and 10 to 13, for any systems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from tatian.aggregation.data.records import Instance
from tatian.aggregation.data.rules import normal
from tatian.aggregation.metrics.answers import Answers, Generated
from tatian.errors import InputError
from tatian.scoring.generation import LIMIT
from tatian.views.wording import printable, squeeze

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


_GAP = "…"
"""Stands where ranks are left out."""
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"


def to_text(shown: Iterable[ShownInstance], *, bold: bool = False) -> str:
    """One list below the other; what is gold is bold on a terminal, and has a star elsewhere."""
    return "\n".join("\n".join(_lines(example, bold)) + "\n" for example in shown)


def _lines(example: ShownInstance, bold: bool) -> Iterator[str]:
    yield f"Entities  {_clean(example.entities)}"
    yield _about(example)
    if not example.columns:
        yield from _told(example.instance)
    for column in example.columns:
        yield f"  {_clean(column.system)}"
        for phrase in column.lines:
            yield f"    {_GAP}" if phrase is None else f"    {_written(phrase, bold)}"


def _told(instance: Instance) -> Iterator[str]:
    """The instance as an annotator or a model sees it, and the candidates of its task."""
    told = (("title", instance.title), ("context", instance.context), *instance.background.items())
    for name, text in told:
        if text:
            yield f"  {_clean(name)}: {_clean(text)}"
    if instance.candidates:
        right = set(instance.aggregations)
        yield "  candidates"
        for number, phrase in enumerate(instance.candidates, 1):
            yield f"    {number:>2}. {_clean(phrase)}{'*' if phrase in right else ''}"


def _written(phrase: ShownPhrase, bold: bool) -> str:
    text = _clean(phrase.text)
    if phrase.gold:
        text = f"{_BOLD}{text}{_PLAIN}" if bold else f"{text}*"
    return f"{phrase.rank:>2}. {text} [{score(phrase.score)}]"


def _about(example: ShownInstance) -> str:
    instance = example.instance
    gold: Sequence[str] = instance.aggregations
    parts = [f"id {instance.id}", instance.type]
    if gold:
        parts.append(f"gold: {', '.join(gold)}")
    return _clean("; ".join(parts))


def _clean(text: str) -> str:
    return printable(squeeze(text))


def score(value: float) -> str:
    """Three digits after the point as in the papers' tables; counts whole, tiny ones by powers."""
    if abs(value) > 1 and value.is_integer():
        return f"{value:.0f}"
    return f"{value:.1e}" if 0 < abs(value) < 0.0005 else f"{value or 0.0:.3f}"
