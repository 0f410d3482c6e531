"""Consolidate several sources on one story into one text that shows where every word came from.

    import tatian
    text = tatian.consolidate(tatian.read(["a.txt", "b.txt"]))
    print(text)

The names listed here are the public interface; each is imported when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from tatian.consolidation import Consolidation as Consolidation
    from tatian.consolidation import consolidate as consolidate
    from tatian.consolidation.verification import Trace as Trace
    from tatian.consolidation.verification import trace as trace
    from tatian.corpora.reading import read as read
    from tatian.errors import AssetError as AssetError
    from tatian.errors import EmptyInput as EmptyInput
    from tatian.errors import InputError as InputError
    from tatian.errors import LayerMissing as LayerMissing
    from tatian.errors import MissingExtra as MissingExtra
    from tatian.errors import NotEnglish as NotEnglish
    from tatian.errors import NotText as NotText
    from tatian.errors import TatianError as TatianError
    from tatian.errors import UnknownModel as UnknownModel
    from tatian.pipeline import Pipeline as Pipeline
    from tatian.pipeline.steps import aggregate as aggregate
    from tatian.pipeline.steps import detect as detect
    from tatian.pipeline.steps import merge as merge
    from tatian.pipeline.steps import resolve as resolve
    from tatian.pipeline.steps import score as score
    from tatian.statistics import Score as Score
    from tatian.text import Document as Document
    from tatian.text import Metadata as Metadata
    from tatian.text import Sentence as Sentence
    from tatian.text import Span as Span
    from tatian.text import Token as Token

_HOMES = {
    "tatian.consolidation": ("Consolidation", "consolidate"),
    "tatian.consolidation.verification": ("Trace", "trace"),
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
__all__ = sorted([*_HOME, "__version__"])


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'tatian' has no attribute '{name}'")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
