"""How every merger takes over the words of a passage without losing track of where they stood."""

from __future__ import annotations

from tatian.text import Source, WovenToken
from tatian.text.quotations import quoted_tokens
from tatian.union.models import Passage


def copy_tokens(passage: Passage) -> tuple[WovenToken, ...]:
    """The passage's words as output words, spaced as in the original.

    Reads the document's `tokens` layer. Any white space before a word becomes one blank; the first
    word of the passage counts as having one, so that copies can follow other words.
    """
    copied = []
    position = -1
    tokens = passage.document.tokens_in(passage.span)
    for token, quoted in zip(tokens, quoted_tokens(passage.document.text, tokens), strict=True):
        source = Source(passage.document.id, token.start, token.end)
        copied.append(WovenToken(token.text, (source,), token.start != position, quoted))
        position = token.end
    return tuple(copied)
