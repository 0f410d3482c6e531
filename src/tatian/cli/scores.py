"""What the score commands of all steps share: options, tables on paper, JSON of several systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tatian.cli.common import print_table, write
from tatian.scoring import Scores, compare_all
from tatian.scoring.metric import METRICS, Task

if TYPE_CHECKING:
    from tatian.statistics import Comparison, Table

F = TypeVar("F", bound=Callable[..., Any])


def metric_option(*tasks: Task) -> Callable[[F], F]:
    """Add ``--metric``, which may be given several times."""
    known = ", ".join(dict.fromkeys(name for task in tasks for name in METRICS[task]))
    text = (
        f"Only this metric; repeatable. Known: {known}; others' by their name or "
        "package.module:NAME."
    )
    return click.option("--metric", "metrics", metavar="NAME", multiple=True, help=text)


errors_option = click.option(
    "--errors", is_flag=True, help="Bootstrap standard errors and intervals of the F1."
)
"""For figures that have none unless they are asked for."""
compare_option = click.option(
    "--compare", is_flag=True, help="Is the first better than the others by more than chance?"
)
"""For commands that take several systems."""


def print_tables(*tables: Table) -> None:
    """Tables with a blank line between them."""
    for number, table in enumerate(tables):
        if number:
            write("")
        print_table(table)


def compared(found: Mapping[str, Scores]) -> list[list[Comparison]]:
    """The first system held against each other one."""
    first, *others = found.values()
    return [compare_all(first, other) for other in others]


def difference_rows(
    systems: Iterable[str],
    tests: Sequence[Sequence[Comparison]],
    shown: Callable[[str], str] = str,
) -> list[tuple[tuple[str, str], Comparison]]:
    """What `compared` found, each with the systems and the name of its measure."""
    first, *others = systems
    return [
        ((f"{first} - {name}", shown(one.metric.partition(".")[2])), one)
        for name, comparisons in zip(others, tests, strict=True)
        for one in comparisons
    ]


def plain_errors(scores: Scores) -> dict[str, Any]:
    """What ``--errors`` adds to the JSON of a system."""
    found = {name: score.to_json() for name, score in scores.items()}
    return {
        f"{part}s": {name: one[part] for name, one in found.items()}
        for part in ("standard_error", "interval")
    }


def plain_figures(scores: Scores) -> dict[str, Any]:
    """Values by metric, and errors, intervals and signatures beside them."""
    signatures = {name: str(score.signature) for name, score in scores.items()}
    values = {name: score.value for name, score in scores.items()}
    return values | plain_errors(scores) | {"signatures": signatures}


def plain_items(scores: Scores) -> list[dict[str, Any]]:
    """Every item with its values."""
    values = {name: score.values for name, score in scores.items()}
    return [
        {"id": id, **{name: each[at] for name, each in values.items()}}
        for at, id in enumerate(scores.ids)
    ]


def plain_systems(
    plain: Mapping[str, dict[str, Any]], tests: Sequence[Sequence[Comparison]]
) -> dict[str, Any]:
    """One system's figures as they are; several by their names, with tests against the first."""
    import msgspec

    if len(plain) == 1:
        return next(iter(plain.values()))
    whole: dict[str, Any] = {"systems": dict(plain)}
    if tests:
        first, *others = plain
        whole["comparisons"] = [
            {"first": first, "second": name, "tests": msgspec.to_builtins(one)}
            for name, one in zip(others, tests, strict=True)
        ]
    return whole
