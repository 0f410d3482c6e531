"""The head of a phrase, to tell a phrase with other boundaries from another phrase."""

from __future__ import annotations

from tatian.text import TOKENS, WORDS, Document, Mention, Span, Token, Word, tokenize
from tatian.text.lexicon import CLITICS, PREPOSITIONS, QUESTION_WORDS
from tatian.text.spans import within

_AFTER_THE_HEAD = PREPOSITIONS | QUESTION_WORDS | {"that", ",", ";", ":", "(", "-", "–", "—"}


class Heads:
    """Finds the heads of the phrases of one document: by its trees, or else by word order."""

    def __init__(self, document: Document) -> None:
        self._tokens = document.tokens if document.has(TOKENS) else tuple(tokenize(document.text))
        tagged = document.get(WORDS) if document.has(WORDS) and document.has(TOKENS) else ()
        self._words: dict[int, Word] = {self._tokens[word.token].start: word for word in tagged}

    def of(self, mention: Mention) -> Span:
        """The minimal string: as marked, or else the token that the others depend on."""
        if mention.head is not None:
            return mention.head
        pieces = mention.parts or (mention,)
        tokens = [token for piece in pieces for token in within(self._tokens, piece)]
        if not tokens:
            return mention
        return self._by_tree(tokens) or _by_order(tokens)

    def _by_tree(self, tokens: list[Token]) -> Token | None:
        places = {token.start for token in tokens}
        for token in tokens:
            word = self._words.get(token.start)
            if word is not None and word.tag != "PUNCT":
                above = self._tokens[word.head].start if word.head >= 0 else -1
                if above not in places:
                    return token
        return None


def _by_order(tokens: list[Token]) -> Token:
    """The last word before anything that follows a head in English."""
    core = tokens[:1]
    for token in tokens[1:]:
        if token.text.lower() in _AFTER_THE_HEAD:
            break
        core.append(token)
    while len(core) > 1 and not _can_be_head(core[-1].text):
        core.pop()
    return core[-1]


def _can_be_head(word: str) -> bool:
    return word[0].isalnum() and word.lower() not in CLITICS
