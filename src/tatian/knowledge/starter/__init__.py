"""The base that comes with the package, so that examples and everyday news work at once.

Some thousand well-known people, organisations, places and concepts, all countries and the larger
cities, from facts alone: no sentence in it was copied. `tatian.knowledge.starter.making` builds it.
"""

from __future__ import annotations

from pathlib import Path

from tatian.errors import AssetError
from tatian.knowledge.base import KnowledgeBase

_PATH = Path(__file__).with_name("starter.db")


def path() -> Path:
    """Where the starter base lies."""
    if not _PATH.is_file():
        raise AssetError(f"the starter knowledge base is not at {_PATH}: reinstall tatian")
    return _PATH


def open_starter() -> KnowledgeBase:
    """The starter base, open for reading; use it with ``with``."""
    return KnowledgeBase(path())
