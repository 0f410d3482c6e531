"""What is markable at all: nouns, noun phrases and pronouns with one head (§3)."""

from __future__ import annotations

from tatian.coreference.phrases.page import Page, Phrase
from tatian.text.lexicon import ARTICLES, POSSESSIVE_DETERMINERS, word_set

_NOUNS = frozenset(("NOUN", "PROPN", "PRON"))
_RELATIVE = word_set("who whom whose which that")
_FINITE = frozenset(("VBD", "VBZ", "VBP", "MD"))
_NOT_GERUNDS = word_set(
    "during including according regarding concerning excluding following considering pending "
    "nothing something anything everything king thing ring wing string spring evening morning"
)
_OBJECTS = ARTICLES | POSSESSIVE_DETERMINERS - {"whose"} | word_set("this these those")


def is_markable(page: Page, phrase: Phrase) -> bool:
    """Whether none of these rules objects to the phrase."""
    return not (
        len(conjuncts(page, phrase)) > 1
        or is_gerund(phrase)
        or is_clause(phrase)
        or phrase.tag(phrase.head) in ("VERB", "AUX")
    )


def conjuncts(page: Page, phrase: Phrase) -> list[int]:
    """The heads of a conjoined phrase; a company's "&" joins nothing."""
    tree, head = phrase.tree, phrase.head
    if tree.tag(head) not in _NOUNS:
        return [head]
    unit = page.unit_at(tree.tokens[head])
    heads = [head]
    siblings = tree.under(tree.heads[head], "conj") if tree.relation(head) == "conj" else []
    for other in [*tree.under(head, "conj"), *(one for one in siblings if one > head)]:
        joined = [tree.text(c) for c in tree.under(other, "cc")]
        if (
            other in phrase.places
            and tree.tag(other) in _NOUNS
            and not tree.under(other, "nsubj", "cop")
            and not (unit is not None and unit.contains(tree.tokens[other]))
            and "&" not in joined
            and _is_joined(phrase, head, other)
        ):
            heads.append(other)
    return heads


def _is_joined(phrase: Phrase, head: int, other: int) -> bool:
    """Whether "and" or "or" is written between the heads, and no bracket."""
    words = [phrase.word(place) for place in range(head, other)]
    rest = [phrase.word(place) for place in range(other, phrase.end)]
    return "(" not in words and any(word in ("and", "or", "nor") for word in words + rest)


def participle(phrase: Phrase) -> int:
    """The word that decides whether a phrase is a gerund."""
    first, word = phrase.first, phrase.word(phrase.first)
    is_form = word.endswith("ing") and len(word) > 4 and word not in _NOT_GERUNDS
    if is_form and phrase.word(first + 1) in _OBJECTS and phrase.end - first > 2:
        return first
    return phrase.head


def is_gerund(phrase: Phrase) -> bool:
    place = participle(phrase)
    word = phrase.tree.words[place]
    if not phrase.word(place).endswith("ing") or phrase.word(place) in _NOT_GERUNDS:
        return False
    if place == phrase.first and place != phrase.head:
        return True
    tree = phrase.tree
    before = [c for c in tree.children[place] if phrase.first <= c < place]
    if any(tree.relation(c) in ("amod", "compound", "det", "nmod") for c in before):
        return False
    if phrase.word(place + 1) == "of":
        return False
    takes = [c for c in tree.children[place] if c > place and c in phrase.places]
    verbal = any(tree.relation(c) in ("obj", "iobj") for c in takes)
    if place == phrase.first and phrase.word(place + 1) in _OBJECTS and len(phrase.places) > 2:
        return True
    return (word.tag == "VERB" and word.fine == "VBG") or verbal


def is_relative(phrase: Phrase) -> bool:
    place = phrase.first
    if phrase.word(place) not in _RELATIVE or phrase.tree.text(place).isupper():
        return False
    tree = phrase.tree
    if tree.tag(place) == "SCONJ":
        clause = tree.heads[place]
        return clause >= 0 and tree.words[clause].relation == "acl:relcl"
    if tree.words[place].features.get("PronType") == "Rel":
        return True
    clause = tree.heads[place]
    while clause >= 0 and tree.words[clause].relation != "acl:relcl":
        clause = tree.heads[clause]
    return clause >= 0 and tree.heads[clause] < place and phrase.word(place) != "that"


def is_clause(phrase: Phrase) -> bool:
    """Whether the phrase is a verb, or a verb with its subject or "to"."""
    tree, head = phrase.tree, phrase.head
    inside = [c for c in tree.children[head] if c in phrase.places and tree.tag(c) != "PUNCT"]
    relations = {tree.relation(c) for c in inside}
    if all(tree.text(place)[0].isupper() for place in phrase.places):
        return False
    if "cop" in relations:
        return tree.relation(min(inside)) == "nsubj" and phrase.word(min(inside)) not in _RELATIVE
    if tree.tag(head) != "VERB" or relations & {"det", "amod"}:
        return False
    if any(phrase.word(place) in _RELATIVE for place in range(phrase.first + 1, head)):
        return False
    if phrase.word(head).endswith("ing"):
        return False
    if len(phrase.places) == 1:
        return tree.words[head].fine in _FINITE
    has_to = any(tree.relation(c) == "mark" and c == phrase.first for c in inside)
    return bool(relations & {"nsubj", "csubj", "aux", "expl"}) or has_to
