"""Metrics of unions: against a reference, against the definition, and by word counts.

All figures are fractions of 1. ROUGE rewards a blunt concatenation and hides a lost sentence, so
the compression difference is always reported beside it. Its mean shows the direction of a system's
errors, its mean absolute value their size (Hirsch et al. 2023, §7.2).
"""

from tatian.scoring.compression import content_spans, content_words
from tatian.scoring.novelty import NOVEL
from tatian.scoring.rouge import ROUGE, rouge
from tatian.union.metrics.estimates import estimate
from tatian.union.metrics.marks import MarkedUnion, Quality, parse_marks, quality, quality_table
from tatian.union.metrics.mistakes import error_table, find_errors
from tatian.union.metrics.nli import Judge
from tatian.union.metrics.score import QUICK, USUAL, compare, score, score_references

__all__ = [
    "NOVEL",
    "QUICK",
    "ROUGE",
    "USUAL",
    "Judge",
    "MarkedUnion",
    "Quality",
    "compare",
    "content_spans",
    "content_words",
    "error_table",
    "estimate",
    "find_errors",
    "parse_marks",
    "quality",
    "quality_table",
    "rouge",
    "score",
    "score_references",
]
