"""The figures of one response: per document, in total, with their uncertainty."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, get_args

from msgspec import Struct

import tatian
from tatian.errors import EmptyInput
from tatian.scoring.known import METRICS
from tatian.scoring.metric import Counts, Rates

if TYPE_CHECKING:
    from tatian.statistics import Aggregate, Comparison, Score

Average = Literal["micro", "macro"]
Test = Literal["bootstrap", "randomization"]
TESTS: tuple[Test, ...] = get_args(Test)


class Counted(Struct, frozen=True):
    """The counts of one document, by the name of the metric."""

    id: str
    counts: dict[str, Counts]
    partner: str = ""
    """What the response calls the document, where that is known."""

    def rates(self, metric: str) -> Rates:
        """The figures of this document alone."""
        return METRICS[metric].rates(self.counts[metric])


class Scores(Struct, frozen=True):
    """How well a response agrees with a key; make one with `score`."""

    documents: tuple[Counted, ...]
    options: dict[str, str]
    """How mentions were matched, and whether single mentions counted."""
    data: str
    """The fingerprint of the key."""
    types: dict[str, dict[str, Counts]] = {}
    """Counts by type of mention, then by metric, where they were asked for."""
    repeats: tuple[int, int] = (0, 0)
    """Mentions that the key, then the response, had twice and that counted once."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics."""
        return tuple(self.documents[0].counts)

    def rates(self, metric: str, average: Average = "micro") -> Rates:
        """One metric over all documents.

        Micro adds the documents' counts up, as the reference scorer does; macro is the mean of
        the documents' figures, where a document in which neither side has anything to count is 1.
        """
        if average == "micro":
            return METRICS[metric].rates(added(one.counts[metric] for one in self.documents))
        each = [_alone(metric, one.counts[metric]) for one in self.documents]
        return Rates(*(sum(values) / len(each) for values in zip(*each, strict=True)))

    def all_rates(self, average: Average = "micro") -> dict[str, Rates]:
        """Every metric over all documents."""
        return {metric: self.rates(metric, average) for metric in self.metrics}

    def type_rates(self) -> dict[str, dict[str, Rates]]:
        """The metrics that are sums over mentions, by type of mention."""
        return {
            kind: {metric: METRICS[metric].rates(found) for metric, found in counts.items()}
            for kind, counts in self.types.items()
        }

    def score(self, metric: str, average: Average = "micro") -> Score:
        """The F1 of one metric with its bootstrap error, interval and signature."""
        from tatian.statistics import Score, mean

        aggregate = f1_of(metric) if average == "micro" else mean
        rows: list[Sequence[float]] = [one.counts[metric] for one in self.documents]
        if average == "macro":
            rows = [[_alone(metric, row).f1] for row in rows]
        return Score.of(
            metric,
            rows,
            aggregate,
            ids=[one.id for one in self.documents],
            data=self.data,
            options={**self.options, "average": average},
        )

    def signature(self, average: Average = "micro") -> str:
        """One line that says how the figures were made; equal lines mean comparable figures."""
        fields = {
            **self.options,
            "average": average,
            "n": len(self.documents),
            "data": self.data,
            "version": tatian.__version__,
        }
        return "|".join(["coref", *(f"{name}:{value}" for name, value in fields.items())])

    def to_json(self, average: Average = "micro") -> dict[str, Any]:
        """Plain data: recall, precision and F1 of every metric."""
        return {name: rates._asdict() for name, rates in self.all_rates(average).items()}


def compare(
    first: Scores, second: Scores, average: Average = "micro", test: Test = "bootstrap"
) -> list[Comparison]:
    """Whether one response is better than another to the same key, for each metric."""
    from tatian.statistics import approximate_randomization, paired_bootstrap

    decide = paired_bootstrap if test == "bootstrap" else approximate_randomization
    return [
        decide(first.score(metric, average), second.score(metric, average))
        for metric in first.metrics
        if metric in second.metrics
    ]


def added(counts: Iterable[Counts]) -> Counts:
    """Several documents as one."""
    columns = zip(*counts, strict=True)
    found = tuple(sum(column) for column in columns)
    if not found:
        raise EmptyInput("no documents to score")
    return found


def _alone(metric: str, counts: Sequence[float]) -> Rates:
    return METRICS[metric].rates(counts) if any(counts) else Rates(1.0, 1.0, 1.0)


@cache
def f1_of(metric: str) -> Aggregate:
    """What turns tables of a metric's counts into its F1, the same object every time."""
    import numpy as np

    rates: Callable[[Sequence[float]], Rates] = METRICS[metric].rates

    def f1(statistics: Any) -> Any:
        totals = statistics.sum(axis=-2)
        values = [rates(row).f1 for row in totals.reshape(-1, totals.shape[-1]).tolist()]
        return np.array(values).reshape(totals.shape[:-1])

    return f1
