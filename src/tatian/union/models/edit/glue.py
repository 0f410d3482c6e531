"""The few words that the edit model may add of its own."""

from __future__ import annotations

GLUE = (
    ", and which by the with that ; of 's in it as on who after a were where was he but is to "
    "them for her at they while from also she be him when including whose though their then "
    "before his did so are had has an or its"
).split()
"""In the order of the model's items; what unions of the training data add most often."""
