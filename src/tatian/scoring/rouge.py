"""ROUGE-1, -2 and -L as the `rouge-score` package computes them, with stemming, but faster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from tatian.scoring.metric import Metric, Prediction

ROUGE = ("rouge1", "rouge2", "rougeL")


def rouge(pairs: Sequence[tuple[str, str]]) -> list[Mapping[str, float]]:
    """Return ROUGE-1, -2 and -L F-measures of (reference, prediction) pairs, words stemmed."""
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


@lru_cache(maxsize=4096)
def _pair_scores(reference: str, predicted: str) -> Mapping[str, float]:
    return rouge([(reference, predicted)])[0]


def _metric(name: str, description: str) -> Metric[Prediction]:
    return Metric(
        name,
        "union",
        description,
        lambda prediction: (_pair_scores(prediction.reference, prediction.predicted)[name],),
        options={"stem": "porter", "measure": "f"},
    )


ROUGE_1 = _metric("rouge1", "words shared with the reference (Lin 2004)")
ROUGE_2 = _metric("rouge2", "pairs of words shared with the reference (Lin 2004)")
ROUGE_L = _metric("rougeL", "the longest common subsequence with the reference (Lin 2004)")
