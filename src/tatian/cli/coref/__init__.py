"""``tatian coref``: which phrases talk about the same thing."""
