"""``tatian mentions``: entities that a text mentions, with their Wikipedia pages."""
