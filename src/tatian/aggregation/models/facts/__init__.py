"""Phrases for sets of entities, made from knowledge and context, offline."""
