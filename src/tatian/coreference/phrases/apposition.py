"""Two phrases side by side that name one thing (§5.3)."""

from __future__ import annotations

from tatian.coreference.phrases.page import Phrase, is_naming
from tatian.coreference.units import is_title
from tatian.text.lexicon import word_set

_SET_OFF = word_set(", -- - – — ( :")
_NOUNS = frozenset(("NOUN", "PROPN"))
_BREAKS = frozenset(("ADP", "VERB", "AUX", "PUNCT"))
_HOLDERS = word_set(
    "job post position title role office rank city town village state county province island"
)
"""What "of" may join to its own name or kind, as in "the job of manager"."""


def is_set_off(host: Phrase, other: Phrase) -> bool:
    """Whether the second phrase is an apposition to the first, after a comma or the like."""
    if other.is_pronoun or other.is_possessor or host.is_pronoun:
        return False
    if other.word(other.first - 1) not in _SET_OFF:
        return False
    if other.first >= host.end:
        return other.first - host.end <= 1
    inside = host.head < other.first and other.end <= host.end
    verbs = (host.tag(place) in ("VERB", "AUX") for place in range(host.first, other.first))
    return inside and not any(verbs)


def is_bare(host: Phrase, other: Phrase) -> bool:
    """Whether the two are an apposition that no punctuation marks."""
    if other.is_pronoun or host.is_pronoun or other.is_possessor or _same_words(host, other):
        return False
    if other.first >= host.end:
        stops = host.tree.text(host.end - 1).endswith((".", "-"))
        beside = other.first == host.end and not stops and not is_naming(host, host.first - 1)
        return beside and _is_named(host, other)
    if other.end > host.end or (_last_word(host) != other.end and other.first != host.first):
        return False
    if other.first == host.first:
        return _names_after(host, other)
    if is_title(host.tree.text(other.first - 1)):
        return False
    before = host.tag(other.first - 1)
    left = range(host.first, other.first)
    if host.word(other.first - 1) == "of":
        return host.word(other.first - 2) in _HOLDERS
    return before in _NOUNS and not any(host.tag(place) in _BREAKS for place in left)


def _is_named(host: Phrase, other: Phrase) -> bool:
    """Whether one of two phrases names the other, by a name or by the tree."""
    tags = (host.tag(host.head), other.tag(other.head))
    return "PROPN" in tags or (
        host.tree.relation(other.head) == "appos" and host.tree.heads[other.head] == host.head
    )


def _names_after(host: Phrase, other: Phrase) -> bool:
    """Whether what follows an inner phrase is a name up to the end of the outer one."""
    rest = range(other.end, _last_word(host))
    names = all(host.tag(place) in ("PROPN", "NUM") for place in rest)
    return bool(rest) and names and host.tag(rest[0]) == "PROPN" and _is_common(other)


def _is_common(phrase: Phrase) -> bool:
    return phrase.tag(phrase.end - 1) == "NOUN"


def _last_word(phrase: Phrase) -> int:
    """The place after its last word, without a closing comma."""
    end = phrase.end
    while end - 1 > phrase.first and phrase.tag(end - 1) == "PUNCT":
        end -= 1
    return end


def _same_words(one: Phrase, other: Phrase) -> bool:
    return [*map(one.word, one.places)] == [*map(other.word, other.places)]
