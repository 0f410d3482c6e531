"""Semantic classes of nouns, and words and names of the rules over chains."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tatian.assets import sections
from tatian.coreference import LISTS
from tatian.coreference.constraints import Traits
from tatian.text.lexicon import word_set
from tatian.text.plurals import guessed_singulars

_LISTS = sections(Path(__file__).with_name("sorts.txt"))
CALLINGS = {
    word: words[0] for words in map(str.split, _LISTS.pop("apart").splitlines()) for word in words
}
"""Nouns, each with the first of those that one person or thing may be called."""
SORTS_OF_NOUN: dict[str, frozenset[str]] = {}
for _title, _listed in _LISTS.items():
    for _noun in _listed.split():
        SORTS_OF_NOUN[_noun] = SORTS_OF_NOUN.get(_noun, frozenset()) | frozenset(_title.split())
SORTS = frozenset(sort for sorts in SORTS_OF_NOUN.values() for sort in sorts)
PERSON, PEOPLE = frozenset(("person",)), frozenset(("people", "person"))
MALE_WORDS = LISTS["male words"]
FEMALE_WORDS = LISTS["female words"]
BEFORE_GIVEN_NAMES = word_set("king queen prince princess sir lady")
"""Titles that precede a given name alone: "Lady Elizabeth"."""
NON_KEY_WORDS = word_set("the of and mr. mrs. ms. dr.")
"""Words that do not distinguish names."""
SPEAKER_VERBS = LISTS["speaker verbs"]
"""Verbs whose subjects speak."""
ADDRESSEE_VERBS = word_set("warn sue accuse urge persuade inform remind")
"""Verbs whose objects are spoken to."""
MOTION_VERBS = word_set("hit strike ram sail crash collide sink arrive drift capsize swerve land")
"""Verbs whose subjects move."""
ONE_CLAUSE = "one-clause"
"""Rule that a verb's subject and object do not corefer."""
OWNER = "owner"
"""Rule that an owner and what it owns do not corefer: nobody is their own widow."""
DATELINE = "dateline"
"""Rule that the place in a dateline corefers with nothing in the rest of its sentence."""
_DASHES = ("-", "--", "–", "—")
_MAX_DATELINE_LENGTH = 10
"""Words at the start of a sentence that are searched for the dash after a dateline."""


def noun_traits(noun: str, is_plural: bool) -> Traits:
    """Return the sorts and the calling of a common noun."""
    singular = next((word for word in guessed_singulars(noun) if word in SORTS_OF_NOUN), noun)
    sorts = SORTS_OF_NOUN.get(singular, frozenset())
    if is_plural and "person" in sorts:
        sorts = (sorts - PERSON) | {"people"}
    return Traits(sorts=sorts, calling=CALLINGS.get(singular, ""))


def find_datelines(tokens: Sequence[str], begins: Sequence[int]) -> list[int]:
    """Return the positions of capitalised words before a dash at the start of a sentence."""
    places = []
    for begin in begins:
        opening = tokens[begin : begin + _MAX_DATELINE_LENGTH]
        dash = next((at for at, token in enumerate(opening) if token in _DASHES), 0)
        places += [
            begin + at
            for at, token in enumerate(opening[:dash])
            if token.isupper() and token.isalpha() and len(token) > 1
        ]
    return places
