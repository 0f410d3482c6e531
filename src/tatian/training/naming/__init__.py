"""Training of the aggregation ranker: a memory of named sets, and trees over what it says."""
