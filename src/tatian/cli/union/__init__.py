"""``tatian union``: one sentence with the content of two or more sentences."""
