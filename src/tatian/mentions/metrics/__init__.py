"""How well predicted mentions agree with gold ones: found, and linked to the right page.

What counts (the mention benchmark, §3: "the same term can appear multiple times in mentions, either
with the same span but linked to different entities, or with different spans"):

- A **gold mention** is a span with all its right pages; entries of one span are one mention. It is
  *found* when one of its pages is predicted for a span that matches. Recall is the share found.
- A **predicted link** is a span with one page. A prediction of three pages is three links: each
  is right or wrong. Precision is the share that are right.
- Spans **match** when they are the same (`strong`), or share a character (`weak`). Matching is one
  to one: of a gold mention and a prediction that overlap several others, each is used once, so that
  as many gold mentions as possible are found.
- Titles are compared as Wikipedia writes them (`page_title`), redirects resolved where a base is
  given.

Three **tasks**: `full` (the above), `detection` (spans alone), and `linking` (of the gold mentions
that a prediction matches, the share whose best page is right: the accuracy, where a system is
given gold spans).
"""

from tatian.mentions.metrics.counting import Counts, Rates
from tatian.mentions.metrics.matching import Match
from tatian.mentions.metrics.preparing import Nil, coverage
from tatian.mentions.metrics.scores import Average, Counted, Scores, Task, compare
from tatian.mentions.metrics.scoring import score

__all__ = [
    "Average",
    "Counted",
    "Counts",
    "Match",
    "Nil",
    "Rates",
    "Scores",
    "Task",
    "compare",
    "coverage",
    "score",
]
