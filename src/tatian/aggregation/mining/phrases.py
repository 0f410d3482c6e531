"""The noun phrase that names a set: its extent, and the types of entities its noun fits."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from tatian.aggregation.data.records import TYPE_OF_NAME, Instance
from tatian.aggregation.models.facts.wording import root
from tatian.analysis.trees import Tree
from tatian.assets import sections
from tatian.knowledge.wording import CONCEPT, LOCATION, ORGANISATION, PERSON
from tatian.text.lexicon import NUMBER_WORDS, word_set
from tatian.text.plurals import singulars

NOUNS = sections(Path(__file__).with_name("nouns.txt"))
MAX_PHRASE_WORDS = 6
"""Maximum number of words of a phrase."""
_BEFORE = frozenset(("det", "amod", "compound", "nummod", "nmod", "advmod", "punct", "flat"))
_ATTACHED = frozenset(("PROPN", "ADJ"))
"""Tags of words that belong to a following noun, even if the parser attaches them elsewhere."""
_BREAKS = frozenset((",", ";", ":", "(", ")", "–", "—", "--", '"', "“", "”"))
_DROPPED = word_set(NOUNS["dropped"]) | frozenset(NUMBER_WORDS)
"""Words at the beginning of a phrase that an answer leaves out (TESA §3.3)."""
_PARTS = word_set(NOUNS["parts"])
"""Words before "of the ..." that make it a part of the set."""


def is_plural_noun(tree: Tree, index: int) -> bool:
    """Return whether a word can head the name of a set."""
    word = tree.words[index]
    if word.tag != "NOUN":
        return False
    return word.fine in ("NNS", "NNPS") or word.features.get("Number") == "Plur"


def start_of(tree: Tree, head: int) -> int:
    """Return the first word of a noun's phrase."""
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
    """Return whether a comma separates adjectives: "rich, advanced countries"."""
    around = (comma - 1, comma + 1)
    return all(0 <= index < len(tree.words) and tree.tag(index) == "ADJ" for index in around)


def is_part(tree: Tree, first: int) -> bool:
    """Return whether a phrase is in a partitive: "some of the countries"."""
    return (
        first >= 2
        and tree.text(first - 1).lower() == "of"
        and (tree.text(first - 2).lower() in _PARTS or tree.tag(first - 2) == "NUM")
    )


def phrase_text(tree: Tree, first: int, last: int, head: int | None = None) -> str:
    """Return the phrase in lower case without determiners and numbers; empty if it is too long."""
    begin = first
    for index in range(first, min(last if head is None else head, first + 3)):
        if tree.tag(index) in ("DET", "PRON"):
            begin = index
    tags = ("NUM", "DET", "PUNCT")
    while begin < last and (tree.text(begin).lower() in _DROPPED or tree.tag(begin) in tags):
        begin += 1
    words = [index for index in range(begin, last + 1) if tree.tag(index) != "PUNCT"]
    if not words or len(words) > MAX_PHRASE_WORDS:
        return ""
    parts = [
        ("" if index == begin or tree.tokens[index - 1].end == token.start else " ") + token.text
        for index, token in enumerate(tree.tokens[begin : last + 1], start=begin)
    ]
    return "".join(parts).lower()


class MinedPhrase(Struct, frozen=True):
    """An aggregation found in a text, as an instance without the phrase in its context."""

    instance: Instance
    pattern: str
    """Pattern that matched: hearst, such-as, other, apposition, numbered, close, of, plural."""
    sentence: str
    """The sentence as the text has it."""


OTHER = "other"
"""Type of nouns that do not name people, places or organisations."""
_ROOTS = {"person": "person", "place": "location", "organization": "organization"}
_NEVER = word_set(NOUNS["never"])
"""Nouns that name no set of entities, or could name any."""


_PEOPLE = re.compile(r"(?:..er|..or|ist|ian|ant|eer)s$|(?:men|women)$")
"""Endings of nouns for people who do something."""


def singular(noun: str) -> str:
    """Return the likeliest singular of a plural noun."""
    return next(iter(singulars(noun.lower())), noun.lower())


@lru_cache(maxsize=4096)
def noun_types(plural: str) -> frozenset[str]:
    """Return the types that a plural noun may name; empty if lists and endings do not decide."""
    types = set()
    last = plural.lower().rpartition("-")[2]
    for noun in (*singulars(plural.lower()), *singulars(last)) or (plural.lower(),):
        if noun in _NEVER:
            return frozenset((OTHER,))
        if type := _ROOTS.get(root(noun)):
            types.add(type)
        for type, listed in _LISTS:
            if noun in listed:
                types.add(type)
    if not types and _PEOPLE.search(plural.lower()):
        return frozenset(("person", "organization"))
    return frozenset(types)


_LISTS = (
    ("person", PERSON | word_set(NOUNS["people"])),
    ("location", LOCATION | word_set(NOUNS["places"])),
    ("organization", ORGANISATION | word_set(NOUNS["organisations"])),
    (OTHER, CONCEPT),
)


def type_of_set(noun: str, names: tuple[str, ...]) -> str | None:
    """Return the type of a set with this noun and names of these types; None if they disagree.

    Places and organisations are easily confused. If all names are one or the other, one name of the
    noun's type is enough.
    """
    types = {TYPE_OF_NAME.get(name, OTHER) for name in names}
    fitting = noun_types(noun)
    if len(types) == 1:
        (type,) = types
        return type if type in fitting and type != OTHER else None
    if types <= {"location", "organization"}:
        return next((type for type in sorted(fitting & types)), None)
    return None
