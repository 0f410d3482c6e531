"""Sorts of nouns, by a list of them, and the names of rules on words of one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tatian.assets import sections
from tatian.coreference.constraints import Traits
from tatian.text.lexicon import word_set
from tatian.text.plurals import guessed_singulars

_LISTS = sections(Path(__file__).with_name("sorts.txt"))
CALLINGS = {
    word: line.split()[0] for line in _LISTS.pop("apart").splitlines() for word in line.split()
}
"""Nouns, each with one of those that the same person or thing may be called."""
SORTS_OF_NOUN: dict[str, frozenset[str]] = {}
for _title, _listed in _LISTS.items():
    for _noun in _listed.split():
        SORTS_OF_NOUN[_noun] = SORTS_OF_NOUN.get(_noun, frozenset()) | frozenset(_title.split())
SORTS = frozenset(sort for sorts in SORTS_OF_NOUN.values() for sort in sorts)
PERSON, PEOPLE = frozenset(("person",)), frozenset(("people", "person"))
MALE_WORDS = word_set(
    "mr mr. sir lord king prince duke father son brother husband uncle nephew boy man gentleman "
    "actor grandfather dad monsieur count baron emperor priest guy fellow lad waiter widower"
)
FEMALE_WORDS = word_set(
    "mrs mrs. ms ms. miss lady queen princess duchess mother daughter sister wife aunt niece girl "
    "woman actress grandmother mom mum madame countess baroness empress nun maid waitress widow"
)
BEFORE_GIVEN_NAMES = word_set("king queen prince princess sir lady")
"""Words followed by a given name alone: "Lady Elizabeth"."""
NO_KEYS = word_set("the of and mr. mrs. ms. dr.")
"""Words of a name that distinguish nobody."""
SAYING = word_set("say announce deny promise agree declare refuse apologise apologize insist")
TOLD = word_set("warn sue accuse urge persuade inform remind")
MOVING = word_set("hit strike ram sail crash collide sink arrive drift capsize swerve land")
"""Verbs with subjects that speak, with objects that are spoken to, and with subjects that move."""
ONE_CLAUSE = "one-clause"
"""Rule that subject and object of a verb are different."""
OWNER = "owner"
"""Rule that nobody is their own widow, nor a firm its own director."""
DATELINE = "dateline"
"""Rule that the place before a report is nothing that its first sentence reports."""
_DASHES = ("-", "--", "–", "—")
_OPENING = 10
"""Words at the start of a sentence within which a dateline ends."""


def noun_traits(noun: str, several: bool) -> Traits:
    """Return what a common noun says of itself: its sorts, and what else it can be called."""
    known = next((word for word in guessed_singulars(noun) if word in SORTS_OF_NOUN), noun)
    sorts = SORTS_OF_NOUN.get(known, frozenset())
    if several and "person" in sorts:
        sorts = (sorts - PERSON) | {"people"}
    return Traits(sorts=sorts, calling=CALLINGS.get(known, ""))


def find_datelines(tokens: Sequence[str], begins: Sequence[int]) -> list[int]:
    """Return the places of words in capitals before a dash at the start of a sentence."""
    places = []
    for begin in begins:
        opening = tokens[begin : begin + _OPENING]
        dash = next((at for at, token in enumerate(opening) if token in _DASHES), 0)
        places += [
            begin + at
            for at, token in enumerate(opening[:dash])
            if token.isupper() and token.isalpha() and len(token) > 1
        ]
    return places
