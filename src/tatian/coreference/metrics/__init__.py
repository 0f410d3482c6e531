"""How well one set of chains agrees with another.

from tatian.coreference.metrics import score, score_clusters
score(key_documents, response_documents).rates("muc").f1
score_clusters([["a", "b", "c"]], [["a", "b"], ["c"]])["b3"].recall
"""

from tatian.coreference.metrics.documents import score
from tatian.coreference.metrics.matching import MATCHES, Match
from tatian.coreference.metrics.scores import Scores, compare
from tatian.coreference.metrics.scoring import Pair, score_clusters, score_pairs
from tatian.scoring.gap import GapScores, score_gap
from tatian.scoring.known import METRICS
from tatian.scoring.metric import Metric, Rates

__all__ = [
    "MATCHES",
    "METRICS",
    "GapScores",
    "Match",
    "Metric",
    "Pair",
    "Rates",
    "Scores",
    "compare",
    "score",
    "score_clusters",
    "score_gap",
    "score_pairs",
]
