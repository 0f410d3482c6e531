"""Mention detectors by name."""

from __future__ import annotations

from typing import Protocol

from tatian.registry import Registry
from tatian.text import Document


class Detector(Protocol):
    """Finds the phrases that mean something, and links them where it can."""

    def detect(self, document: Document) -> Document:
        """Add the `mentions` and `links` layers (and `names`, where nothing filled it)."""
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
