"""Words of a text, by the same rules as in the browser.

A word is a stretch without white space or dashes, stripped of punctuation. In scripts without
spaces (Chinese, Japanese, Thai ...) each character is a word. ``core/text.js`` implements the same
rules; a test compares the two.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from tatian.text import Span, Token

_SINGLE_CHARACTERS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_SPACE = "\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
"""Characters that a browser's ``\\s`` matches."""
_CANDIDATE = re.compile(f"[{_SINGLE_CHARACTERS}]|[^{_SPACE}\u2012-\u2015{_SINGLE_CHARACTERS}]+")
_APOSTROPHES = str.maketrans("\u2018\u2019\u02bc", "'''")
_ENDINGS = ("", "s", "es", "d", "ed", "e", "ing", "'s", "y", "ies", "ied")
"""Endings of English words that are stripped when forms of a word are compared."""
_MIN_STEM_LETTERS = 4
"""Minimum number of letters that two forms of one word share."""
_LETTERS = re.compile("[a-z]+")


def find_words(text: str) -> list[Token]:
    """Return the words of a text in order."""
    tokens = []
    for match in _CANDIDATE.finditer(text):
        start, end = match.span()
        while start < end and _is_punctuation(text[start]):
            start += 1
        while end > start and _is_punctuation(text[end - 1]):
            end -= 1
        if start < end:
            tokens.append(Token(start, end, text[start:end]))
    return tokens


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character).startswith("P")


def fold(word: str) -> str:
    """Return the form in which words are compared, without case or kind of apostrophe."""
    return unicodedata.normalize("NFC", word).translate(_APOSTROPHES).lower()


def find_words_within(text: str, spans: Iterable[Span]) -> list[Token]:
    """Return the words that lie at least partly in one of the spans."""
    all_spans = list(spans)
    return [word for word in find_words(text) if any(word.overlaps(span) for span in all_spans)]


class Vocabulary:
    """Words of a text; contains a word if the text has a form of it with an English ending."""

    def __init__(self, text: str) -> None:
        self._forms = {fold(word.text) for word in find_words(text)}
        self._stems = {stem for form in self._forms for stem in _stems(form)}

    def __contains__(self, word: str) -> bool:
        form = fold(word)
        return form in self._forms or any(stem in self._stems for stem in _stems(form))


def _stems(form: str) -> Iterator[str]:
    for ending in _ENDINGS:
        stem = form.removesuffix(ending)
        if form.endswith(ending) and len(stem) >= _MIN_STEM_LETTERS and _LETTERS.fullmatch(stem):
            yield stem
