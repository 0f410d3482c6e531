"""Instances, the ranking task built from them, and their file formats."""

from tatian.aggregation.data.records import Instance

__all__ = ["Instance"]
