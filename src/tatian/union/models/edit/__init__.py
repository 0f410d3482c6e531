"""The edit model, which builds a union as a path through the words of its sentences."""
