"""Comparison of a response with its key: errors found and counted."""

from tatian.coreference.diff.documents import compare, compare_document
from tatian.coreference.diff.result import KINDS

__all__ = ["KINDS", "compare", "compare_document"]
