"""How a phrase is worded: definite or not, and the words around it."""

from __future__ import annotations

from tatian.coreference.phrases.page import Phrase
from tatian.text.lexicon import DETERMINERS, NUMBER_WORDS, word_set

_INDEFINITE = word_set("a an another some any several many few")
_PARTITIVE = _INDEFINITE | frozenset(NUMBER_WORDS) | word_set("each either neither most none")
BEING = word_set("be become remain")
"""Lemmas that say that two things are one, at some time."""
BE_FORMS = word_set(
    "be is are was were am been being 's 're 'm ’s ’re ’m become becomes became becoming remain "
    "remains remained"
)

_NAMING = word_set(
    "name rename appoint elect reelect re-elect call consider make declare crown choose deem dub "
    "label nominate designate proclaim vote christen term pronounce ordain think believe judge"
)


def is_indefinite(phrase: Phrase) -> bool:
    """Whether the phrase is marked indefinite: "a ...", "one of ...", or a bare plural.

    A bare singular ("president of Dreamy Detergents") is not, nor is a plural made unique by "of".
    """
    first = phrase.first
    word = phrase.tree.text(first)
    if word in _INDEFINITE:
        return True
    if phrase.word(first + 1) == "of" and phrase.end - first > 2:
        return word.lower() in _PARTITIVE or word.isdigit()
    return is_bare_plural(phrase)


def is_bare_plural(phrase: Phrase) -> bool:
    """Whether a common noun in the plural has no determiner, owner, number or "of" with it."""
    tree, head = phrase.tree, phrase.head
    if tree.words[head].fine != "NNS" or not tree.text(head).islower():
        return False
    if phrase.word(phrase.first) in DETERMINERS:
        return False
    if any(phrase.word(place) == "of" for place in range(head, phrase.end)):
        return False
    left = [tree.words[c].relation for c in tree.children[head] if phrase.first <= c < head]
    return not any(one in ("det", "nmod:poss", "nummod", "det:predet") for one in left)


def is_naming(phrase: Phrase, place: int) -> bool:
    """Whether the word there is a verb such as "name" or "elect"."""
    return phrase.tag(place) == "VERB" and phrase.lemma(place) in _NAMING
