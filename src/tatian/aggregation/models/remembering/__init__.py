"""The default ranker: what named similar sets, what the knowledge base says, what the text says."""

from tatian.aggregation.models.remembering.ranker import RememberingRanker

__all__ = ["RememberingRanker"]
