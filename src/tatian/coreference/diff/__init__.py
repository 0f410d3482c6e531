"""A response beside its key: errors found and counted."""

from tatian.coreference.diff.documents import ChainDiff, compare, compare_document
from tatian.coreference.diff.result import KINDS, ChainError, DocumentDiff, Kind, Side, SideMention

__all__ = [
    "KINDS",
    "ChainDiff",
    "ChainError",
    "DocumentDiff",
    "Kind",
    "Side",
    "SideMention",
    "compare",
    "compare_document",
]
