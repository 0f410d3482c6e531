"""Which appositions, predicates and conjuncts are linked, and how (§3.7, §5.3, §5.4).

A verb may say that two phrases are one: with a copula, with an implied one, with "as".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from tatian.coreference.checks.rules import Breach, advice
from tatian.coreference.definition.markable import is_bare, is_set_off
from tatian.coreference.definition.phrases import (
    BE_FORMS,
    BEING,
    MarkedPhrase,
    MarkedText,
    between,
    is_indefinite,
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
_UNLINK = "take the link away"
_MAKE_OPTIONAL = 'write STATUS="OPT"'


@advice("indefinite-appositive", "5.3", "An indefinite apposition is not coreferential.")
def find_indefinite_appositives(page: MarkedText) -> Iterator[Breach]:
    """Linked appositives that are marked indefinite."""
    for host, appositive in page.pairs:
        if is_set_off(host, appositive) and is_indefinite(appositive):
            yield Breach(
                appositive.mark,
                f"the appositive {page.quote(appositive.mark)} is indefinite, but linked with "
                f"{page.quote(host.mark)}",
                f"{_UNLINK}: an indefinite apposition is not coreferential",
            )


@advice(
    "unpunctuated-apposition", "5.3", "An apposition is linked only where punctuation sets it off."
)
def find_unpunctuated_appositives(page: MarkedText) -> Iterator[Breach]:
    """Linked phrases that stand side by side without punctuation."""
    for host, appositive in page.pairs:
        if is_bare(host, appositive):
            yield Breach(
                appositive.mark,
                f"no punctuation sets {page.quote(appositive.mark)} off from "
                f"{page.quote(host.mark)}, with which it is linked",
                f"{_UNLINK}: only appositions marked by punctuation are linked",
            )


@advice("indefinite-predicate", "5.4", "An indefinite predicate is not coreferential.")
def find_indefinite_predicates(page: MarkedText) -> Iterator[Breach]:
    """Linked predicate nominals that are marked indefinite."""
    for subject, predicate, kind, _ in predications(page):
        if kind != "as" and not predicate.is_pronoun and is_indefinite(predicate):
            yield Breach(
                predicate.mark,
                f"the predicate {page.quote(predicate.mark)} is indefinite, but linked with "
                f"{page.quote(subject.mark)}",
                f"{_UNLINK}: an indefinite predicate nominal is not coreferential",
            )


@advice("possible-identity", "5.4", "What may or would be one is not coreferential.")
def find_possible(page: MarkedText) -> Iterator[Breach]:
    """Linked phrases whose identity the text does not assert."""
    for subject, predicate, kind, asserted in predications(page):
        if kind == "copula" and not asserted and not is_indefinite(predicate):
            yield Breach(
                predicate.mark,
                f"the text does not assert that {page.quote(subject.mark)} is "
                f"{page.quote(predicate.mark)}, but they are linked",
                f"{_UNLINK}: only what the text asserts, of any time, is coreferential",
            )


@advice(
    "implied-copula",
    "5.4",
    "Where the copula is only implied ('named her president'), the link is optional.",
    needs_markup=True,
)
def find_implied(page: MarkedText) -> Iterator[Breach]:
    """Links by a verb that only implies a copula, not optional."""
    for subject, predicate, kind, _ in predications(page):
        if kind == "implied" and not is_indefinite(predicate) and not _is_free(subject, predicate):
            yield Breach(
                predicate.mark,
                f"no copula is written between {page.quote(subject.mark)} and "
                f"{page.quote(predicate.mark)}, but the link is not optional",
                f"{_MAKE_OPTIONAL}: a copula that the verb only implies makes a link optional",
            )


@advice(
    "as-phrase", "5.4", "Where 'as' equates two phrases, the link is optional.", needs_markup=True
)
def find_as(page: MarkedText) -> Iterator[Breach]:
    """Links by "as", not optional."""
    for subject, predicate, kind, _ in predications(page):
        if kind == "as" and not _is_free(subject, predicate):
            yield Breach(
                predicate.mark,
                f"'as' equates {page.quote(predicate.mark)} with {page.quote(subject.mark)}, but "
                "the link is not optional",
                f"{_MAKE_OPTIONAL}: what 'as' equates is optionally coreferential",
            )


@advice(
    "shared-modifier",
    "3.7",
    "Conjuncts that share modifiers are linked optionally.",
    needs_markup=True,
)
def find_shared_modifiers(page: MarkedText) -> Iterator[Breach]:
    """Marked conjuncts that share a modifier and are linked, not optionally."""
    phrases = {(id(phrase.tree), phrase.first): phrase for phrase in page.phrases}
    for first in page.phrases:
        second = phrases.get((id(first.tree), first.end + 1))
        if (
            second is None
            or first.word(first.end) not in ("and", "or")
            or not _share(first, second)
        ):
            continue
        for phrase in (first, second):
            if phrase.mark.linked and not phrase.mark.optional:
                yield Breach(
                    phrase.mark,
                    f"{page.quote(first.mark)} and {page.quote(second.mark)} share a modifier, "
                    f"but the link of {page.quote(phrase.mark)} is not optional",
                    f"{_MAKE_OPTIONAL}: conjuncts that share modifiers corefer optionally",
                )


def _is_free(subject: MarkedPhrase, predicate: MarkedPhrase) -> bool:
    return subject.mark.optional or predicate.mark.optional


def _share(first: MarkedPhrase, second: MarkedPhrase) -> bool:
    """Whether two conjuncts have a determiner before, or an "of" after, for both of them."""
    if not (_is_common(first) and _is_common(second)):
        return False
    if second.is_determined:
        return False
    has_own = any(first.tag(place) == "ADP" for place in first.places)
    after = second.word(second.head + 1) in ("of", "at", "for")
    return first.is_determined or (after and not has_own)


def _is_common(phrase: MarkedPhrase) -> bool:
    return phrase.tag(phrase.head) == "NOUN" or phrase.tree.text(phrase.head).isupper()


class _Predication(NamedTuple):
    """That one phrase is said to be what another one names."""

    subject: MarkedPhrase
    predicate: MarkedPhrase
    kind: Kind
    asserted: bool
    """False where the text only calls it possible, or denies it."""


def predications(page: MarkedText) -> Iterator[_Predication]:
    """The predications between linked phrases of one sentence."""
    for one, other in page.pairs:
        if one.is_pronoun and other.is_pronoun:
            continue
        found = _predication(one, other)
        if found:
            yield found


def _predication(one: MarkedPhrase, other: MarkedPhrase) -> _Predication | None:
    if _after_as(other, other.first - 1):
        gap = between(one, other)
        if _is_one_clause(other, gap) and other.first > one.head:
            return _Predication(one, other, "as", asserted=True)
    if _after_as(one, one.first - 1) and one.word(one.end) == "," and other.first == one.end + 1:
        return _Predication(other, one, "as", asserted=True)
    if _is_implied(one, other):
        return _Predication(one, other, "implied", asserted=True)
    words = _copula(one, other)
    if words is not None:
        return _Predication(one, other, "copula", asserted=_is_asserted(one, other, words))
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


RULES = (
    find_indefinite_appositives,
    find_unpunctuated_appositives,
    find_indefinite_predicates,
    find_possible,
    find_implied,
    find_as,
    find_shared_modifiers,
)
