"""Metrics of unions: against a reference, against the definition, and by word counts.

All figures are fractions of 1. ROUGE rewards a blunt concatenation and hides a lost sentence, so
the compression difference is always reported beside it. Its mean shows the direction of a system's
errors, its mean absolute value their size (Hirsch et al. 2023, §7.2).
"""

from tatian.scoring.compression import (
    compression_difference,
    compression_rate,
    content_spans,
    content_words,
)
from tatian.scoring.novelty import NOVEL, novel_rate
from tatian.scoring.rouge import ROUGE, rouge
from tatian.union.metrics.estimates import Estimate, Expected, FoundWord, estimate
from tatian.union.metrics.marks import (
    QUALITIES,
    MarkedUnion,
    Quality,
    parse_marks,
    quality,
    quality_table,
)
from tatian.union.metrics.mistakes import KINDS, UnionError, error_table, errors
from tatian.union.metrics.nli import Defined, Judge, bidirectional, defined, equivalent, judge
from tatian.union.metrics.score import (
    ESTIMATES,
    QUICK,
    USUAL,
    compare,
    score,
    score_references,
)

__all__ = [
    "ESTIMATES",
    "KINDS",
    "NOVEL",
    "QUALITIES",
    "QUICK",
    "ROUGE",
    "USUAL",
    "Defined",
    "Estimate",
    "Expected",
    "FoundWord",
    "Judge",
    "MarkedUnion",
    "Quality",
    "UnionError",
    "bidirectional",
    "compare",
    "compression_difference",
    "compression_rate",
    "content_spans",
    "content_words",
    "defined",
    "equivalent",
    "error_table",
    "errors",
    "estimate",
    "judge",
    "novel_rate",
    "parse_marks",
    "quality",
    "quality_table",
    "rouge",
    "score",
    "score_references",
]
