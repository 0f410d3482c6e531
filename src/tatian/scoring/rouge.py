"""ROUGE-1, -2 and -L as the `rouge-score` package computes them, with stemming, but faster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

ROUGE = ("rouge1", "rouge2", "rougeL")


def rouge(pairs: Sequence[tuple[str, str]]) -> list[Mapping[str, float]]:
    """ROUGE-1, -2 and -L F-measures of (reference, prediction) pairs, words stemmed."""
    references = [reference for reference, _ in pairs]
    predictions = [prediction for _, prediction in pairs]
    return [
        {name: scores[name].fmeasure for name in ROUGE}
        for scores in _scorer().score_batch(references, predictions)
    ]


@cache
def _scorer() -> Any:
    import rouge_score_rs

    untyped: Any = rouge_score_rs.RougeScorer
    return untyped(list(ROUGE), use_stemmer=True)
