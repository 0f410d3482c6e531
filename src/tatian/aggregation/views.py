"""Readable rankings and generations of systems, as in TESA's Tables 6, 7 and 10 to 13."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from tatian.aggregation.data.records import Instance
from tatian.aggregation.data.rules import normalize_phrase
from tatian.aggregation.metrics.answers import Answers, GenerationLine
from tatian.errors import InputError
from tatian.scoring.generation import MAX_PROPOSALS
from tatian.views.wording import one_line

SHOWN_FIRST = 6
"""Number of candidates that are always shown, as in TESA's Table 6."""


class ShownPhrase(Struct, frozen=True):
    """One line of a list: the phrase at a rank."""

    rank: int
    text: str
    score: float
    gold: bool


def show_ranking(
    ranking: Sequence[tuple[str, float]], gold: Iterable[str], first: int = SHOWN_FIRST
) -> tuple[ShownPhrase, ...]:
    """Return the first candidates, and all gold ones below them."""
    gold_phrases = set(gold)
    return tuple(
        ShownPhrase(rank, text, score, text in gold_phrases)
        for rank, (text, score) in enumerate(ranking, start=1)
        if rank <= first or text in gold_phrases
    )


def show_phrases(answer: GenerationLine, gold: Iterable[str]) -> tuple[ShownPhrase, ...]:
    """Return the best phrases, compared with gold after normalisation as in scoring."""
    gold_phrases = {normalize_phrase(phrase) for phrase in gold}
    return tuple(
        ShownPhrase(rank, text, score, normalize_phrase(text) in gold_phrases)
        for rank, (text, score) in enumerate(answer.aggregations[:MAX_PROPOSALS], start=1)
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
"""Marker of omitted ranks."""
_BOLD, _NOT_BOLD = "\x1b[1m", "\x1b[0m"


def to_text(
    task: Iterable[Instance],
    systems: Mapping[str, Answers],
    *,
    first: int = SHOWN_FIRST,
    bold: bool = False,
) -> str:
    """Return the instances as text, each with the lists of the systems.

    Gold phrases are in bold or have a star. Every system must have answered all instances. Without
    systems, the fields of the instances are shown.
    """
    return "\n".join("\n".join(_lines(instance, systems, first, bold)) + "\n" for instance in task)


def _lines(
    instance: Instance, systems: Mapping[str, Answers], first: int, bold: bool
) -> Iterator[str]:
    *others, last = instance.entities
    named = f"{', '.join(others)} and {last}" if others else last
    yield f"Entities  {one_line(named)}"
    gold = (f"gold: {', '.join(instance.aggregations)}",) if instance.aggregations else ()
    yield one_line("; ".join((f"id {instance.id}", instance.type, *gold)))
    if not systems:
        yield from _fields(instance)
    for name, answers in systems.items():
        yield f"  {one_line(name)}"
        expected = 1
        for phrase in _phrases(instance, name, answers, first):
            if phrase.rank != expected:
                yield f"    {_GAP}"
            yield f"    {_phrase_line(phrase, bold)}"
            expected = phrase.rank + 1


def _fields(instance: Instance) -> Iterator[str]:
    """Yield the fields of an instance, with the candidates of its task."""
    fields = (
        ("title", instance.title),
        ("context", instance.context),
        *instance.background.items(),
    )
    for name, text in fields:
        if text:
            yield f"  {one_line(name)}: {one_line(text)}"
    if instance.candidates:
        gold_phrases = set(instance.aggregations)
        yield "  candidates"
        for number, phrase in enumerate(instance.candidates, 1):
            yield f"    {number:>2}. {one_line(phrase)}{'*' if phrase in gold_phrases else ''}"


def _phrase_line(phrase: ShownPhrase, bold: bool) -> str:
    text = one_line(phrase.text)
    if phrase.gold:
        text = f"{_BOLD}{text}{_NOT_BOLD}" if bold else f"{text}*"
    return f"{phrase.rank:>2}. {text} [{format_score(phrase.score)}]"


def format_score(value: float) -> str:
    """Format a score with three decimals; integers without, tiny values as powers."""
    if abs(value) > 1 and value.is_integer():
        return f"{value:.0f}"
    return f"{value:.1e}" if 0 < abs(value) < 0.0005 else f"{value or 0.0:.3f}"
