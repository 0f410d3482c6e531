"""Input of metrics of unions: a predicted union beside its sentences and a reference."""

from __future__ import annotations

from typing import NamedTuple


class Prediction(NamedTuple):
    """One prediction beside its reference."""

    id: str
    sentences: tuple[str, ...]
    reference: str
    predicted: str
