"""Fills a document's layers step by step, and links chains across documents."""

from tatian.pipeline.chains import CrossChain, link_chains
from tatian.pipeline.pipeline import Pipeline

__all__ = ["CrossChain", "Pipeline", "link_chains"]
