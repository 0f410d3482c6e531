"""Several systems on the same items, side by side: the shape of the paper's Table 4.

Whether a difference is more than luck is tested item by item, against the best system of each
metric or against one that is chosen, and corrected for the number of systems compared.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from tatian.errors import InputError
from tatian.progress import Progress, silent
from tatian.statistics import (
    Cell,
    Column,
    Comparison,
    Correction,
    Marked,
    Score,
    Table,
    approximate_randomization,
    corrected,
    paired_bootstrap,
)
from tatian.union.data import Instance
from tatian.union.metrics.scoring import USUAL, Family, score

Test = Literal["bootstrap", "randomization"]
LEVEL = 0.05
MARK = "†"

COLUMNS: dict[str, Column] = {
    "rouge1": Column("ROUGE-1", precision=1, scale=100, best="max"),
    "rouge2": Column("ROUGE-2", precision=1, scale=100, best="max"),
    "rougeL": Column("ROUGE-L", precision=1, scale=100, best="max"),
    "nli": Column("NLI", precision=1, scale=100, best="max"),
    "delta_cr": Column("ΔCR", precision=1, scale=100, signed=True, best="zero"),
    "delta_cr_abs": Column("|ΔCR|", precision=1, scale=100, best="min"),
    "coverage": Column("coverage", precision=1, scale=100, best="max"),
    "faithfulness": Column("faithfulness", precision=1, scale=100, best="max"),
    "redundancy": Column("redundancy", precision=1, scale=100, best="max"),
    "novel1": Column("novel words", precision=1, scale=100),
    "novel2": Column("novel pairs", precision=1, scale=100),
    "novel3": Column("novel triples", precision=1, scale=100),
    "definition": Column("definition", precision=1, scale=100, best="max"),
}
"""How each metric is shown: per cent, with the best value in bold."""

_TESTS: dict[Test, Callable[[Score, Score], Comparison]] = {
    "bootstrap": paired_bootstrap,
    "randomization": approximate_randomization,
}


class Tested(Struct, frozen=True):
    """One system against the baseline of one metric."""

    metric: str
    system: str
    baseline: str
    comparison: Comparison
    p_value: float
    """Corrected for the number of systems tested on this metric."""

    @property
    def significant(self) -> bool:
        """Whether chance explains so large a difference less often than one time in twenty."""
        return self.p_value < LEVEL


class Standing(Struct, frozen=True):
    """The scores of several systems, and which differences between them are more than luck."""

    scores: dict[str, dict[str, Score]]
    """By system, then by metric."""
    tests: tuple[Tested, ...]
    test: Test
    correction: Correction

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics, in the order of the table."""
        return list(next(iter(self.scores.values())))

    @property
    def note(self) -> str:
        """What the marks mean."""
        items = next(iter(next(iter(self.scores.values())).values())).signature.items
        baselines = {one.baseline for one in self.tests}
        against = "the best" if len(baselines) != 1 else f"'{baselines.pop()}'"
        method = {"bootstrap": "paired bootstrap", "randomization": "approximate randomization"}
        parts = [f"per cent ± standard error over {items} items"]
        if len(self.scores) > 1:
            parts[0] += "; bold or * the best of its column"
        if self.tests:
            correction = "uncorrected" if self.correction == "none" else self.correction
            parts.append(
                f"{MARK} differs from {against} (p < {LEVEL}, {method[self.test]}, {correction})"
            )
        return "; ".join(parts)

    def table(
        self, title: str = "", extra: Mapping[str, Sequence[Cell]] | None = None, *more: Column
    ) -> Table:
        """Systems as rows, metrics as columns; `extra` cells of a system under `more` columns."""
        marks = {(one.system, one.metric): MARK for one in self.tests if one.significant}
        rows: list[list[Cell]] = []
        for system, scores in self.scores.items():
            cells: list[Cell] = [
                Marked(one, marks.get((system, metric), "")) for metric, one in scores.items()
            ]
            rows.append([system, *(extra or {}).get(system, ()), *cells])
        columns = [Column("system"), *more, *(COLUMNS[metric] for metric in self.metrics)]
        return Table.of(columns, rows, title)

    def test_table(self, title: str = "") -> Table:
        """Every test with its difference, interval and p-value."""
        columns: list[Column | str] = [
            "metric",
            "system",
            "baseline",
            Column("difference", precision=1, scale=100, signed=True),
            Column("from", precision=1, scale=100, signed=True),
            Column("to", precision=1, scale=100, signed=True),
            Column("p", precision=4),
            Column("p corrected", precision=4),
        ]
        rows: list[list[Cell]] = []
        for one in self.tests:
            found = one.comparison
            low, high = (
                (found.interval.low, found.interval.high) if found.interval else (None, None)
            )
            name = COLUMNS[one.metric].name
            pair = [name, one.system, one.baseline]
            rows.append([*pair, found.difference, low, high, found.p_value, one.p_value])
        return Table.of(columns, rows, title)

    def to_json(self) -> dict[str, Any]:
        """Plain data, numbers unrounded and unscaled."""
        return {
            "systems": {
                system: {metric: one.to_json() for metric, one in scores.items()}
                for system, scores in self.scores.items()
            },
            "test": self.test,
            "correction": self.correction,
            "tests": [
                {
                    "metric": one.metric,
                    "system": one.system,
                    "baseline": one.baseline,
                    "difference": one.comparison.difference,
                    "p_value": one.comparison.p_value,
                    "p_corrected": one.p_value,
                    "significant": one.significant,
                }
                for one in self.tests
            ],
        }


def compare(
    gold: Sequence[Instance],
    systems: Mapping[str, Sequence[Instance]],
    families: Collection[Family] = USUAL,
    *,
    baseline: str | None = None,
    test: Test = "bootstrap",
    correction: Correction = "holm",
    nli_model: str | None = None,
    progress: Progress = silent,
) -> Standing:
    """Score every system's unions of the gold instances and test the differences."""
    scores = {
        name: score(gold, predicted, families, nli_model=nli_model, progress=progress, name=name)
        for name, predicted in systems.items()
    }
    return standing(scores, baseline=baseline, test=test, correction=correction)


def standing(
    scores: Mapping[str, Mapping[str, Score]],
    *,
    baseline: str | None = None,
    test: Test = "bootstrap",
    correction: Correction = "holm",
) -> Standing:
    """The same of systems that have been scored: by system, then by metric."""
    if not scores:
        raise InputError("no systems to compare")
    if baseline is not None and baseline not in scores:
        raise InputError(f"no system '{baseline}' to compare with: there are {', '.join(scores)}")
    tests: list[Tested] = []
    for metric in next(iter(scores.values())):
        column = {system: found[metric] for system, found in scores.items()}
        tests += _tested(metric, column, baseline, test, correction)
    kept = {system: dict(found) for system, found in scores.items()}
    return Standing(kept, tuple(tests), test, correction)


def _tested(
    metric: str, column: Mapping[str, Score], baseline: str | None, test: Test, method: Correction
) -> list[Tested]:
    chosen = baseline or _best(metric, column)
    if chosen is None:
        return []
    others = [system for system in column if system != chosen]
    found = [_TESTS[test](column[system], column[chosen]) for system in others]
    p_values = corrected([one.p_value for one in found], method)
    return [
        Tested(metric, system, chosen, one, p_value)
        for system, one, p_value in zip(others, found, p_values, strict=True)
    ]


def _best(metric: str, column: Mapping[str, Score]) -> str | None:
    """The system with the best value; None where no value is better than another."""
    match COLUMNS[metric].best:
        case "max":
            return max(column, key=lambda system: column[system].value)
        case "min":
            return min(column, key=lambda system: column[system].value)
        case "zero":
            return min(column, key=lambda system: abs(column[system].value))
        case None:
            return None
