"""Sentence union: merge sentences into one that says everything they say, once."""
