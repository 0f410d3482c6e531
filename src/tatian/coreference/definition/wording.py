"""Whether a predicate or an apposition is marked indefinite (§5.3, §5.4)."""

from __future__ import annotations

from tatian.coreference.definition.outline import Marked
from tatian.coreference.phrases.wording import is_indefinite as is_worded_indefinite
from tatian.text.lexicon import (
    DETERMINERS,
    INDEFINITE_PRONOUNS,
    NUMBER_WORDS,
    word_set,
)

_INDEFINITE = word_set("a an another some any several many few no both such more most")


def is_indefinite(marked: Marked) -> bool:
    """Whether the phrase says "a", "some", "one of", "two", "nothing", or is a bare plural."""
    if marked.is_value:
        return False
    if is_worded_indefinite(marked.phrase) or marked.word in INDEFINITE_PRONOUNS:
        return True
    phrase = marked.phrase
    first = phrase.first
    while first < marked.head and phrase.tag(first) == "ADV":
        first += 1
    word = phrase.word(first)
    if word in _INDEFINITE:
        return True
    return first < marked.head and (word in NUMBER_WORDS or phrase.tag(first) == "NUM")


def is_bare_singular(marked: Marked) -> bool:
    """Whether a lone common noun has no determiner or owner: an office, or a substance."""
    if marked.is_plural or marked.tree.tag(marked.head) != "NOUN":
        return False
    owned = any(
        marked.tree.words[c].relation == "nmod:poss" for c in marked.tree.children[marked.head]
    )
    return not owned and marked.phrase.word(marked.phrase.first) not in DETERMINERS
