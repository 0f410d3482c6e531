"""Consolidation: several sources in, one text out, every word with its sources."""

from tatian.consolidation.result import Consolidation
from tatian.consolidation.weave import consolidate

__all__ = ["Consolidation", "consolidate"]
