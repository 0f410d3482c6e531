"""Sentences as trees, which word of one answers to which of another, and how a dispute shows."""
