"""Phrases for sets of entities, built offline from knowledge and context."""
