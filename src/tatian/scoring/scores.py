"""Scores of one system: the counts of each metric in each item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct

import tatian
from tatian.errors import EmptyInput, InputError
from tatian.progress import Progress, silent
from tatian.scoring.metric import Counts, Metric, Rates, T
from tatian.text import Document

if TYPE_CHECKING:
    from tatian.statistics import Score

Average = Literal["micro", "macro"]
_MAX_NAMED_DOCUMENTS = 5
"""Maximum number of documents that an error message names."""


class Scores(Struct, frozen=True, dict=True):
    """Scores of one system by some metrics; every step has a function that makes one.

    ``scores["muc"]`` is the figure with its error, interval and signature.
    """

    heading: str
    """Beginning of signatures."""
    ids: tuple[str, ...]
    """Ids of the items: documents, texts, instances."""
    used: tuple[Metric[Any], ...]
    counts: dict[str, tuple[Counts, ...]]
    """Counts of each metric, by name, in each item."""
    options: dict[str, str]
    """Options by which the items were made."""
    data: str
    """Fingerprint of the data scored against."""
    prefix: str = ""
    """Prefix of a metric's name, to distinguish the figures of several tasks."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics."""
        return tuple(metric.name for metric in self.used)

    def metric(self, name: str) -> Metric[Any]:
        """Return the metric of that name."""
        for metric in self.used:
            if metric.name == name:
                return metric
        raise InputError(f"no metric '{name}': there are {', '.join(self.metrics)}")

    def rates(self, metric: str, average: Average = "micro") -> Rates:
        """Return recall, precision and F1 over all items.

        Micro adds up the counts of the items, as the reference scorers do. Macro is the mean of the
        items' figures; an item in which neither side has anything counts as 1, as in GERBIL.
        """
        chosen, rows = self.metric(metric), self.counts[metric]
        if average == "macro":
            return Rates.mean([_item_rates(chosen, row) for row in rows])
        return chosen.rates_of(add_counts(rows))

    def value(self, metric: str) -> float:
        """Return the figure over all items: F1 if it has recall and precision."""
        chosen, rows = self.metric(metric), self.counts[metric]
        if chosen.rates:
            return chosen.rates(add_counts(rows)).f1
        if chosen.ratio:
            return chosen.ratio(add_counts(rows))
        return sum(row[0] for row in rows) / len(rows)

    def plain(self, metric: str, average: Average = "micro") -> dict[str, float]:
        """Return recall, precision and F1 over all items, or the one figure."""
        if self.metric(metric).rates:
            return self.rates(metric, average)._asdict()
        return {"value": self.value(metric)}

    def each(self, metric: str) -> list[Rates]:
        """Return recall, precision and F1 of each item."""
        return [self.metric(metric).rates_of(row) for row in self.counts[metric]]

    def all_rates(self, average: Average = "micro") -> dict[str, Rates]:
        """Return recall, precision and F1 by metric, over all items."""
        return {metric: self.rates(metric, average) for metric in self.metrics}

    def score(self, metric: str, average: Average = "micro") -> Score:
        """Return a metric's figure or F1, with error, bootstrap interval and signature."""
        from tatian.statistics import Score, mean

        chosen = self.metric(metric)
        rows: Sequence[Sequence[float]] = self.counts[metric]
        options, aggregate = {**self.options, **chosen.options}, chosen.aggregate
        if chosen.rates:
            options["average"] = average
            if average == "macro":
                rows, aggregate = [[_item_rates(chosen, row).f1] for row in rows], mean
        name = f"{self.prefix}{metric}"
        return Score.of(name, rows, aggregate, ids=self.ids, data=self.data, options=options)

    @cached_property
    def _scores(self) -> dict[str, Score]:
        return {metric: self.score(metric) for metric in self.metrics}

    def __getitem__(self, metric: str) -> Score:
        return self._scores[self.metric(metric).name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.metrics)

    def items(self) -> Iterable[tuple[str, Score]]:
        """Return every metric's name with its figure."""
        return self._scores.items()

    def values(self) -> Iterable[Score]:
        """Return the figures."""
        return self._scores.values()

    def signature(self, average: Average | None = None) -> str:
        """Return one line that says how the figures were computed; equal lines are comparable."""
        fields: dict[str, object] = {**self.options}
        if average:
            fields["average"] = average
        fields |= {"n": len(self.ids), "data": self.data, "version": tatian.__version__}
        return "|".join([self.heading, *(f"{name}:{value}" for name, value in fields.items())])

    def to_json(self) -> dict[str, Any]:
        """Return figures as JSON data, in fractions of 1, unrounded."""
        return {
            **{name: score.value for name, score in self.items()},
            "standard_errors": {name: score.standard_error for name, score in self.items()},
            "intervals": {
                name: msgspec.to_builtins(score.interval) for name, score in self.items()
            },
            "instances": len(self.ids),
            "signature": self.signature(),
        }


def count_items(
    items: Sequence[T], metrics: Iterable[Metric[T]], progress: Progress = silent
) -> dict[str, tuple[Counts, ...]]:
    """Return the counts of each metric in each item."""
    if not items:
        raise EmptyInput("nothing to score")
    return {
        metric.name: tuple(
            metric.batch(items, progress) if metric.batch else map(metric.count, items)
        )
        for metric in metrics
    }


def add_counts(counts: Iterable[Counts]) -> Counts:
    """Add up the counts of several items."""
    sums = tuple(sum(column) for column in zip(*counts, strict=True))
    if not sums:
        raise EmptyInput("nothing to score")
    return sums


def _item_rates(metric: Metric[Any], counts: Sequence[float]) -> Rates:
    """Return the rates of one item; if nothing is gold or predicted, they are 1."""
    return metric.rates_of(counts) if any(counts) else Rates(1.0, 1.0, 1.0)


def pair_up(
    key: Sequence[Document],
    response: Sequence[Document],
    sides: tuple[str, str] = ("key", "response"),
) -> list[tuple[Document, Document]]:
    """Pair the documents of both sides, in the order of the key; all must have a partner."""
    places = partners([item.id for item in key], [item.id for item in response], sides)
    return [(document, response[place]) for document, place in zip(key, places, strict=True)]


def partners(
    key: Sequence[str], response: Sequence[str], sides: tuple[str, str] = ("key", "response")
) -> list[int]:
    """Return for each document of the key the place of the response's document with its id.

    A single document on each side is paired with any ids. Two files that do not hold the same
    documents, each once, are refused; `sides` names them for users.
    """
    if len(key) == len(response) == 1:
        return [0]
    for side, ids in zip(sides, (key, response), strict=True):
        if twice := [id for id, count in Counter(ids).items() if count > 1]:
            raise InputError(f"the {side} has two documents called '{twice[0]}'")
    places = {id: place for place, id in enumerate(response)}
    key_ids = set(key)
    for side, missing in (
        (sides[1], [id for id in key if id not in places]),
        (sides[0], [id for id in response if id not in key_ids]),
    ):
        if missing:
            shown = ", ".join(f"'{id}'" for id in missing[:_MAX_NAMED_DOCUMENTS])
            unnamed = len(missing) - _MAX_NAMED_DOCUMENTS
            more = f" and {unnamed} more" if unnamed > 0 else ""
            documents = f"document{'s' if len(missing) > 1 else ''} {shown}{more}"
            raise InputError(f"the {side} lacks {documents}: documents are paired by their ids")
    return [places[id] for id in key]
