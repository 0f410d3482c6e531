"""The fixed inventories that the trained resolver's weights are indexed by.

Their order is part of the weights: add to them only together with a new training.
"""

from __future__ import annotations

from typing import NamedTuple

from tatian.text.lexicon import word_set

SCHEMES = ("ontonotes", "gum", "litbank", "ecb")
"""The annotation schemes the model was trained on, each with heads of its own."""
TAGS = ("ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X").split()
RELATIONS = (
    "acl acl:relcl advcl advmod amod appos aux case cc ccomp compound conj cop csubj dep det "
    "discourse dislocated expl fixed flat iobj list mark nmod nmod:poss nsubj nsubj:pass nummod "
    "obj obl obl:agent parataxis punct root vocative xcomp"
).split()
NAME_TYPES = ("PER", "LOC", "ORG", "MISC")
"""Numbered from 1; 0 is no name."""
TAG = {name: number for number, name in enumerate(TAGS)}
RELATION = {name: number for number, name in enumerate(RELATIONS)}
NAME_TYPE = {name: number for number, name in enumerate(NAME_TYPES, start=1)}
HEAD_TAGS = word_set("NOUN PROPN PRON NUM ADJ DET VERB X SYM")
"""Tags of words that can be the head of a mention."""

UNKNOWN, MALE, FEMALE, THING, HUMAN = range(5)
"""Genders."""
SINGULAR, PLURAL = 1, 2
DEMONSTRATIVE = 4
"""The person of "this" and "that", which are pronouns only sometimes."""
THE, INDEFINITE, THIS, POSSESSED, QUANTIFIED = range(1, 6)
"""Determiners; 0 is none."""


class PronounKind(NamedTuple):
    """What a pronoun says of whom it stands for."""

    person: int
    """1 to 3; 4 demonstrative, 5 relative, 6 "one", 7 "there"."""
    number: int
    """0 is either."""
    gender: int


def _kinds(*rows: tuple[str, int, int, int]) -> dict[str, PronounKind]:
    return {word: PronounKind(*kind) for words, *kind in rows for word in words.split()}


PRONOUN_KINDS = _kinds(
    ("i me my mine myself", 1, SINGULAR, HUMAN),
    ("we us our ours ourselves", 1, PLURAL, HUMAN),
    ("you your yours yourself", 2, 0, HUMAN),
    ("yourselves", 2, PLURAL, HUMAN),
    ("he him his himself", 3, SINGULAR, MALE),
    ("she her hers herself", 3, SINGULAR, FEMALE),
    ("it its itself", 3, SINGULAR, THING),
    ("they them their theirs themselves", 3, PLURAL, UNKNOWN),
    ("this that", DEMONSTRATIVE, SINGULAR, THING),
    ("these those", DEMONSTRATIVE, PLURAL, UNKNOWN),
    ("who whom whose which", 5, 0, UNKNOWN),
    ("one ones oneself", 6, SINGULAR, UNKNOWN),
    ("there", 7, SINGULAR, THING),
)
MALE_WORDS = word_set(
    "mr mr. sir lord king prince duke father son brother husband uncle nephew boy man gentleman "
    "actor grandfather dad monsieur count baron emperor priest guy fellow lad waiter widower"
)
FEMALE_WORDS = word_set(
    "mrs mrs. ms ms. miss lady queen princess duchess mother daughter sister wife aunt niece girl "
    "woman actress grandmother mom mum madame countess baroness empress nun maid waitress widow"
)
DETERMINER_KINDS = {
    "the": THE,
    "a": INDEFINITE,
    "an": INDEFINITE,
    "this": THIS,
    "that": THIS,
    "these": THIS,
    "those": THIS,
}
NO_KEYS = word_set("the of and mr. mrs. ms. dr.")
"""Words of a name that tell nobody apart."""


def relation_number(relation: str) -> int:
    """The number of a relation; one that was not trained on counts as its main type."""
    number = RELATION.get(relation)
    if number is None:
        number = RELATION.get(relation.partition(":")[0], RELATION["dep"])
    return number
