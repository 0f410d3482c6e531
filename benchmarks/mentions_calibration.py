"""Calibration of a linker's confidence: are 70% of the links at 70% confidence right?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Protocol

import numpy as np

from tatian.mentions.metrics import ScoringRules, pair, prepare
from tatian.statistics import Cell, Column, Table
from tatian.text import Document

BINS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)


class Known(Protocol):
    """Queries to a knowledge base."""

    def redirected(self, title: str) -> str:
        """Return the title that a title redirects to."""
        ...

    def has_page(self, title: str) -> bool:
        """Return True if the base has the page."""
        ...


def calibration(sets: dict[str, tuple[list[Document], list[Document]]], base: Known) -> Table:
    """Tabulate confidence and accuracy: over all sets by confidence, then for each set."""
    judged = {name: list(links(gold, answers, base)) for name, (gold, answers) in sets.items()}
    every = [link for links_of_set in judged.values() for link in links_of_set]
    rows: list[list[Cell]] = []
    for low, high in pairwise(BINS):
        inside = [link for link in every if low <= link[0] < high]
        rows.append([f"{low:.1f} to {min(high, 1.0):.1f}", *_means(inside), None])
    for name, judged_links in {**judged, "all sets": every}.items():
        rows.append([name, *_means(judged_links), ece(judged_links)])
    columns = [
        Column(name, precision=1, scale=100) for name in ("sure", "right", "calibration error")
    ]
    return Table.of(["links", "number", *columns], rows, "confidence of tatian")


def _means(judged_links: Sequence[tuple[float, bool]]) -> list[Cell]:
    if not judged_links:
        return [0, None, None]
    sure, right = (sum(values) / len(judged_links) for values in zip(*judged_links, strict=True))
    return [len(judged_links), sure, right]


def links(
    gold: Sequence[Document], answers: Sequence[Document], base: Known
) -> Iterator[tuple[float, bool]]:
    """Yield the confidence of every judged link, and whether it is right."""
    rules = ScoringRules(redirects=base.redirected, in_kb=base.has_page)
    for gold_text, other in pair(gold, answers):
        text = prepare(gold_text, other, rules)
        right = set(text.partners.right.values())
        for index, item in enumerate(text.predicted):
            yield item.mention.score or 0.0, index in right


def ece(judged: Sequence[tuple[float, bool]], bins: int = 10) -> float | None:
    """Return the mean distance between confidence and accuracy, over bins of equal size."""
    if not judged:
        return None
    ordered = np.array(sorted(judged), dtype=np.float64)
    parts = np.array_split(ordered, min(bins, len(ordered)))
    gaps = [abs(part[:, 0].mean() - part[:, 1].mean()) * len(part) for part in parts]
    return float(sum(gaps) / len(ordered))
