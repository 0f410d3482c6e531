"""Metrics of systems that name sets: ranked candidates (TESA §4.2) and generated phrases.

The metrics are files of `tatian.scoring`: average precision, recall at 10 and reciprocal rank of
rankings, and those of `tatian.scoring.generation`.
"""

from tatian.aggregation.metrics.answers import score_generated
from tatian.aggregation.metrics.ranking import By, RankingScores, score

__all__ = ["By", "RankingScores", "score", "score_generated"]
