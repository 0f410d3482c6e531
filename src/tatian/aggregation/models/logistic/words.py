"""The words of phrases and texts as the features count them (TESA, Appendix C).

"During the feature extraction, we removed any capitalization and any punctuation. We removed the
stop-words from the candidates' tokens. We removed the stop-words and we lemmatized the tokens of
the context and of the background information." The names of the entities keep all their words, as
in the original code, in which candidates are not lemmatised.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from tatian.knowledge.singular import singulars
from tatian.text.lexicon import STOP_WORDS

_JOINTS = re.compile(r"[-‐‑–—/]")
"""Marks between words, which are parted there rather than glued together."""
_DROPPED = re.compile(r"['’]s\b|[^\w\s]|_")
_STOPPED = STOP_WORDS - {"us"}
"""Lower-cased, the United States and the pronoun are one; in phrases it is the country."""
_SAME = frozenset("news politics series species means headquarters".split())
"""Nouns that look like plurals of other words."""
_REMEMBERED = 1 << 16


def words(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation, in order, repeats kept."""
    return _DROPPED.sub("", _JOINTS.sub(" ", text.lower())).split()


def content(text: str) -> list[str]:
    """The words of a text that are no stop words."""
    return [word for word in words(text) if word not in _STOPPED]


class Lemmas:
    """Reduces nouns to their singular, as the original code's lemmatiser does without tags."""

    def __init__(self, known: Callable[[str], bool]) -> None:
        self._known = known
        self.lemma = lru_cache(_REMEMBERED)(self._lemma)

    def _lemma(self, word: str) -> str:
        if word in _SAME:
            return word
        return next((one for one in singulars(word) if self._known(one)), word)

    def content(self, text: str) -> list[str]:
        """The lemmas of the words of a text that are no stop words."""
        return [self.lemma(word) for word in content(text)]
