"""The figures of one system: per text, in total, by group, with their uncertainty."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from msgspec import Struct

import tatian

if TYPE_CHECKING:
    from tatian.statistics import Comparison, Score


Task = Literal["full", "detection", "linking"]
TASKS: tuple[Task, ...] = get_args(Task)
Average = Literal["micro", "macro"]
Test = Literal["bootstrap", "randomization"]
TESTS: tuple[Test, ...] = get_args(Test)


class Counted(Struct, frozen=True):
    """The counts of one text."""

    id: str
    full: Counts
    detection: Counts
    linking: Counts

    def of(self, task: Task) -> Counts:
        """Those of one task."""
        return {"full": self.full, "detection": self.detection, "linking": self.linking}[task]


class Scores(Struct, frozen=True):
    """How well predictions agree with gold; make one with `score`."""

    texts: tuple[Counted, ...]
    options: dict[str, str]
    data: str
    """The fingerprint of the gold."""
    groups: dict[str, Counts] = {}
    """The full task by group, where that was asked for."""
    coverage: tuple[int, int] | None = None
    """Gold mentions with a page in the base, of those with a page, where a base was given."""

    @property
    def precision(self) -> float:
        """Of the predicted links, the share that are right."""
        return self.rates().precision

    @property
    def recall(self) -> float:
        """Of the gold mentions, the share that were found."""
        return self.rates().recall

    @property
    def f1(self) -> float:
        """The harmonic mean of the two."""
        return self.rates().f1

    @property
    def accuracy(self) -> float:
        """Of the gold mentions that were matched and linked, the share whose best page is right."""
        return self.rates("linking").f1

    def counts(self, task: Task = "full") -> Counts:
        """All texts together."""
        return added(text.of(task) for text in self.texts)

    def rates(self, task: Task = "full", average: Average = "micro") -> Rates:
        """One task over all texts.

        Micro adds the texts' counts up; macro is the mean of the texts' figures, where a text in
        which neither side has anything counts as 1 (as GERBIL has it).
        """
        if average == "micro":
            return self.counts(task).rates
        each = [text.of(task).alone for text in self.texts]
        return Rates(*(sum(values) / len(each) for values in zip(*each, strict=True)))

    def score(self, task: Task = "full", average: Average = "micro") -> Score:
        """The F1 of one task with its bootstrap error, interval and signature."""
        from tatian.statistics import Score, mean

        counts = [text.of(task) for text in self.texts]
        return Score.of(
            f"mentions.{task}",
            counts if average == "micro" else [one.alone.f1 for one in counts],
            micro_f1 if average == "micro" else mean,
            ids=[text.id for text in self.texts],
            data=self.data,
            options={**self.options, "average": average},
        )

    def signature(self) -> str:
        """One line that says how the figures were made; equal lines mean comparable figures."""
        fields = {
            **self.options,
            "n": len(self.texts),
            "data": self.data,
            "version": tatian.__version__,
        }
        return "|".join(["mentions", *(f"{name}:{value}" for name, value in fields.items())])

    def to_json(self) -> dict[str, Any]:
        """Plain data, fractions of 1, unrounded."""
        linking = self.counts("linking")
        plain: dict[str, Any] = {
            **self.rates()._asdict(),
            "macro": self.rates("full", "macro")._asdict(),
            "detection": {
                **self.rates("detection")._asdict(),
                "macro": self.rates("detection", "macro")._asdict(),
            },
            "linking": {
                "accuracy": linking.rates.f1,
                "right": linking.right,
                "mentions": linking.gold,
            },
            "counts": self.counts()._asdict(),
            "texts": len(self.texts),
        }
        if self.coverage is not None:
            covered, total = self.coverage
            share = covered / total if total else None
            plain["coverage"] = {"covered": covered, "gold": total, "share": share}
        if self.groups:
            plain["by"] = {
                group: {**counts.rates._asdict(), "counts": counts._asdict()}
                for group, counts in self.groups.items()
            }
        return plain | {"signature": self.signature()}


def compare(
    first: Scores,
    second: Scores,
    *,
    task: Task = "full",
    average: Average = "micro",
    test: Test = "randomization",
) -> Comparison:
    """Whether one system is better than another on the same gold, by F1."""
    from tatian.statistics import approximate_randomization, paired_bootstrap

    decide = paired_bootstrap if test == "bootstrap" else approximate_randomization
    return decide(first.score(task, average), second.score(task, average))


class Rates(NamedTuple):
    """Three figures, fractions of 1."""

    precision: float
    recall: float
    f1: float


class Counts(NamedTuple):
    """What precision is of, and what recall is of: the two can differ in what they count.

    A gold mention with two right pages, both predicted, is one mention found by two right links.
    """

    right: int = 0
    """Predicted links that are right."""
    predicted: int = 0
    found: int = 0
    """Gold mentions that were found."""
    gold: int = 0

    @property
    def rates(self) -> Rates:
        """Precision, recall and F1; zero where there is nothing to divide by."""
        precision = self.right / self.predicted if self.predicted else 0.0
        recall = self.found / self.gold if self.gold else 0.0
        both = precision + recall
        return Rates(precision, recall, 2 * precision * recall / both if both else 0.0)

    @property
    def alone(self) -> Rates:
        """The same for one text by itself, where silence about nothing is right."""
        return self.rates if self.predicted or self.gold else Rates(1.0, 1.0, 1.0)


def added(counts: Iterable[Counts]) -> Counts:
    """Several texts, or groups, as one."""
    columns = list(zip(*counts, strict=True))
    return Counts(*(sum(column) for column in columns)) if columns else Counts()


def micro_f1(statistics: Any) -> Any:
    """An aggregate of `tatian.statistics` over rows of `Counts`: F1 over all texts together."""
    import numpy as np

    totals = statistics.sum(axis=-2)
    right, predicted, found, gold = (totals[..., column] for column in range(4))
    zero = np.zeros_like(right)
    precision = np.divide(right, predicted, out=zero.copy(), where=predicted > 0)
    recall = np.divide(found, gold, out=zero.copy(), where=gold > 0)
    both = precision + recall
    return np.divide(2 * precision * recall, both, out=zero.copy(), where=both > 0)
