"""Training of the coverage model: the share of a sentence that others cover, and its words."""
