"""Small gold and predicted texts for the tests of scoring."""

from __future__ import annotations

from tatian.formats.records import LinkedMention, LinkedText

TEXT = "The free and open source software gives users the freedom to use it."


def mention(term: str, *titles: str, text: str = TEXT, **more: object) -> LinkedMention:
    """The first place of a term, with its pages."""
    start = text.index(term)
    return LinkedMention(start, start + len(term), term=term, titles=titles, **more)


def linked(*mentions: LinkedMention, id: str = "s1", text: str = TEXT) -> LinkedText:
    """A text with these mentions."""
    return LinkedText(id, text, mentions=mentions)


FREE = mention("free", "Free software")
OPEN = mention("open source software", "Open-source software")
USERS = mention("users", "User (computing)", "End user")
GOLD = linked(FREE, OPEN, USERS)
