"""Tables of systems as in the papers: results and ablations of the input (§6.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, get_args

from msgspec.structs import replace

from tatian.aggregation.data.records import Instance
from tatian.errors import InputError
from tatian.scoring.comparison import MARK, SIGNIFICANCE_LEVEL, compare_systems

if TYPE_CHECKING:
    from tatian.aggregation.metrics.ranking import RankingScores
    from tatian.statistics import Cell, Table

Inputs = Literal["all", "context", "background", "entities"]
INPUTS: tuple[Inputs, ...] = get_args(Inputs)
"""Inputs beside the entities' names: all, the context, the background, or none."""
SHOWN: dict[Inputs, str] = {
    "context": "context, entities",
    "background": "info., entities",
    "entities": "entities",
}
"""The columns of Table 5."""


NOTE = (
    f"{MARK} worse than the best of its column: p < {SIGNIFICANCE_LEVEL}, approximate "
    "randomization, corrected for the number of systems (Holm)"
)
LOSSES = "MAP less that of the full system, which stands in brackets: negative where input helps"


def only(instance: Instance, inputs: Inputs) -> Instance:
    """Return the instance without context, without background, or without both."""
    if inputs in ("context", "entities"):
        instance = replace(instance, background={})
    if inputs in ("background", "entities"):
        instance = replace(instance, title="", context="")
    return instance


def results(systems: Mapping[str, RankingScores]) -> Table:
    """Return a table with a row per system, as in Tables 4 and 14; `NOTE` explains its marks."""
    from tatian.statistics import Column

    metrics = next(iter(systems.values())).metrics if systems else ()
    columns = {metric: Column(paper_name(metric), precision=3, best="max") for metric in metrics}
    standings = compare_systems(systems, columns, test="randomization")
    return standings.table(called="Method", errors=False)


def ablations(systems: Mapping[str, Mapping[Inputs, RankingScores]]) -> Table:
    """Return a table of each system's change in MAP with less input, as in Table 5."""
    from tatian.statistics import Column, Table

    rows: list[list[Cell]] = []
    for name, scores in systems.items():
        if "all" not in scores:
            raise InputError(f"the system '{name}' is there with parts of its input only")
        full_map = scores["all"].value("map")
        losses: list[Cell] = [
            scores[inputs].value("map") - full_map if inputs in scores else None for inputs in SHOWN
        ]
        rows.append([f"{name} ({full_map:.3f})", *losses])
    columns = [Column(column, precision=3, signed=True) for column in SHOWN.values()]
    return Table.of(["Method", *columns], rows)


def paper_name(metric: str) -> str:
    """Return a metric's name as the papers write it."""
    return metric.upper() if metric in ("map", "mrr") or metric.startswith("r@") else metric
