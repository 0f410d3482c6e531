"""Rules for links of appositions, predicates and conjuncts (§3.7, §5.3, §5.4)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from tatian.coreference.checks.rules import Breach, advice
from tatian.coreference.definition import predicates
from tatian.coreference.definition.clauses import share_modifiers
from tatian.coreference.definition.markable import (
    is_punctuated_apposition,
    is_unpunctuated_apposition,
)
from tatian.coreference.definition.outline import Outline
from tatian.coreference.definition.phrases import (
    MarkedPhrase,
    MarkedText,
    is_indefinite,
    is_naming,
)
from tatian.coreference.definition.predicates import Kind

_UNLINK = "remove the link"
_MAKE_OPTIONAL = 'write STATUS="OPT"'


@advice("indefinite-appositive", "5.3", "An indefinite apposition is not coreferential.")
def find_indefinite_appositives(text: MarkedText) -> Iterator[Breach]:
    """Find linked appositives that are indefinite."""
    for host, appositive in text.pairs:
        if is_punctuated_apposition(host, appositive) and is_indefinite(appositive):
            yield Breach(
                appositive.mark,
                f"the appositive {text.quote(appositive.mark)} is indefinite, but linked with "
                f"{text.quote(host.mark)}",
                f"{_UNLINK}: an indefinite apposition is not coreferential",
            )


@advice(
    "unpunctuated-apposition", "5.3", "An apposition is linked only where punctuation sets it off."
)
def find_unpunctuated_appositives(text: MarkedText) -> Iterator[Breach]:
    """Find linked adjacent phrases without punctuation between them."""
    for host, appositive in text.pairs:
        if is_unpunctuated_apposition(host, appositive):
            yield Breach(
                appositive.mark,
                f"no punctuation sets {text.quote(appositive.mark)} off from "
                f"{text.quote(host.mark)}, with which it is linked",
                f"{_UNLINK}: only appositions marked by punctuation are linked",
            )


@advice("indefinite-predicate", "5.4", "An indefinite predicate is not coreferential.")
def find_indefinite_predicates(text: MarkedText) -> Iterator[Breach]:
    """Find linked predicate nominals that are indefinite."""
    for subject, predicate, kind, _ in predications(text):
        if kind != "as" and not predicate.is_pronoun and is_indefinite(predicate):
            yield Breach(
                predicate.mark,
                f"the predicate {text.quote(predicate.mark)} is indefinite, but linked with "
                f"{text.quote(subject.mark)}",
                f"{_UNLINK}: an indefinite predicate nominal is not coreferential",
            )


@advice("possible-identity", "5.4", "Only identity that the text asserts is coreferential.")
def find_unasserted(text: MarkedText) -> Iterator[Breach]:
    """Find linked phrases whose identity the text does not assert."""
    for subject, predicate, kind, asserted in predications(text):
        if kind == "copula" and not asserted and not is_indefinite(predicate):
            yield Breach(
                predicate.mark,
                f"the text does not assert that {text.quote(subject.mark)} is "
                f"{text.quote(predicate.mark)}, but they are linked",
                f"{_UNLINK}: link only what the text asserts, whether past, present or future",
            )


@advice(
    "implied-copula",
    "5.4",
    "Where the copula is only implied ('named her president'), the link is optional.",
    needs_markup=True,
)
def find_implied_copulas(text: MarkedText) -> Iterator[Breach]:
    """Find links through an implied copula that are not marked optional."""
    for subject, predicate, kind, _ in predications(text):
        if (
            kind == "implied"
            and not is_indefinite(predicate)
            and not _is_optional(subject, predicate)
        ):
            yield Breach(
                predicate.mark,
                f"no copula is written between {text.quote(subject.mark)} and "
                f"{text.quote(predicate.mark)}, but the link is not optional",
                f"{_MAKE_OPTIONAL}: a copula that the verb only implies makes a link optional",
            )


@advice(
    "as-phrase", "5.4", "Where 'as' equates two phrases, the link is optional.", needs_markup=True
)
def find_as_phrases(text: MarkedText) -> Iterator[Breach]:
    """Find links through "as" that are not marked optional."""
    for subject, predicate, kind, _ in predications(text):
        if kind == "as" and not _is_optional(subject, predicate):
            yield Breach(
                predicate.mark,
                f"'as' equates {text.quote(predicate.mark)} with {text.quote(subject.mark)}, but "
                "the link is not optional",
                f"{_MAKE_OPTIONAL}: links through 'as' are optional",
            )


@advice(
    "shared-modifier",
    "3.7",
    "Links of conjuncts that share modifiers are optional.",
    needs_markup=True,
)
def find_shared_modifiers(text: MarkedText) -> Iterator[Breach]:
    """Find conjuncts that share a modifier but whose links are not marked optional."""
    phrases = {(id(phrase.tree), phrase.first): phrase for phrase in text.phrases}
    for first in text.phrases:
        second = phrases.get((id(first.tree), first.end + 1))
        if (
            second is None
            or first.word(first.end) not in ("and", "or")
            or not share_modifiers((first, second))
        ):
            continue
        for phrase in (first, second):
            if phrase.mark.linked and not phrase.mark.optional:
                yield Breach(
                    phrase.mark,
                    f"{text.quote(first.mark)} and {text.quote(second.mark)} share a modifier, "
                    f"but the link of {text.quote(phrase.mark)} is not optional",
                    f"{_MAKE_OPTIONAL}: links of conjuncts that share modifiers are optional",
                )


def _is_optional(subject: MarkedPhrase, predicate: MarkedPhrase) -> bool:
    return subject.mark.optional or predicate.mark.optional


_Predication = tuple[MarkedPhrase, MarkedPhrase, Kind, bool]
"""Subject, predicate, kind of predication, and whether the text asserts it."""


@lru_cache(maxsize=1)
def predications(text: MarkedText) -> tuple[_Predication, ...]:
    """Return the predications between linked phrases of one sentence."""
    return tuple(_predications(text)) if text.pairs else ()


def _predications(text: MarkedText) -> Iterator[_Predication]:
    outline = Outline(text.document)
    stated = _stated_predications(outline)
    for earlier, later in text.pairs:
        if earlier.is_pronoun and later.is_pronoun:
            continue
        orders = _order(outline, earlier), _order(outline, later)
        if orders in stated:
            yield earlier, later, *stated[orders]
        elif orders[::-1] in stated:
            yield later, earlier, *stated[orders[::-1]]
        elif (
            later.first == earlier.end
            and is_naming(earlier, earlier.first - 1)
            and not earlier.is_possessor
        ):
            yield earlier, later, "implied", True
        elif earlier.first == 1 and earlier.word(0) == "as" and earlier.word(earlier.end) == ",":
            yield later, earlier, "as", True


def _stated_predications(outline: Outline) -> dict[tuple[int, int], tuple[Kind, bool]]:
    """Map pairs of phrase numbers to predications, including transitive ones (A is B, B is C)."""
    direct = {
        (predication.subject.order, predication.predicate.order): (
            predication.kind,
            predication.asserted,
        )
        for predication in predicates.predications(outline)
    }
    further = {
        (subject, predicate): (kind, is_asserted and is_first_asserted)
        for (subject, middle), (_, is_first_asserted) in direct.items()
        for (next_subject, predicate), (kind, is_asserted) in direct.items()
        if middle == next_subject
    }
    return further | direct


def _order(outline: Outline, phrase: MarkedPhrase) -> int:
    markable = outline.with_head(phrase.tree.tokens[phrase.head])
    return -1 if markable is None else markable.order


RULES = (
    find_indefinite_appositives,
    find_unpunctuated_appositives,
    find_indefinite_predicates,
    find_unasserted,
    find_implied_copulas,
    find_as_phrases,
    find_shared_modifiers,
)
