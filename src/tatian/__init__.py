"""Weave several accounts of one story into one text that shows where every word came from.

    import tatian
    woven = tatian.consolidate(tatian.read(["a.txt", "b.txt"]))
    print(woven)

What is listed here is the public interface; each name is imported when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from tatian.consolidation import Consolidation, consolidate
    from tatian.consolidation.proof import Trace, trace
    from tatian.corpora.reading import read
    from tatian.errors import (
        AssetError,
        EmptyInput,
        InputError,
        LayerMissing,
        MissingExtra,
        NotEnglish,
        NotText,
        TatianError,
        UnknownModel,
    )
    from tatian.pipeline import Pipeline
    from tatian.pipeline.steps import aggregate, detect, merge, resolve, score
    from tatian.statistics import Score
    from tatian.text import Document, Metadata, Sentence, Span, Token

_HOMES = {
    "tatian.consolidation": ("Consolidation", "consolidate"),
    "tatian.consolidation.proof": ("Trace", "trace"),
    "tatian.corpora.reading": ("read",),
    "tatian.errors": (
        "AssetError",
        "EmptyInput",
        "InputError",
        "LayerMissing",
        "MissingExtra",
        "NotEnglish",
        "NotText",
        "TatianError",
        "UnknownModel",
    ),
    "tatian.pipeline": ("Pipeline",),
    "tatian.pipeline.steps": ("aggregate", "detect", "merge", "resolve", "score"),
    "tatian.statistics": ("Score",),
    "tatian.text": ("Document", "Metadata", "Sentence", "Span", "Token"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "AssetError",
    "Consolidation",
    "Document",
    "EmptyInput",
    "InputError",
    "LayerMissing",
    "Metadata",
    "MissingExtra",
    "NotEnglish",
    "NotText",
    "Pipeline",
    "Score",
    "Sentence",
    "Span",
    "TatianError",
    "Token",
    "Trace",
    "UnknownModel",
    "__version__",
    "aggregate",
    "consolidate",
    "detect",
    "merge",
    "read",
    "resolve",
    "score",
    "trace",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'tatian' has no attribute '{name}'")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
