"""``tatian aggregate``: phrases that name a set of entities in a text."""
