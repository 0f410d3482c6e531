"""Coreference resolution by the MUC-6 definition."""
