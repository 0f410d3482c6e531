"""Marked phrases in their trees: what the definition asks of them, and what checks it."""
