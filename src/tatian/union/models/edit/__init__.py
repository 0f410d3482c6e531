"""The edit model: a union as a walk through the words of its sentences."""
