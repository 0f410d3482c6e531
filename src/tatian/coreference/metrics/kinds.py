"""Classification of mentions as names, pronouns or other noun phrases."""

from __future__ import annotations

from tatian.text import NAMES, TOKENS, WORDS, Document, Mention, Word
from tatian.text.lexicon import CONJUNCTIONS, DEMONSTRATIVES, DETERMINERS, PREPOSITIONS, PRONOUNS
from tatian.text.spans import Span, inside

NAME, NOMINAL, PRONOUN = "name", "nominal", "pronoun"
_FINE = {"PRP": PRONOUN, "PRP$": PRONOUN, "WP": PRONOUN, "WP$": PRONOUN, "NNP": NAME, "NNPS": NAME}
_COARSE = {"PRON": PRONOUN, "PROPN": NAME}
_EDGES = " \t\r\n.,;:!?\"'“”‘’()[]`"
_BREAKS = PREPOSITIONS | CONJUNCTIONS | {","}


class FormClassifier:
    """Classifier of one document's mentions."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._names = document.get(NAMES) if document.has(NAMES) else None
        self._words: dict[int, Word] = {}
        if document.has(WORDS) and document.has(TOKENS):
            tokens = document.tokens
            self._words = {tokens[word.token].start: word for word in document.get(WORDS)}

    def of(self, mention: Mention) -> str:
        """Return ``name``, ``nominal`` or ``pronoun``.

        The tag of the head decides. Without tags, a name of the document that ends with the head
        decides; without names, the spelling.
        """
        text = self._document.text
        phrase = mention.of(text).strip(_EDGES).lower()
        if phrase in PRONOUNS or phrase in DEMONSTRATIVES:
            return PRONOUN
        core = mention.head or Span(mention.start, mention.end)
        head = self._head_word(core)
        if head is not None and (head.tag or head.fine):
            return _COARSE.get(head.tag) or _FINE.get(head.fine) or NOMINAL
        if self._names is not None:
            names = inside(self._names, core)
            ends_with_name = any(not text[name.end : core.end].strip(_EDGES) for name in names)
            return NAME if ends_with_name else NOMINAL
        return NAME if _spelt_as_name(core.of(text)) else NOMINAL

    def _head_word(self, core: Span) -> Word | None:
        """Return the word of the span whose head is outside it."""
        if not self._words:
            return None
        starts = (token.start for token in self._document.tokens_in(core))
        words = [self._words[start] for start in starts if start in self._words]
        numbers = {word.token for word in words}
        return next((word for word in words if word.head not in numbers), None)


def _spelt_as_name(phrase: str) -> bool:
    """Return whether the last word before any complement is capitalised."""
    words = phrase.split()
    for index, word in enumerate(words[1:], 1):
        if word.lower() in _BREAKS:
            words = words[:index]
            break
        if word.endswith(","):
            words = words[: index + 1]
            break
    if words and words[0].lower() in DETERMINERS:
        words = words[1:]
    return bool(words) and words[-1].strip(_EDGES)[:1].isupper()
