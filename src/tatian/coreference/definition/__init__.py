"""The MUC-6 definition as rules: what is markable (§3, §4), linked, and never linked (§5)."""

from __future__ import annotations

from tatian.coreference.definition.apply import LinkDecision, ProposedLink, RuledDocument, apply
from tatian.coreference.definition.links import links, prohibitions, rulings
from tatian.coreference.definition.outline import Outline, markables

__all__ = [
    "LinkDecision",
    "Outline",
    "ProposedLink",
    "RuledDocument",
    "apply",
    "links",
    "markables",
    "prohibitions",
    "rulings",
]
