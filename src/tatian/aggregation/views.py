"""Readable rankings and generations: TESA's Tables 6, 7 and 10 to 13, for any systems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from tatian.aggregation.data.records import Instance
from tatian.aggregation.data.rules import normalize_phrase
from tatian.aggregation.metrics.answers import Answers, Generated
from tatian.errors import InputError
from tatian.scoring.generation import LIMIT
from tatian.views.wording import printable, squeeze

FIRST = 6
"""TESA Table 6: number of candidates that are always shown."""


class ShownPhrase(Struct, frozen=True):
    """One line of a list: the phrase at a rank."""

    rank: int
    text: str
    score: float
    gold: bool


def show_ranking(
    ranking: Sequence[tuple[str, float]], gold: Iterable[str], first: int = FIRST
) -> tuple[ShownPhrase, ...]:
    """Return the first candidates, and every gold one below them."""
    right = set(gold)
    return tuple(
        ShownPhrase(rank, text, score, text in right)
        for rank, (text, score) in enumerate(ranking, start=1)
        if rank <= first or text in right
    )


def show_phrases(answer: Generated, gold: Iterable[str]) -> tuple[ShownPhrase, ...]:
    """Return the best phrases; gold is decided after normalisation, as in scoring."""
    right = {normalize_phrase(phrase) for phrase in gold}
    return tuple(
        ShownPhrase(rank, text, score, normalize_phrase(text) in right)
        for rank, (text, score) in enumerate(answer.aggregations[:LIMIT], start=1)
    )


def _phrases(
    instance: Instance, name: str, answers: Answers, first: int
) -> tuple[ShownPhrase, ...]:
    if instance.id in answers.rankings:
        return show_ranking(answers.rankings[instance.id], instance.aggregations, first)
    if instance.id in answers.generations:
        return show_phrases(answers.generations[instance.id], instance.aggregations)
    raise InputError(f"instance '{instance.id}': no answer of the system '{name}'")


_GAP = "…"
"""Marks ranks that are left out."""
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"


def to_text(
    task: Iterable[Instance],
    systems: Mapping[str, Answers],
    *,
    first: int = FIRST,
    bold: bool = False,
) -> str:
    """Return the instances as text, each with the lists of the systems.

    Gold phrases are bold on a terminal, and have a star elsewhere. Every system must have answered
    all instances; without systems, the instances are shown as they are.
    """
    return "\n".join("\n".join(_lines(instance, systems, first, bold)) + "\n" for instance in task)


def _lines(
    instance: Instance, systems: Mapping[str, Answers], first: int, bold: bool
) -> Iterator[str]:
    *others, last = instance.entities
    named = f"{', '.join(others)} and {last}" if others else last
    yield f"Entities  {_clean(named)}"
    gold = (f"gold: {', '.join(instance.aggregations)}",) if instance.aggregations else ()
    yield _clean("; ".join((f"id {instance.id}", instance.type, *gold)))
    if not systems:
        yield from _fields(instance)
    for name, answers in systems.items():
        yield f"  {_clean(name)}"
        expected = 1
        for phrase in _phrases(instance, name, answers, first):
            if phrase.rank != expected:
                yield f"    {_GAP}"
            yield f"    {_written(phrase, bold)}"
            expected = phrase.rank + 1


def _fields(instance: Instance) -> Iterator[str]:
    """Yield the instance as an annotator or a model sees it, with the candidates of its task."""
    fields = (
        ("title", instance.title),
        ("context", instance.context),
        *instance.background.items(),
    )
    for name, text in fields:
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


def _clean(text: str) -> str:
    return printable(squeeze(text))


def score(value: float) -> str:
    """Format a score with three decimals; counts as integers, tiny values as powers."""
    if abs(value) > 1 and value.is_integer():
        return f"{value:.0f}"
    return f"{value:.1e}" if 0 < abs(value) < 0.0005 else f"{value or 0.0:.3f}"
