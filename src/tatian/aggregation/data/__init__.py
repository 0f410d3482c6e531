"""Aggregatable instances, the ranking task made of them, and the formats both are kept in."""

from tatian.aggregation.data.records import Instance

__all__ = ["Instance"]
