"""Numbers in texts: what they say, in figures or words, and how small ones are written."""

from __future__ import annotations

from tatian.text.lexicon import NUMBER_WORDS

_SMALL = {value: word for word, value in NUMBER_WORDS.items() if value <= 12 and word != "dozen"}


def in_words(count: int) -> str:
    """A count as a text writes it: in words up to twelve."""
    return _SMALL.get(count, str(count))
