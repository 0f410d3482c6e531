"""Significance tests between two systems, or between several and the best of them.

Differences are tested item by item. If several systems are compared, each with the best of a metric
or with a chosen one, p-values are corrected for their number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

from msgspec import Struct

from tatian.errors import InputError
from tatian.scoring.scores import Average, Scores

if TYPE_CHECKING:
    from tatian.statistics import Cell, Column, Comparison, Score, Table

Test = Literal["bootstrap", "randomization"]
TESTS: tuple[Test, ...] = get_args(Test)
SIGNIFICANCE_LEVEL = 0.05
MARK = "†"
"""Sign of a significant difference in a table."""


def compare(
    first: Scores,
    second: Scores,
    metric: str,
    *,
    average: Average = "micro",
    test: Test = "randomization",
) -> Comparison:
    """Test the difference between two systems on the same items, by one metric."""
    return _test_pair(first.score(metric, average), second.score(metric, average), test)


def compare_all(
    first: Scores, second: Scores, *, average: Average = "micro", test: Test = "randomization"
) -> list[Comparison]:
    """Compare two systems by every metric that both have."""
    return [
        compare(first, second, metric, average=average, test=test)
        for metric in first.metrics
        if metric in second.metrics
    ]


class Tested(Struct, frozen=True):
    """Test of one system against the baseline, by one metric."""

    metric: str
    system: str
    baseline: str
    comparison: Comparison
    p_value: float
    """Corrected for the number of systems tested on this metric."""

    @property
    def significant(self) -> bool:
        """True if the corrected p-value is below `SIGNIFICANCE_LEVEL`."""
        return self.p_value < SIGNIFICANCE_LEVEL


class SystemComparison(Struct, frozen=True):
    """Several systems on the same items, with tests of their differences.

    Make one with `compare_systems`.
    """

    systems: dict[str, Scores]
    columns: dict[str, Column]
    """Column in which each metric is shown."""
    tests: tuple[Tested, ...]
    test: Test

    @property
    def note(self) -> str:
        """Explanation of the marks."""
        items = len(next(iter(self.systems.values())).ids)
        baselines = {test.baseline for test in self.tests}
        baseline_name = "the best" if len(baselines) != 1 else f"'{baselines.pop()}'"
        method = {"bootstrap": "paired bootstrap", "randomization": "approximate randomization"}
        parts = [f"per cent ± standard error over {items} items"]
        if len(self.systems) > 1:
            parts[0] += "; bold or * the best of its column"
        if self.tests:
            test = f"p < {SIGNIFICANCE_LEVEL}, {method[self.test]}, holm"
            parts.append(f"{MARK} differs from {baseline_name} ({test})")
        return "; ".join(parts)

    def table(
        self,
        title: str = "",
        extra: Mapping[str, Sequence[Cell]] | None = None,
        *more: Column,
        called: str = "system",
        errors: bool = True,
    ) -> Table:
        """Return systems as rows, metrics as columns; `extra` cells stand under `more` columns."""
        from tatian.statistics import Column, Marked, Table

        marked = {(test.system, test.metric) for test in self.tests if test.significant}
        rows: list[list[Cell]] = []
        for name, scores in self.systems.items():
            row: list[Cell] = [name, *(extra or {}).get(name, ())]
            for metric in self.columns:
                figure = scores[metric] if errors else scores[metric].value
                row.append(Marked(figure, MARK) if (name, metric) in marked else figure)
            rows.append(row)
        return Table.of([Column(called), *more, *self.columns.values()], rows, title)

    def to_json(self) -> dict[str, Any]:
        """Return JSON data, with numbers unrounded and unscaled."""
        return {
            "systems": {
                system: {metric: score.to_json() for metric, score in scores.items()}
                for system, scores in self.systems.items()
            },
            "test": self.test,
            "correction": "holm",
            "tests": [
                {
                    "metric": test.metric,
                    "system": test.system,
                    "baseline": test.baseline,
                    "difference": test.comparison.difference,
                    "p_value": test.comparison.p_value,
                    "p_corrected": test.p_value,
                    "significant": test.significant,
                }
                for test in self.tests
            ],
        }


def compare_systems(
    systems: Mapping[str, Scores],
    columns: Mapping[str, Column],
    *,
    baseline: str | None = None,
    test: Test = "bootstrap",
) -> SystemComparison:
    """Compare scored systems; `columns` says how each metric is shown."""
    if not systems:
        raise InputError("no systems to compare")
    if baseline is not None and baseline not in systems:
        raise InputError(f"no system '{baseline}' to compare with: there are {', '.join(systems)}")
    shown = {metric: columns[metric] for metric in next(iter(systems.values())).metrics}
    tests: list[Tested] = []
    for metric, column in shown.items():
        figures = {system: scores[metric] for system, scores in systems.items()}
        reference = baseline or _best(column, figures)
        if reference is not None:
            tests += _test_all(metric, figures, reference, test)
    return SystemComparison(dict(systems), shown, tuple(tests), test)


def _test_all(metric: str, scores: Mapping[str, Score], baseline: str, test: Test) -> list[Tested]:
    from tatian.statistics import correct_p_values

    others = [system for system in scores if system != baseline]
    comparisons = [_test_pair(scores[system], scores[baseline], test) for system in others]
    p_values = correct_p_values([comparison.p_value for comparison in comparisons])
    return [
        Tested(metric, system, baseline, comparison, p_value)
        for system, comparison, p_value in zip(others, comparisons, p_values, strict=True)
    ]


def _test_pair(first: Score, second: Score, test: Test) -> Comparison:
    from tatian.statistics import approximate_randomization, paired_bootstrap

    return (paired_bootstrap if test == "bootstrap" else approximate_randomization)(first, second)


def _best(column: Column, scores: Mapping[str, Score]) -> str | None:
    """Return the system with the best value; None if no value is better than another."""
    match column.best:
        case "max":
            return max(scores, key=lambda system: scores[system].value)
        case "min":
            return min(scores, key=lambda system: scores[system].value)
        case "zero":
            return min(scores, key=lambda system: abs(scores[system].value))
        case None:
            return None
