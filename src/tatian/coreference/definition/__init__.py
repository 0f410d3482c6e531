"""The MUC-6 definition as rules: what is markable (§3, §4), linked, and never linked (§5)."""

from __future__ import annotations

from tatian.coreference.definition.apply import ProposedLink, apply
from tatian.coreference.definition.links import links, prohibitions, rulings
from tatian.coreference.definition.outline import MarkablePhrase, Outline, Ruling, markables

__all__ = [
    "MarkablePhrase",
    "Outline",
    "ProposedLink",
    "Ruling",
    "apply",
    "links",
    "markables",
    "prohibitions",
    "rulings",
]
