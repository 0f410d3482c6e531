"""Phrases that a verb says to be one: with a copula, with an implied one, with "as" (§5.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from tatian.coreference.definition.phrases import (
    BE_FORMS,
    BEING,
    MarkedPhrase,
    MarkedText,
    between,
    is_naming,
)
from tatian.text.lexicon import word_set

_MODALS = word_set("may might could would can should 'd ’d")
_DOUBTS = word_set("perhaps possibly maybe probably potentially supposedly allegedly reportedly")
_HOPES = word_set(
    "candidate contender favorite favourite hopeful bid chance hope hopes hoped hoping want wants "
    "wanted seek seeks sought seeking try tries tried trying likely unlikely expect expects "
    "expected seem seems seemed appear appears appeared plan plans planned aspire aspires aspired "
    "wish wishes wished able ready eligible poised set refuse refuses refused decline declined fail"
)
_SKIPPED = frozenset(("AUX", "ADV", "PART", "PUNCT"))
_RELATIVES = word_set("who which that")
_NOT_AS = word_set("well such same soon long much far just")

Kind = Literal["copula", "implied", "as"]


class Predication(NamedTuple):
    """That one phrase is said to be what another one names."""

    subject: MarkedPhrase
    predicate: MarkedPhrase
    kind: Kind
    asserted: bool
    """False where the text only calls it possible, or denies it."""


def predications(page: MarkedText) -> Iterator[Predication]:
    """The predications between linked phrases of one sentence."""
    for one, other in page.pairs:
        if one.is_pronoun and other.is_pronoun:
            continue
        found = _predication(one, other)
        if found:
            yield found


def _predication(one: MarkedPhrase, other: MarkedPhrase) -> Predication | None:
    if _after_as(other, other.first - 1):
        gap = between(one, other)
        if _is_one_clause(other, gap) and other.first > one.head:
            return Predication(one, other, "as", asserted=True)
    if _after_as(one, one.first - 1) and one.word(one.end) == "," and other.first == one.end + 1:
        return Predication(other, one, "as", asserted=True)
    if _is_implied(one, other):
        return Predication(one, other, "implied", asserted=True)
    words = _copula(one, other)
    if words is not None:
        return Predication(one, other, "copula", asserted=_is_asserted(one, other, words))
    return None


def _copula(one: MarkedPhrase, other: MarkedPhrase) -> list[int] | None:
    """The places of what joins subject and predicate, or None where no copula does."""
    gap = _gap(one, other)
    if gap and _is_linking(one, gap):
        return gap
    verb = _linking_verb(other)
    if verb is None:
        return None
    tree = other.tree
    governor = tree.heads[verb]
    subjects = tree.under(verb, "nsubj")
    if governor >= 0 and tree.relation(verb) in ("xcomp", "acl", "advcl"):
        subjects = [*subjects, *tree.under(governor, "obj", "nsubj")]
    relative = tree.relation(verb) == "acl" and governor == one.head
    if one.head in subjects or relative:
        return [place for place in range(one.head + 1, other.first) if place not in one.places]
    return None


def _linking_verb(predicate: MarkedPhrase) -> int | None:
    """What the subject of a predicate hangs on: itself, beside "is", or the verb "become"."""
    tree, head = predicate.tree, predicate.head
    if tree.under(head, "cop"):
        return head
    verb = tree.heads[head]
    if verb >= 0 and tree.relation(head) in ("xcomp", "obj") and predicate.lemma(verb) in BEING:
        return verb
    return None


def _gap(one: MarkedPhrase, other: MarkedPhrase) -> list[int]:
    """What stands between two phrases; inside the outer one, what follows "who"."""
    if other.first >= one.end:
        return [*between(one, other)]
    for place in range(one.head + 1, other.first):
        if one.word(place) in _RELATIVES:
            return list(range(place, other.first))
    return []


def _is_linking(phrase: MarkedPhrase, gap: list[int]) -> bool:
    """Whether the words are "is", "may have been", "who was formerly", "to become"."""
    verbs = [place for place in gap if phrase.word(place) in BE_FORMS]
    if not verbs or (phrase.word(gap[0]) in ("'s", "’s") and phrase.tag(gap[0]) == "PART"):
        return False
    return all(
        place in verbs or phrase.tag(place) in _SKIPPED or phrase.word(place) in _RELATIVES
        for place in gap
    )


def _is_asserted(one: MarkedPhrase, other: MarkedPhrase, words: list[int]) -> bool:
    """Whether the text says that the two are one, at whatever time."""
    said = [one.word(place) for place in words]
    tree = other.tree
    said += [tree.text(c).lower() for c in tree.under(other.head, "aux", "advmod")]
    if _MODALS.intersection(said) or _DOUBTS.intersection(said):
        return False
    if any(word in ("not", "n't", "n’t", "never") for word in said):
        return "only" in said or "longer" in said
    if "to" in said and _HOPES.intersection(said):
        return False
    return one.word(one.first - 1) not in ("if", "whether")


def _is_implied(one: MarkedPhrase, other: MarkedPhrase) -> bool:
    """Whether the verb alone makes the second phrase a predicate: "named her president"."""
    gap = [*between(one, other)]
    if other.first == one.end:
        return is_naming(one, one.first - 1) and not one.is_possessor
    if not gap or other.first < one.end:
        return False
    *helpers, last = gap
    if helpers and one.word(last) in ("the", "a", "an"):
        *helpers, last = helpers
    passive = any(one.word(place) in BE_FORMS for place in helpers)
    plain = all(one.tag(place) in _SKIPPED or one.word(place) in _RELATIVES for place in helpers)
    return passive and plain and is_naming(one, last)


def _after_as(phrase: MarkedPhrase, place: int) -> bool:
    """Whether "as" makes the phrase that follows it a role, not a comparison."""
    if phrase.word(place) != "as" or phrase.tag(place) not in ("ADP", "SCONJ"):
        return False
    if phrase.tree.heads[place] != phrase.head:
        return False
    earlier = [phrase.word(p) for p in range(max(0, place - 3), place)]
    if earlier and (earlier[-1] in _NOT_AS or "as" in earlier):
        return False
    return not phrase.tree.under(phrase.head, "nsubj", "cop")


def _is_one_clause(phrase: MarkedPhrase, gap: Sequence[int]) -> bool:
    """Whether at most one verb, and no other clause, stands in between."""
    verbs = sum(phrase.tag(place) == "VERB" for place in gap)
    breaks = any(phrase.word(place) in (";", ":", "because", "but") for place in gap)
    return verbs <= 1 and not breaks
