"""``tatian mentions``: which things a text talks about, and which Wikipedia page each is."""
