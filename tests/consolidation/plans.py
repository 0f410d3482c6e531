"""Spans and coverage made by hand: no text needs to be read to decide on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from tatian.consolidation.coverage import CoverageModel, SpanContent
from tatian.consolidation.spans import Dependency, Key, SourceSpan
from tatian.text import Span

Covers = Mapping[tuple[SourceSpan, SourceSpan], str]
"""Of a span and another, which words of the first the other covers: "1101"."""


def span(
    account: int, index: int, text: str = "Fog came.", dependency: Dependency = ""
) -> SourceSpan:
    """One sentence of an account."""
    body = Span(100 * index, 100 * index + len(text))
    return SourceSpan(account, (index,), (body,), text, dependency, words=len(text.split()))


def coverage(
    spans: Iterable[SourceSpan],
    covers: Covers | None = None,
    alike: Mapping[tuple[SourceSpan, SourceSpan], float] | None = None,
) -> CoverageModel:
    """Coverage in which every word counts 1, and a span of which nothing is covered has four."""
    rows: dict[Key, dict[Key, np.ndarray]] = {one.key: {} for one in spans}
    weights = {key: np.ones(4) for key in rows}
    similarities: dict[Key, dict[Key, float]] = {key: {} for key in rows}
    for (one, other), words in (covers or {}).items():
        rows[one.key][other.key] = np.array([float(word) for word in words])
        weights[one.key] = np.ones(len(words))
        similarities[one.key][other.key] = words.count("1") / len(words)
    for (one, other), value in (alike or {}).items():
        similarities[one.key][other.key] = similarities[other.key][one.key] = value
        rows[one.key].setdefault(other.key, np.zeros(len(weights[one.key])))
    contents = {key: SpanContent("", (), weight) for key, weight in weights.items()}
    return CoverageModel(contents, similarities, rows)
