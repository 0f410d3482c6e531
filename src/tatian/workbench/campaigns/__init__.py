"""Campaigns: items, annotators, assignments and answers."""
