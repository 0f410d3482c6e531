"""What a text is made of: tokens, sentences and, with a trained model, syntax and names."""

from __future__ import annotations

from typing import Protocol

from tatian.registry import Registry
from tatian.text import Document


class Analyser(Protocol):
    """Fills the layers that every later step reads."""

    def analyze(self, document: Document) -> Document:
        """Add `tokens` and `sentences`; a fuller model also `words` and `names`."""
        ...


analysers: Registry[Analyser] = Registry(
    "analysis",
    {"rules": "tatian.analysis.rules:RuleAnalyser"},
    default="rules",
)
