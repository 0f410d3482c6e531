"""How well systems name sets of entities: ranked candidates (TESA §4.2) and generated phrases.

What counts in a **ranking**:

- Every candidate of every instance must be ranked, each once, best first.
- The measures of the paper: average precision, recall at 10, reciprocal rank, and their means over
  instances (`map`, `r@10`, `mrr`).
- **Ties**: candidates of equal score have no order, so a measure's value is its mean over all
  orders of them, computed exactly (McSherry and Najork 2008). A system cannot gain or lose by the
  order in which it lists what it cannot tell apart; one that gives every candidate the same score
  has exactly the value that shuffling has on average.

What counts in a **generation**: see `tatian.aggregation.metrics.generating`.
"""

from tatian.aggregation.metrics.generating import Generated, Generations, score_generated
from tatian.aggregation.metrics.scores import By, Figures, Judged, Scores, Test, compare
from tatian.aggregation.metrics.scoring import score

__all__ = [
    "By",
    "Figures",
    "Generated",
    "Generations",
    "Judged",
    "Scores",
    "Test",
    "compare",
    "score",
    "score_generated",
]
