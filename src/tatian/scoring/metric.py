"""Metrics: Tatian's by name, those of other packages by entry point or path.

Another package adds one under the entry point group ``tatian.metrics``::

    [project.entry-points."tatian.metrics"]
    pairwise = "my_metrics:PAIRWISE"
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar

from msgspec import Struct

from tatian.errors import TatianError
from tatian.registry import Registry

if TYPE_CHECKING:
    from tatian.progress import Progress
    from tatian.statistics import Aggregate


class Prediction(NamedTuple):
    """One prediction beside its reference."""

    id: str
    sentences: tuple[str, ...]
    reference: str
    predicted: str


Task = Literal["mentions", "coreference", "ranking", "generation", "union", "facts"]
T = TypeVar("T")
Counts = tuple[float, ...]
"""Counts of one item; those of several items are added up."""


class Rates(NamedTuple):
    """Fractions of 1; a zero denominator gives 0, as in the reference scorer."""

    recall: float
    precision: float
    f1: float

    @classmethod
    def of(cls, recall: float, precision: float) -> Rates:
        """Return the rates with the harmonic mean of the two."""
        total = recall + precision
        return cls(recall, precision, 2 * recall * precision / total if total else 0.0)

    @classmethod
    def mean(cls, rates: Sequence[Rates]) -> Rates:
        """Return the means of all three."""
        return cls(*(sum(values) / len(rates) for values in zip(*rates, strict=True)))


class Metric(Struct, Generic[T], frozen=True):
    """A metric for one task, for single items and all of them.

    The type of an item depends on the task: `Overlap` for coreference, `LinkedPair` for mentions, a
    ranking as `TiedBlock`s, `Proposals` for generation, a `Prediction` for union.
    """

    name: str
    task: Task
    description: str
    count: Callable[[T], Counts]
    """The numbers of one item: its value, or counts that add up."""
    rates: Callable[[Sequence[float]], Rates] | None = None
    """Recall, precision and F1 from counts, of one item or added up over several."""
    ratio: Callable[[Sequence[float]], float] | None = None
    """A figure from counts. Without `rates` and `ratio`, the figure is the mean of the items."""
    batch: Callable[[Sequence[T], Progress], Sequence[Counts]] | None = None
    """Function that computes `count` for all items at once, if that is faster."""
    options: dict[str, str] = {}
    """Options of the computation, for the signature."""

    def rates_of(self, counts: Sequence[float]) -> Rates:
        """Return recall, precision and F1; raise if it has none."""
        if self.rates is None:
            raise TatianError(f"the metric '{self.name}' has one figure, not recall and precision")
        return self.rates(counts)

    @property
    def aggregate(self) -> Aggregate:
        """Function from a table of counts to the figure or the F1; always the same object."""
        from tatian.statistics import mean

        return _aggregate(self.rates, self.ratio) if self.rates or self.ratio else mean


@cache
def _aggregate(
    rates: Callable[[Sequence[float]], Rates] | None,
    ratio: Callable[[Sequence[float]], float] | None,
) -> Aggregate:
    import numpy as np

    def aggregate(statistics: Any) -> Any:
        sums = statistics.sum(axis=-2)
        rows = [tuple(row) for row in sums.reshape(-1, sums.shape[-1]).tolist()]
        # Resamples of few items have few different sums.
        figures = {
            row: rates(row).f1 if rates else ratio(row) if ratio else row[0] for row in set(rows)
        }
        return np.array([figures[row] for row in rows]).reshape(sums.shape[:-1])

    return aggregate


def ratios(counts: Sequence[float]) -> Rates:
    """Return rates from the numerators and denominators of recall and of precision."""
    recalled, wanted, right, predicted = counts
    return Rates.of(recalled / wanted if wanted else 0.0, right / predicted if predicted else 0.0)


METRICS: Mapping[Task, Mapping[str, str]] = {
    "coreference": {
        "muc": "tatian.scoring.muc:MUC",
        "b3": "tatian.scoring.b_cubed:B_CUBED",
        "ceafm": "tatian.scoring.ceaf:CEAF_M",
        "ceafe": "tatian.scoring.ceaf:CEAF_E",
        "blanc": "tatian.scoring.blanc:BLANC",
        "lea": "tatian.scoring.lea:LEA",
        "mentions": "tatian.scoring.mention_detection:MENTIONS",
        "conll": "tatian.scoring.conll:CONLL",
    },
    "mentions": {
        "full": "tatian.scoring.linking:FULL",
        "detection": "tatian.scoring.linking:DETECTION",
        "linking": "tatian.scoring.linking:LINKING",
    },
    "union": {
        "rouge1": "tatian.scoring.rouge:ROUGE_1",
        "rouge2": "tatian.scoring.rouge:ROUGE_2",
        "rougeL": "tatian.scoring.rouge:ROUGE_L",
        "nli": "tatian.union.metrics.nli:NLI",
        "delta_cr": "tatian.scoring.compression:DELTA_CR",
        "delta_cr_abs": "tatian.scoring.compression:DELTA_CR_ABS",
        "coverage": "tatian.union.metrics.estimates:COVERAGE",
        "faithfulness": "tatian.union.metrics.estimates:FAITHFULNESS",
        "redundancy": "tatian.union.metrics.estimates:REDUNDANCY",
        "novel1": "tatian.scoring.novelty:NOVEL_1",
        "novel2": "tatian.scoring.novelty:NOVEL_2",
        "novel3": "tatian.scoring.novelty:NOVEL_3",
        "definition": "tatian.union.metrics.nli:DEFINITION",
    },
    "ranking": {
        "map": "tatian.scoring.average_precision:MAP",
        "r@10": "tatian.scoring.recall_at:RECALL",
        "mrr": "tatian.scoring.reciprocal_rank:MRR",
    },
    "generation": {
        "match@1": "tatian.scoring.generation:MATCH_AT_1",
        "match@10": "tatian.scoring.generation:MATCH_AT_10",
        "mrr": "tatian.scoring.generation:MRR",
        "recall": "tatian.scoring.generation:RECALL",
        "supported": "tatian.scoring.generation:SUPPORTED",
        "supported@1": "tatian.scoring.generation:SUPPORTED_AT_1",
        "distinct": "tatian.scoring.generation:DISTINCT",
        "words": "tatian.scoring.generation:WORDS",
        "answered": "tatian.scoring.generation:ANSWERED",
    },
}
"""Place of each metric, by task and name, in the order in which they are printed."""


def find(task: Task, name: str) -> Metric[Any]:
    """Return the metric of a task: one of ours, an entry point's, or package.module:NAME."""
    metric = Registry[Any](task, METRICS[task], "", noun="metric", group="metrics").find(name)
    if not isinstance(metric, Metric) or metric.task != task:
        raise TatianError(f"'{name}' is not a {task} metric")
    return metric


def choose_metrics(task: Task, names: Iterable[str] | None = None) -> tuple[Metric[Any], ...]:
    """Return the metrics of these names, each once, Tatian's first; by default Tatian's."""
    wanted = dict.fromkeys(METRICS[task] if names is None else names)
    builtin = [name for name in METRICS[task] if name in wanted]
    others = [name for name in wanted if name not in METRICS[task]]
    return tuple(find(task, name) for name in (*builtin, *others))
