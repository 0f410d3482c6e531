"""Spans and coverage made by hand: no text needs to be read to decide on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from tatian.consolidation.telling import CoverageModel
from tatian.consolidation.units import Key, Lean, Unit
from tatian.text import Span

Tells = Mapping[tuple[Unit, Unit], str]
"""Of a unit and another, which words of the first the other tells: "1101"."""


def unit(account: int, index: int, text: str = "Fog came.", leans: Lean = "") -> Unit:
    """One sentence of an account."""
    body = Span(100 * index, 100 * index + len(text))
    return Unit(account, (index,), (body,), text, leans, words=len(text.split()))


def telling(
    units: Iterable[Unit],
    tells: Tells | None = None,
    alike: Mapping[tuple[Unit, Unit], float] | None = None,
) -> CoverageModel:
    """What tells what; every word counts 1, and a unit of which nothing is told has four."""
    told: dict[Key, dict[Key, np.ndarray]] = {one.key: {} for one in units}
    weights = {key: np.ones(4) for key in told}
    like: dict[Key, dict[Key, float]] = {key: {} for key in told}
    for (one, other), words in (tells or {}).items():
        told[one.key][other.key] = np.array([float(word) for word in words])
        weights[one.key] = np.ones(len(words))
        like[one.key][other.key] = words.count("1") / len(words)
    for (one, other), value in (alike or {}).items():
        like[one.key][other.key] = like[other.key][one.key] = value
        told[one.key].setdefault(other.key, np.zeros(len(weights[one.key])))
    return CoverageModel(weights, like, told)
