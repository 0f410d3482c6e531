"""Shared parts of all score commands: options, tables, JSON of several systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tatian.cli import options
from tatian.cli.output import print_table, write
from tatian.scoring import Scores, compare_all
from tatian.scoring.metric import METRICS, Task

if TYPE_CHECKING:
    from tatian.statistics import Comparison, Table


def metric_option(*tasks: Task) -> Any:
    """Declare ``--metric``, which may be given several times."""
    names = ", ".join(dict.fromkeys(name for task in tasks for name in METRICS[task]))
    others = "those of other packages by name, or package.module:NAME."
    text = f"Compute only this metric; repeatable. Known: {names}; {others}"
    return options.option(text, "--metric", metavar="NAME", multiple=True)


errors_flag = options.flag("Add bootstrap standard errors and confidence intervals of F1.")
"""``--errors``: standard errors are slow to compute, so they are optional."""
compare_flag = options.flag("Test whether the first system differs significantly from the others.")
"""``--compare``, for commands that take several systems."""


def print_tables(*tables: Table) -> None:
    """Print tables with a blank line between them."""
    for number, table in enumerate(tables):
        if number:
            write("")
        print_table(table)


def compare_systems(systems: Mapping[str, Scores]) -> list[list[Comparison]]:
    """Compare the first system with each other one."""
    first, *others = systems.values()
    return [compare_all(first, other) for other in others]


def difference_rows(
    systems: Iterable[str], tests: Sequence[Sequence[Comparison]], shown: Callable[[str], str] = str
) -> list[tuple[tuple[str, str], Comparison]]:
    """Return the results of `compare_systems` as rows, each with the systems and the metric."""
    first, *others = systems
    return [
        ((f"{first} - {name}", shown(comparison.metric.partition(".")[2])), comparison)
        for name, comparisons in zip(others, tests, strict=True)
        for comparison in comparisons
    ]


def errors_json(scores: Scores) -> dict[str, Any]:
    """Return the JSON that ``--errors`` adds to a system."""
    by_metric = {name: score.to_json() for name, score in scores.items()}
    return {
        f"{part}s": {name: score[part] for name, score in by_metric.items()}
        for part in ("standard_error", "interval")
    }


def figures_json(scores: Scores) -> dict[str, Any]:
    """Return values, errors, intervals and signatures by metric, as JSON data."""
    signatures = {name: str(score.signature) for name, score in scores.items()}
    values = {name: score.value for name, score in scores.items()}
    return values | errors_json(scores) | {"signatures": signatures}


def items_json(scores: Scores) -> list[dict[str, Any]]:
    """Return each item with its values, as JSON data."""
    values = {name: score.values for name, score in scores.items()}
    return [
        {"id": id, **{name: column[row] for name, column in values.items()}}
        for row, id in enumerate(scores.ids)
    ]


def systems_json(
    by_system: Mapping[str, dict[str, Any]], tests: Sequence[Sequence[Comparison]]
) -> dict[str, Any]:
    """Return one system's figures; several by their names, with tests against the first."""
    import msgspec

    if len(by_system) == 1:
        return next(iter(by_system.values()))
    figures: dict[str, Any] = {"systems": dict(by_system)}
    if tests:
        first, *others = by_system
        figures["comparisons"] = [
            {"first": first, "second": name, "tests": msgspec.to_builtins(comparisons)}
            for name, comparisons in zip(others, tests, strict=True)
        ]
    return figures
