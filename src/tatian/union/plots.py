"""Plots of Hirsch et al. 2023, and summaries of files of unions.

Compression, lowest scores, learning curves; numbers of unions and of skipped instances.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from tatian.errors import EmptyInput, InputError
from tatian.scoring.compression import compression_rate
from tatian.union.data import UnionInstance
from tatian.union.ratings import HumanScores
from tatian.views.chart import ChartLabels, ChartPoint, draw_bars, draw_lines

if TYPE_CHECKING:
    from tatian.statistics import Score


EDGES = tuple(tenth / 10 for tenth in range(11))
"""Bins of compression rates: tenths of 0 to 1, besides all below 0 and all above 1."""
KEYS = ("model", "size")


def compression_histogram(splits: Mapping[str, Sequence[UnionInstance]]) -> str:
    """Plot Figure 4: the distribution of compression rates of each split's references."""
    series = {}
    for name, instances in splits.items():
        rates = [
            compression_rate(instance.sentences, instance.merged)
            for instance in instances
            if instance.merged is not None
        ]
        if not rates:
            raise EmptyInput(f"no unions in '{name}': there is no compression to show")
        series[f"{name} ({len(rates)})"] = bin_rates(rates)
    tenths = [f"{round(100 * low)}" for low in EDGES[:-1]]
    return draw_bars(
        ["<0", *tenths, ">100"],
        series,
        ChartLabels("Compression rate of unions", "compression rate from, %", "% of unions", 100),
    )


def bin_rates(rates: Sequence[float]) -> list[float]:
    """Return the shares of rates in each bin: below 0, tenths of 0 to 1 inclusive, above 1."""
    counts = [0] * (len(EDGES) + 1)
    for rate in rates:
        if rate > 1 + 1e-9:
            counts[-1] += 1
        elif rate < -1e-9:
            counts[0] += 1
        else:
            counts[1 + min(9, int(rate * 10 + 1e-9))] += 1
    return [count / len(rates) for count in counts]


def lowest_histogram(human: Mapping[str, HumanScores]) -> str:
    """Plot Figure 5: the distribution of the lowest content score of each system's unions."""
    rated = {system: row for system, row in human.items() if any(row.lowest.values())}
    if not rated:
        raise EmptyInput("nobody rated coverage, faithfulness and redundancy of one union")
    return draw_bars(
        ["1", "2", "3", "4"],
        {system: [row.shares[score] for score in range(1, 5)] for system, row in rated.items()},
        ChartLabels(
            "Lowest of coverage, faithfulness and redundancy",
            "lowest score (4: nothing wrong)",
            "% of unions",
            100,
        ),
    )


def learning_curves(series: Mapping[str, Sequence[ChartPoint]], metric: str) -> str:
    """Plot Figure 7: a metric against the size of the training data, for each model."""
    percent = all(abs(point.y) <= 1 for points in series.values() for point in points)
    labels = ChartLabels(
        f"Learning curves: {metric}",
        "training examples",
        f"{metric}, %" if percent else metric,
        100 if percent else 1,
    )
    return draw_lines(series, labels)


def parse_curves(
    text: str, metric: str | None = None, *, path: str | None = None
) -> tuple[dict[str, list[ChartPoint]], str]:
    """Parse curves from CSV: model, size and a column for each metric.

    The standard errors of a column are in an optional column with ``_error`` after its name.
    """
    rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    header = list(rows.fieldnames or ())
    metrics = [name for name in header if name not in KEYS and not name.endswith("_error")]
    if not set(KEYS) <= set(header) or not metrics:
        raise InputError(
            "expected the columns model, size and at least one metric", path=path, line=1
        )
    chosen = metric or metrics[0]
    if chosen not in metrics:
        raise InputError(f"no column '{chosen}': there are {', '.join(metrics)}", path=path, line=1)
    curves: dict[str, list[ChartPoint]] = {}
    for row in rows:
        try:
            error = float(row.get(f"{chosen}_error") or 0)
            point = ChartPoint(float(row["size"]), float(row[chosen]), error)
        except (TypeError, ValueError) as wrong:
            message = f"not a number: {wrong}"
            raise InputError(message, path=path, line=rows.line_num) from wrong
        curves.setdefault(row["model"], []).append(point)
    if not curves:
        raise EmptyInput("the file contains no points", path=path)
    return curves, chosen


BINS = ("<0", *(f"{round(100 * low)}-{round(100 * low) + 10}" for low in EDGES[:-1]), ">100")
"""Names of the bins of `UnionSummary.histogram`, in per cent."""


class UnionSummary(Struct, frozen=True):
    """Figures of one split (Hirsch et al. 2023, Table 1, §5.2 and Figure 4)."""

    instances: int
    merged: int
    skipped: dict[str, int]
    """Number of skipped instances for each reason."""
    compression: Score | None
    """Mean compression rate of the unions."""
    histogram: tuple[float, ...]
    """Share of compression rates in each of `BINS`; empty if there is no union."""


def summarize(instances: Sequence[UnionInstance]) -> UnionSummary:
    """Count a split's instances and measure the compression of their unions."""
    from tatian.statistics import Score, fingerprint

    merged = [instance for instance in instances if instance.merged is not None]
    texts = (text for instance in merged for text in (*instance.sentences, instance.merged or ""))
    rates = [compression_rate(instance.sentences, instance.merged or "") for instance in merged]
    ids = [instance.id for instance in merged]
    return UnionSummary(
        instances=len(instances),
        merged=len(merged),
        skipped=dict(sorted(Counter(i.skip for i in instances if i.skip).items())),
        compression=Score.of("compression", rates, ids=ids, data=fingerprint(texts))
        if rates
        else None,
        histogram=tuple(bin_rates(rates)) if rates else (),
    )
