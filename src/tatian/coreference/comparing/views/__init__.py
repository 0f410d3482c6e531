"""Chains and their differences for people to look at."""
