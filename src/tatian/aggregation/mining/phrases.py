"""The noun phrase that names a set: how far it reaches, and what is left of it as an answer."""

from __future__ import annotations

from msgspec import Struct

from tatian.aggregation.data.records import Instance
from tatian.analysis.trees import Tree
from tatian.text.lexicon import NUMBER_WORDS, word_set

LONGEST = 6
"""Words of a phrase."""
_BEFORE = frozenset(("det", "amod", "compound", "nummod", "nmod", "advmod", "punct", "flat"))
_ATTACHED = frozenset(("PROPN", "ADJ"))
"""What belongs to a noun that it stands before, even if a parser has it elsewhere."""
_BREAKS = frozenset((",", ";", ":", "(", ")", "–", "—", "--", '"', "“", "”"))
_DROPPED = word_set(
    "the a an this that these those some many several other others few most all both various "
    "such certain any every more numerous countless its their his her our my your another same "
    "dozens at least so-called which what no very only just even also not"
) | frozenset(NUMBER_WORDS)
"""What a phrase may begin with and an answer does not (TESA §3.3)."""
_PARTS = word_set(
    "some many most several few one two three four five six all both each none half part parts "
    "number lot lots dozens hundreds thousands group groups list host variety range series kind "
    "kinds sort sorts collection union alliance coalition handful pair couple trio association mix "
    "combination generation majority minority rest total"
)
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


class Found(Struct, frozen=True):
    """One aggregation of a text: an instance whose context no longer has the phrase."""

    instance: Instance
    pattern: str
    """Which way of saying it: hearst, such-as, other, apposition, numbered, close, of, plural."""
    sentence: str
    """As the text has it."""
