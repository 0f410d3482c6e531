"""Systems side by side in the shape of the papers' tables."""

from __future__ import annotations

from collections.abc import Mapping

from tatian.aggregation.metrics.inputs import SHOWN, Inputs
from tatian.aggregation.metrics.scores import Scores, compare
from tatian.errors import InputError
from tatian.statistics import Cell, Column, Marked, Table, corrected

NAMES = {"map": "MAP", "mrr": "MRR"}
MARK = "†"
LEVEL = 0.05
NOTE = (
    f"{MARK} worse than the best of its column: p < {LEVEL}, approximate randomization, "
    "corrected for the number of systems (Holm)"
)


LOSSES = "MAP less that of the full system, which stands in brackets: negative where input helps"


def results(systems: Mapping[str, Scores], *, errors: bool = False, title: str = "") -> Table:
    """A row for each system, as in Table 4 (test) and Table 14 (validation) of the paper.

    The best figures are bold; those that differ from the best by more than chance are marked, as
    `NOTE` says.
    """
    if not systems:
        raise InputError("no system to show")
    measures = next(iter(systems.values())).measures
    behind = {measure: worse(systems, measure) for measure in measures}
    rows: list[list[Cell]] = []
    for name, scores in systems.items():
        row: list[Cell] = [name]
        for measure in measures:
            value = scores.score(measure) if errors else scores.mean(measure)
            row.append(Marked(value, MARK) if name in behind[measure] else value)
        rows.append(row)
    columns = [Column(shown(measure), precision=3, best="max") for measure in measures]
    return Table.of(["Method", *columns], rows, title)


def ablations(
    systems: Mapping[str, Mapping[Inputs, Scores]], measure: str = "map", *, title: str = ""
) -> Table:
    """A row for each system, as in Table 5: what it loses when it sees less.

    The full system's figure stands in brackets after its name; a system that was not tried with
    some input has a gap there.
    """
    if not systems:
        raise InputError("no system to show")
    rows: list[list[Cell]] = []
    for name, found in systems.items():
        if "all" not in found:
            raise InputError(f"the system '{name}' is there with parts of its input only")
        whole = found["all"].mean(measure)
        losses: list[Cell] = [
            found[inputs].mean(measure) - whole if inputs in found else None for inputs in SHOWN
        ]
        rows.append([f"{name} ({whole:.3f})", *losses])
    columns = [Column(column, precision=3, signed=True) for column in SHOWN.values()]
    return Table.of(["Method", *columns], rows, title)


def worse(systems: Mapping[str, Scores], measure: str) -> frozenset[str]:
    """The systems that are below the best by more than chance explains."""
    best = max(systems, key=lambda name: systems[name].mean(measure))
    others = [name for name in systems if name != best]
    values = [compare(systems[best], systems[name], measure).p_value for name in others]
    return frozenset(
        name for name, p_value in zip(others, corrected(values), strict=True) if p_value < LEVEL
    )


def shown(measure: str) -> str:
    """A measure as the papers write it."""
    return measure.upper() if measure.startswith("r@") else NAMES.get(measure, measure)
