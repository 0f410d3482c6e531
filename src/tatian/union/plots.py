"""The plots of Hirsch et al. 2023, and what a file of unions holds.

Compression, lowest scores, learning curves; how many unions, how many skipped and why.
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
from tatian.union.ratings import Opinion
from tatian.views.chart import ChartLabels, ChartPoint, bars, lines

if TYPE_CHECKING:
    from tatian.statistics import Score


EDGES = tuple(tenth / 10 for tenth in range(11))
"""Compression rates are counted in tenths, and below 0 and above 1 as a whole."""
KEYS = ("model", "size")


def compression_histogram(splits: Mapping[str, Sequence[UnionInstance]]) -> str:
    """Figure 4: how many of a split's references have which compression rate."""
    series = {}
    for name, instances in splits.items():
        rates = [
            compression_rate(one.sentences, one.merged)
            for one in instances
            if one.merged is not None
        ]
        if not rates:
            raise EmptyInput(f"no unions in '{name}': there is no compression to show")
        series[f"{name} ({len(rates)})"] = binned(rates)
    tenths = [f"{round(100 * low)}" for low in EDGES[:-1]]
    return bars(
        ["<0", *tenths, ">100"],
        series,
        ChartLabels("Compression rate of unions", "compression rate from, %", "% of unions", 100),
    )


def binned(rates: Sequence[float]) -> list[float]:
    """The share of rates below 0, in each tenth of 0 to 1, and above 1; 1 is in the last tenth."""
    counts = [0] * (len(EDGES) + 1)
    for rate in rates:
        if rate > 1 + 1e-9:
            counts[-1] += 1
        elif rate < -1e-9:
            counts[0] += 1
        else:
            counts[1 + min(9, int(rate * 10 + 1e-9))] += 1
    return [count / len(rates) for count in counts]


def lowest_histogram(opinions: Mapping[str, Opinion]) -> str:
    """Figure 5: how many of a system's unions have which lowest score for their content."""
    rated = {system: one for system, one in opinions.items() if any(one.lowest.values())}
    if not rated:
        raise EmptyInput("nobody rated coverage, faithfulness and redundancy of one union")
    return bars(
        ["1", "2", "3", "4"],
        {system: [one.shares[score] for score in range(1, 5)] for system, one in rated.items()},
        ChartLabels(
            "Lowest of coverage, faithfulness and redundancy",
            "lowest score (4: nothing wrong)",
            "% of unions",
            100,
        ),
    )


def learning_curves(series: Mapping[str, Sequence[ChartPoint]], metric: str) -> str:
    """Figure 7: a metric after training on more and more of the data, for each model."""
    percent = all(abs(point.y) <= 1 for points in series.values() for point in points)
    labels = ChartLabels(
        f"Learning curves: {metric}",
        "training examples",
        f"{metric}, %" if percent else metric,
        100 if percent else 1,
    )
    return lines(series, labels)


def parse_curves(
    text: str, metric: str | None = None, *, path: str | None = None
) -> tuple[dict[str, list[ChartPoint]], str]:
    """Curves from CSV: model, size and a column for each metric, perhaps with its standard error.

    A column's standard errors stand in another of the same name with ``_error`` after it.
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
        raise EmptyInput("no points in it", path=path)
    return curves, chosen


BINS = ("<0", *(f"{round(100 * low)}-{round(100 * low) + 10}" for low in EDGES[:-1]), ">100")
"""Names of the bins of `Summary.histogram`, in per cent."""


class UnionSummary(Struct, frozen=True):
    """The figures of one split (Hirsch et al. 2023, Table 1, §5.2 and Figure 4)."""

    instances: int
    merged: int
    skipped: dict[str, int]
    """How many were skipped for each reason."""
    compression: Score | None
    """The mean compression rate of what is merged."""
    histogram: tuple[float, ...]
    """The share of compression rates in each of `BINS`; empty if nothing is merged."""


def summarize(instances: Sequence[UnionInstance]) -> UnionSummary:
    """Count a split's instances, and how much their unions compress."""
    from tatian.statistics import Score, fingerprint

    merged = [one for one in instances if one.merged is not None]
    texts = (text for one in merged for text in (*one.sentences, one.merged or ""))
    rates = [compression_rate(one.sentences, one.merged or "") for one in merged]
    ids = [one.id for one in merged]
    return UnionSummary(
        instances=len(instances),
        merged=len(merged),
        skipped=dict(sorted(Counter(one.skip for one in instances if one.skip).items())),
        compression=Score.of("compression", rates, ids=ids, data=fingerprint(texts))
        if rates
        else None,
        histogram=tuple(binned(rates)) if rates else (),
    )
