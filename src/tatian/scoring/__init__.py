"""Metrics that need texts alone, one a file, and what all of them share."""
