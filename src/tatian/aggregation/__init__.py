"""Aggregation (the TESA task): find one phrase that names a set of entities."""
