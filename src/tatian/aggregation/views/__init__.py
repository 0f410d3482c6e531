"""Rankings and generations to look at: TESA's Tables 6, 7 and 10 to 13, for any systems."""

from tatian.aggregation.views.examples import Column, Example, Phrase, examples, generated, ranked
from tatian.aggregation.views.terminal import print_examples, to_text

__all__ = [
    "Column",
    "Example",
    "Phrase",
    "examples",
    "generated",
    "print_examples",
    "ranked",
    "to_text",
]
