"""Limits, each with a name."""

# Storage
LEAST_ROOM = 4096
"""Free bytes below which a disk counts as full: one page of a SQLite database."""
