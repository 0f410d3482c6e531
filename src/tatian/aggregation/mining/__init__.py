"""Aggregations that texts contain by themselves, found by the way they are worded."""
