"""``tatian union``: one sentence that says everything two or more sentences say."""
