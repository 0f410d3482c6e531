"""Rankings and generations to look at: TESA's Tables 6, 7 and 10 to 13, for any systems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from tatian.aggregation.data.records import Instance
from tatian.aggregation.views.examples import (
    ShownInstance,
    ShownPhrase,
    SystemColumn,
    examples,
    generated,
    ranked,
)
from tatian.views.wording import printable, squeeze

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


__all__ = [
    "ShownInstance",
    "ShownPhrase",
    "SystemColumn",
    "examples",
    "generated",
    "print_examples",
    "ranked",
    "to_text",
]


_GAP = "…"
"""Stands where ranks are left out."""


def print_examples(shown: Iterable[ShownInstance], console: Console) -> None:
    """Each example as a table, a column for each system."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    for example in shown:
        if not example.columns:
            console.print(Text("\n".join(_lines(example)) + "\n"))
            continue
        drawn = Table(
            title=Text.assemble("Entities  ", (_clean(example.entities), "bold"), style="default"),
            caption=Text(_about(example), style="dim"),
            title_justify="left",
            caption_justify="left",
            box=box.SIMPLE_HEAD,
        )
        for column in example.columns:
            drawn.add_column(Text(_clean(column.system)))
        lists = [[_styled(one) for one in column.lines] for column in example.columns]
        for row in zip_longest(*lists, fillvalue=Text()):
            drawn.add_row(*row)
        console.print(drawn)


def to_text(shown: Iterable[ShownInstance]) -> str:
    """Plain text, one list below the other; a star follows what is gold."""
    return "\n".join("\n".join(_lines(example)) + "\n" for example in shown)


def _lines(example: ShownInstance) -> Iterator[str]:
    yield f"Entities  {_clean(example.entities)}"
    yield _about(example)
    if not example.columns:
        yield from _told(example.instance)
    for column in example.columns:
        yield f"  {_clean(column.system)}"
        for phrase in column.lines:
            yield f"    {_GAP}" if phrase is None else f"    {_written(phrase)}"


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


def _written(phrase: ShownPhrase) -> str:
    star = "*" if phrase.gold else ""
    return f"{phrase.rank:>2}. {_clean(phrase.text)}{star} [{score(phrase.score)}]"


def _styled(phrase: ShownPhrase | None) -> Text:
    from rich.text import Text

    if phrase is None:
        return Text(_GAP, style="dim")
    return Text.assemble(
        f"{phrase.rank:>2}. ",
        (_clean(phrase.text), "bold green" if phrase.gold else ""),
        (f" [{score(phrase.score)}]", "dim"),
    )


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
