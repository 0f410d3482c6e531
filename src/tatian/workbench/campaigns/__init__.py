"""Campaigns: what is asked of whom, how often, and what became of it."""
