"""Tokens and sentences by rules, for when no trained model is wanted."""

from __future__ import annotations

from tatian.analysis.segments import segmented
from tatian.text import Document


class RuleAnalyser:
    """Tokens and sentences by rules alone: fast, needs no weights, adds no tags."""

    def analyze(self, document: Document) -> Document:
        """Add `tokens` and `sentences`, unless they are there already."""
        return segmented(document)
