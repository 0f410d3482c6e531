"""What the figures of rankings and of generations share: intervals, tests, plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

import msgspec

if TYPE_CHECKING:
    from tatian.statistics import Comparison, Score

Test = Literal["bootstrap", "randomization"]
TESTS: tuple[Test, ...] = get_args(Test)


class Figures(Protocol):
    """The measures of one system on one task."""

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of all measures."""
        ...

    def score(self, measure: str) -> Score:
        """One measure with its error, interval and signature."""
        ...

    def to_json(self) -> dict[str, Any]:
        """Plain data, fractions of 1, unrounded."""
        ...

    def signature(self) -> str:
        """One line that says how the figures were made; equal lines mean comparable figures."""
        ...


def plain(figures: Figures, instances: int) -> dict[str, Any]:
    """Fractions of 1, unrounded; a single instance has neither errors nor intervals."""
    scores = {measure: figures.score(measure) for measure in figures.measures}
    return {
        **{name: score.value for name, score in scores.items()},
        "standard_errors": {name: score.standard_error for name, score in scores.items()},
        "intervals": {name: msgspec.to_builtins(one.interval) for name, one in scores.items()},
        "instances": instances,
        "signature": figures.signature(),
    }


def compare(
    first: Figures, second: Figures, measure: str, *, test: Test = "randomization"
) -> Comparison:
    """Whether one system is better than another on the same task, or was lucky."""
    from tatian.statistics import approximate_randomization, paired_bootstrap

    decide = paired_bootstrap if test == "bootstrap" else approximate_randomization
    return decide(first.score(measure), second.score(measure))
