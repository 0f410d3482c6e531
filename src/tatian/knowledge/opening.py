"""Opens the base that somebody names: a file, or the one that comes with the package."""

from __future__ import annotations

import os

from tatian.knowledge.base import KnowledgeBase

STARTER = "starter"
"""What the base that comes with the package is called where a file is expected."""


def open_base(name: str | os.PathLike[str]) -> KnowledgeBase:
    """The base in the file `name`, or for ``starter`` the one that comes with the package."""
    return KnowledgeBase.open(base_path(name))


def base_path(name: str | os.PathLike[str]) -> str:
    """Where the base called `name` lies."""
    if os.fspath(name) != STARTER:
        return os.fspath(name)
    from tatian.knowledge import starter

    return str(starter.path())
