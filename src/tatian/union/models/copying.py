"""How every merger takes over the words of a passage without losing track of where they stood."""

from __future__ import annotations

from tatian.text import Source, WovenToken
from tatian.union.models import Passage


def copy_tokens(passage: Passage) -> tuple[WovenToken, ...]:
    """The passage's words as output words, spaced as in the original.

    Reads the document's `tokens` layer. Any white space before a word becomes one blank; the first
    word of the passage counts as having one, so that copies can follow other words.
    """
    copied = []
    position = -1
    for token in passage.document.tokens_in(passage.span):
        source = Source(passage.document.id, token.start, token.end)
        copied.append(WovenToken(token.text, (source,), space=token.start != position))
        position = token.end
    return tuple(copied)
