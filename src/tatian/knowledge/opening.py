"""Opens the base that somebody names: a file, or the one that comes with the package."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeAlias

from tatian.errors import AssetError
from tatian.knowledge.base import KnowledgeBase

Base: TypeAlias = str | os.PathLike[str] | KnowledgeBase
"""A base, or the name of one."""
STARTER = "starter"
"""What the base that comes with the package is called where a file is expected."""
TABLES = Path(__file__).with_name("starter")
"""Where it lies, beside the tables that `scripts/build_starter.py` makes it from."""


def open_base(base: Base | None = STARTER) -> KnowledgeBase:
    """The base in a file; for ``starter`` or None the one that comes with the package."""
    if isinstance(base, KnowledgeBase):
        return base
    return KnowledgeBase.open(base_path(STARTER if base is None else base))


def base_path(name: str | os.PathLike[str]) -> str:
    """Where the base called `name` lies."""
    if os.fspath(name) != STARTER:
        return os.fspath(name)
    path = TABLES / "starter.db"
    if not path.is_file():
        raise AssetError(f"the starter knowledge base is not at {path}: reinstall tatian")
    return str(path)
