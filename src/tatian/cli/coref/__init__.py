"""``tatian coref``: phrases that refer to the same entity."""
