"""The noun phrase that names a set: how far it reaches, and what its noun is said of."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from tatian.aggregation.data.records import Instance
from tatian.aggregation.models.facts.wording import root
from tatian.analysis.trees import Tree
from tatian.assets import sections
from tatian.knowledge.wording import CONCEPT, LOCATION, ORGANISATION, PERSON
from tatian.text.lexicon import NUMBER_WORDS, word_set
from tatian.text.plurals import singulars

NOUNS = sections(Path(__file__).with_name("nouns.txt"))
LONGEST = 6
"""Words of a phrase."""
_BEFORE = frozenset(("det", "amod", "compound", "nummod", "nmod", "advmod", "punct", "flat"))
_ATTACHED = frozenset(("PROPN", "ADJ"))
"""What belongs to a noun that it stands before, even if a parser has it elsewhere."""
_BREAKS = frozenset((",", ";", ":", "(", ")", "–", "—", "--", '"', "“", "”"))
_DROPPED = word_set(NOUNS["dropped"]) | frozenset(NUMBER_WORDS)
"""What a phrase may begin with and an answer does not (TESA §3.3)."""
_PARTS = word_set(NOUNS["parts"])
"""What makes of "of the ..." a part of the set, not the set."""


def is_plural_noun(tree: Tree, place: int) -> bool:
    """Whether a word can head the name of a set."""
    word = tree.words[place]
    if word.tag != "NOUN":
        return False
    return word.fine in ("NNS", "NNPS") or word.features.get("Number") == "Plur"


def start_of(tree: Tree, head: int) -> int:
    """The first word of a noun's phrase, as far as what stands before it belongs to it."""
    first = head
    members = {head}
    for child in tree.children[head]:
        if child < head and tree.relation(child) in _BEFORE:
            members |= tree.subtree(child)
    while first and (first - 1 in members or tree.tag(first - 1) in _ATTACHED):
        if tree.text(first - 1) in _BREAKS and not between_adjectives(tree, first - 1):
            break
        first -= 1
    return first


def between_adjectives(tree: Tree, comma: int) -> bool:
    """Whether a comma only parts adjectives: "rich, advanced countries"."""
    around = (comma - 1, comma + 1)
    return all(0 <= one < len(tree.words) and tree.tag(one) == "ADJ" for one in around)


def is_part(tree: Tree, first: int) -> bool:
    """Whether a phrase is only what a part is taken of: "some of the countries"."""
    return (
        first >= 2
        and tree.text(first - 1).lower() == "of"
        and (tree.text(first - 2).lower() in _PARTS or tree.tag(first - 2) == "NUM")
    )


def answer(tree: Tree, first: int, last: int, head: int | None = None) -> str:
    """The phrase in lower case without determiners and numbers; empty if it is too long."""
    begin = first
    for place in range(first, min(last if head is None else head, first + 3)):
        if tree.tag(place) in ("DET", "PRON"):
            begin = place
    while begin < last and (
        tree.text(begin).lower() in _DROPPED or tree.tag(begin) in ("NUM", "DET", "PUNCT")
    ):
        begin += 1
    words = [place for place in range(begin, last + 1) if tree.tag(place) != "PUNCT"]
    if not words or len(words) > LONGEST:
        return ""
    parts = [
        ("" if place == begin or tree.tokens[place - 1].end == token.start else " ") + token.text
        for place, token in enumerate(tree.tokens[begin : last + 1], start=begin)
    ]
    return "".join(parts).lower()


class MinedPhrase(Struct, frozen=True):
    """One aggregation of a text: an instance whose context no longer has the phrase."""

    instance: Instance
    pattern: str
    """Which way of saying it: hearst, such-as, other, apposition, numbered, close, of, plural."""
    sentence: str
    """As the text has it."""


TYPE_OF = {"PER": "person", "LOC": "location", "ORG": "organization"}
"""The aggregation type of a name's type."""
OTHER = "other"
"""The type of nouns that name no people, places or organisations."""
_ROOTS = {"person": "person", "place": "location", "organization": "organization"}
_NEVER = word_set(NOUNS["never"])
"""Nouns that name no set of entities, or name any."""


_PEOPLE = re.compile(r"(?:..er|..or|ist|ian|ant|eer)s$|(?:men|women)$")
"""Endings of nouns for those who do something."""


def singular(noun: str) -> str:
    """The likeliest singular of a plural noun."""
    return next(iter(singulars(noun.lower())), noun.lower())


@lru_cache(maxsize=4096)
def noun_types(plural: str) -> frozenset[str]:
    """Which types a plural noun may name; empty where neither lists nor its ending tell."""
    found = set()
    last = plural.lower().rpartition("-")[2]
    for noun in (*singulars(plural.lower()), *singulars(last)) or (plural.lower(),):
        if noun in _NEVER:
            return frozenset((OTHER,))
        if type := _ROOTS.get(root(noun)):
            found.add(type)
        for type, listed in _LISTS:
            if noun in listed:
                found.add(type)
    if not found and _PEOPLE.search(plural.lower()):
        return frozenset(("person", "organization"))
    return frozenset(found)


_LISTS = (
    ("person", PERSON | word_set(NOUNS["people"])),
    ("location", LOCATION | word_set(NOUNS["places"])),
    ("organization", ORGANISATION | word_set(NOUNS["organisations"])),
    (OTHER, CONCEPT),
)


def type_of_set(noun: str, names: tuple[str, ...]) -> str | None:
    """The type of a set called by `noun` whose names are of these types; None if they disagree.

    Names of a place and of its government are easily taken for each other, so where the noun
    tells, one name of its type is enough and the others may be places or organisations.
    """
    types = {TYPE_OF.get(name, OTHER) for name in names}
    fitting = noun_types(noun)
    if len(types) == 1:
        (type,) = types
        return type if type in fitting and type != OTHER else None
    if types <= {"location", "organization"}:
        return next((type for type in sorted(fitting & types)), None)
    return None
