"""Consolidate several sources on one story into one text that shows where every word came from.

    import tatian
    text = tatian.consolidate(tatian.read(["a.txt", "b.txt"]))
    print(text)

The names in `__init__.pyi` are the public interface; each is imported when it is first used.
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

__version__ = "0.1.0"

_HOME = {
    name: module
    for module, name in re.findall(
        r"from (\S+) import (\w+) as", Path(__file__).with_suffix(".pyi").read_text("utf-8")
    )
}
"""Module of each public name."""
__all__ = sorted([*_HOME, "__version__"])


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'tatian' has no attribute '{name}'")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
