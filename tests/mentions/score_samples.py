"""Small gold and predicted texts for the tests of scoring."""

from __future__ import annotations

from tatian.formats.links import build_document as linked_text
from tatian.text import Document, Link

TEXT = "The free and open source software gives users the freedom to use it."


def mention(term: str, *titles: str, text: str = TEXT, **more: object) -> Link:
    """The first place of a term, with its pages."""
    start = text.index(term)
    return Link(start, start + len(term), titles, **more)


def linked(*mentions: Link, id: str = "s1", text: str = TEXT) -> Document:
    """A text with these mentions."""
    return linked_text(id, text, mentions)


FREE = mention("free", "Free software")
OPEN = mention("open source software", "Open-source software")
USERS = mention("users", "User (computing)", "End user")
GOLD = linked(FREE, OPEN, USERS)
