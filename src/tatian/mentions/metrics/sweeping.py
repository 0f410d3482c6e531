"""What a confidence threshold buys: precision, recall and F1 as it rises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tatian.errors import InputError
from tatian.mentions.data.records import LinkedText
from tatian.mentions.metrics.counting import Counts, added
from tatian.mentions.metrics.matching import Match
from tatian.mentions.metrics.preparing import Known, Nil, Rules, Titles, pair, prepare, remembered
from tatian.mentions.metrics.tasks import full, partners


class Point(Struct, frozen=True):
    """What is left at one threshold."""

    threshold: float
    """Predictions scored at least this are kept."""
    precision: float
    recall: float
    f1: float
    counts: Counts


class Sweep(Struct, frozen=True):
    """The full task at rising thresholds, and the best of them."""

    points: tuple[Point, ...]

    @property
    def best(self) -> Point:
        """The highest F1; of equals, the highest threshold."""
        return max(self.points, key=lambda point: (point.f1, point.threshold))

    def to_json(self) -> dict[str, Any]:
        """Plain data, fractions of 1, unrounded."""
        return {
            "best": _plain(self.best),
            "points": [_plain(point) for point in self.points],
        }


def sweep(
    gold: Sequence[LinkedText],
    predicted: Sequence[LinkedText],
    *,
    match: Match = "strong",
    redirects: Titles | None = None,
    in_kb: Known | None = None,
    nil: Nil = "ignore",
    points: int = 100,
) -> Sweep:
    """Score at up to `points` thresholds: the predictions' own scores, or evenly many of them.

    The first keeps everything.
    """
    if points < 2:
        raise InputError(f"a sweep needs at least two points, not {points}")
    pairs = pair(gold, predicted)
    rules = Rules(match, remembered(redirects), remembered(in_kb), None, nil)
    found = []
    for threshold in _thresholds(predicted, points):
        counts = added(
            full(text, partners(text, match))
            for text in (prepare(one, _kept(other, threshold), rules) for one, other in pairs)
        )
        found.append(Point(threshold, *counts.rates, counts))
    return Sweep(tuple(found))


def _kept(text: LinkedText, threshold: float) -> LinkedText:
    sure = (one for one in text.mentions if one.score is None or one.score >= threshold)
    return replace(text, mentions=tuple(sure))


def _thresholds(predicted: Sequence[LinkedText], points: int) -> list[float]:
    scores = sorted(
        {one.score for text in predicted for one in text.mentions if one.score is not None}
    )
    if not scores:
        raise InputError(
            "no prediction has a score: a threshold cannot be chosen without confidences"
        )
    if len(scores) <= points:
        return scores
    step = (len(scores) - 1) / (points - 1)
    return sorted({scores[round(index * step)] for index in range(points)})


def _plain(point: Point) -> dict[str, Any]:
    return {
        "threshold": point.threshold,
        "precision": point.precision,
        "recall": point.recall,
        "f1": point.f1,
        **point.counts._asdict(),
    }
