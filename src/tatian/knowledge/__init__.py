"""The knowledge base: entities, their names and links, descriptions and facts.

`KnowledgeBase` reads one; `tatian.knowledge.building` makes one from dumps, fact files and tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tatian.knowledge.entities import Entity

if TYPE_CHECKING:
    from tatian.knowledge.base import KnowledgeBase, open_base

__all__ = ["Entity", "KnowledgeBase", "open_base"]


def __getattr__(name: str) -> Any:
    """Import what needs numpy only when it is used."""
    if name not in {"KnowledgeBase", "open_base"}:
        raise AttributeError(f"module 'tatian.knowledge' has no attribute '{name}'")
    from tatian.knowledge import base

    return getattr(base, name)
