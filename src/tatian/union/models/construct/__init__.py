"""Unions built by rules: a frame sentence that takes in what only the other sentence says."""
