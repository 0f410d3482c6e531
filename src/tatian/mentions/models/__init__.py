"""Mention detectors by name."""

from __future__ import annotations

from typing import Protocol

from tatian.registry import Registry
from tatian.text import Document


class Detector(Protocol):
    """Model that detects mentions and links them to pages."""

    def detect(self, document: Document) -> Document:
        """Add the `mentions` and `links` layers, and `names` if it is missing."""
        ...


detectors: Registry[Detector] = Registry(
    "mentions",
    {
        "tatian": "tatian.mentions.models.ranked:RankedLinker",
        "tagme": "tatian.mentions.models.tagme:TagMe",
        "prior": "tatian.mentions.models.prior:Prior",
        "names": "tatian.mentions.models.choices:AnalysedNames",
        "capitals": "tatian.mentions.models.names:NameDetector",
    },
    default="tatian",
    method="detect",
)
