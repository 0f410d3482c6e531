"""Agreement of two sets of chains; every metric is a file in `tatian.scoring`.

from tatian.coreference.metrics import score, score_clusters
score(key_documents, response_documents).rates("muc").f1
score_clusters([["a", "b", "c"]], [["a", "b"], ["c"]])["b3"].recall
"""

from tatian.coreference.metrics.chains import ChainPair, ChainScores, score_clusters, score_pairs
from tatian.coreference.metrics.documents import score

__all__ = ["ChainPair", "ChainScores", "score", "score_clusters", "score_pairs"]
