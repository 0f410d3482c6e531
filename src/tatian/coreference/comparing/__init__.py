"""A response beside its key: errors found, counted and put right."""

from tatian.coreference.comparing.compare import Comparison, compare, compare_document
from tatian.coreference.comparing.mending import mended
from tatian.coreference.comparing.result import KINDS, Compared, Error, Kind, Marked, Side

__all__ = [
    "KINDS",
    "Compared",
    "Comparison",
    "Error",
    "Kind",
    "Marked",
    "Side",
    "compare",
    "compare_document",
    "mended",
]
