"""Which predicates and conjuncts are linked, and which of the links are optional (§3.7, §5.4)."""

from __future__ import annotations

from collections.abc import Iterator

from tatian.coreference.checking.content.predications import predications
from tatian.coreference.checking.content.rules import Breach, ContentRule, advice
from tatian.coreference.definition.phrases import MarkedPhrase, MarkedText, is_indefinite
from tatian.text.lexicon import DETERMINERS

_UNLINK = "take the link away"
_MAKE_OPTIONAL = 'write STATUS="OPT"'


def find_indefinite(page: MarkedText) -> Iterator[Breach]:
    """Linked predicate nominals that are marked indefinite."""
    for subject, predicate, kind, _ in predications(page):
        if kind != "as" and not predicate.is_pronoun and is_indefinite(predicate):
            yield Breach(
                predicate.mark,
                f"the predicate {page.quote(predicate.mark)} is indefinite, but linked with "
                f"{page.quote(subject.mark)}",
                f"{_UNLINK}: an indefinite predicate nominal is not coreferential",
            )


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
    if second.word(second.first) in DETERMINERS or _owner(second):
        return False
    has_own = any(first.tag(place) == "ADP" for place in first.places)
    before = first.word(first.first) in DETERMINERS or _owner(first)
    after = second.word(second.head + 1) in ("of", "at", "for")
    return before or (after and not has_own)


def _is_common(phrase: MarkedPhrase) -> bool:
    return phrase.tag(phrase.head) == "NOUN" or phrase.tree.text(phrase.head).isupper()


def _owner(phrase: MarkedPhrase) -> bool:
    tree = phrase.tree
    return any(tree.words[c].relation == "nmod:poss" for c in tree.children[phrase.head])


RULES = (
    ContentRule(
        advice("indefinite-predicate", "5.4", "An indefinite predicate is not coreferential."),
        find_indefinite,
    ),
    ContentRule(
        advice("possible-identity", "5.4", "What may or would be one is not coreferential."),
        find_possible,
    ),
    ContentRule(
        advice(
            "implied-copula",
            "5.4",
            "Where the copula is only implied ('named her president'), the link is optional.",
        ),
        find_implied,
        needs_markup=True,
    ),
    ContentRule(
        advice("as-phrase", "5.4", "Where 'as' equates two phrases, the link is optional."),
        find_as,
        needs_markup=True,
    ),
    ContentRule(
        advice("shared-modifier", "3.7", "Conjuncts that share modifiers are linked optionally."),
        find_shared_modifiers,
        needs_markup=True,
    ),
)
