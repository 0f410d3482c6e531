"""Analysis of texts by rules or an encoder: tokens, sentences, syntax, names, meaning."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Protocol

from tatian.analysis.installed import best_model
from tatian.registry import Registry
from tatian.text import Document

if TYPE_CHECKING:
    from tatian.analysis.encoder import analyze as analyze
    from tatian.analysis.encoder import analyze_all as analyze_all
    from tatian.analysis.meaning import Entailment as Entailment
    from tatian.analysis.meaning import entails as entails
    from tatian.analysis.meaning import entails_all as entails_all
    from tatian.analysis.meaning import vectors as vectors
    from tatian.analysis.phrases import NounPhrase as NounPhrase
    from tatian.analysis.phrases import noun_phrases as noun_phrases

_MODULES = {
    "analyze": "encoder",
    "analyze_all": "encoder",
    "Entailment": "meaning",
    "entails": "meaning",
    "entails_all": "meaning",
    "NounPhrase": "phrases",
    "noun_phrases": "phrases",
    "vectors": "meaning",
}
"""Modules of names that are imported when first used: all but the rules need numpy."""


class Analyser(Protocol):
    """Adds the layers that later steps need."""

    def analyze(self, document: Document) -> Document:
        """Add `tokens` and `sentences`; a fuller model also `words` and `names`."""
        ...


analysers: Registry[Analyser] = Registry(
    "analysis",
    {
        "encoder": "tatian.analysis.encoder:EncoderAnalyser",
        "rules": "tatian.analysis.pieces:RuleAnalyser",
    },
    default=best_model(),
    method="analyze",
)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'tatian.analysis' has no attribute '{name}'")
    value = getattr(importlib.import_module(f"tatian.analysis.{_MODULES[name]}"), name)
    globals()[name] = value
    return value
