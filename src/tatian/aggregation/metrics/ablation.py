"""Tables of systems as in the papers: results, and what each loses when it sees less (§6.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, get_args

from msgspec.structs import replace

from tatian.aggregation.data.records import Instance
from tatian.errors import InputError
from tatian.scoring.comparison import LEVEL, MARK, standing

if TYPE_CHECKING:
    from tatian.aggregation.metrics.ranking import RankingScores
    from tatian.statistics import Cell, Table

Inputs = Literal["all", "context", "background", "entities"]
INPUTS: tuple[Inputs, ...] = get_args(Inputs)
"""Beside the entities' names: everything, the context, the background, or nothing."""
SHOWN: dict[Inputs, str] = {
    "context": "context, entities",
    "background": "info., entities",
    "entities": "entities",
}
"""The columns of Table 5."""


NOTE = (
    f"{MARK} worse than the best of its column: p < {LEVEL}, approximate randomization, "
    "corrected for the number of systems (Holm)"
)
LOSSES = "MAP less that of the full system, which stands in brackets: negative where input helps"


def only(instance: Instance, inputs: Inputs) -> Instance:
    """The instance without the title and excerpt, without background, or without both."""
    if inputs in ("context", "entities"):
        instance = replace(instance, background={})
    if inputs in ("background", "entities"):
        instance = replace(instance, title="", context="")
    return instance


def results(systems: Mapping[str, RankingScores]) -> Table:
    """A row for each system, as in Table 4 (test) and Table 14 (validation) of the paper.

    The best figures are bold; those that differ from the best by more than chance are marked, as
    `NOTE` says.
    """
    from tatian.statistics import Column

    metrics = next(iter(systems.values())).metrics if systems else ()
    columns = {metric: Column(shown(metric), precision=3, best="max") for metric in metrics}
    found = standing(systems, columns, test="randomization")
    return found.table(called="Method", errors=False)


def ablations(systems: Mapping[str, Mapping[Inputs, RankingScores]]) -> Table:
    """A row for each system, as in Table 5: what it loses of MAP when it sees less.

    The full system's figure stands in brackets after its name; a system that was not tried with
    some input has a gap there.
    """
    from tatian.statistics import Column, Table

    rows: list[list[Cell]] = []
    for name, found in systems.items():
        if "all" not in found:
            raise InputError(f"the system '{name}' is there with parts of its input only")
        whole = found["all"].value("map")
        losses: list[Cell] = [
            found[inputs].value("map") - whole if inputs in found else None for inputs in SHOWN
        ]
        rows.append([f"{name} ({whole:.3f})", *losses])
    columns = [Column(column, precision=3, signed=True) for column in SHOWN.values()]
    return Table.of(["Method", *columns], rows)


def shown(metric: str) -> str:
    """A metric as the papers write it."""
    return metric.upper() if metric in ("map", "mrr") or metric.startswith("r@") else metric
