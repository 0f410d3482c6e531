"""Rules for links of appositions, predicates and conjuncts (§3.7, §5.3, §5.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from tatian.coreference.checks.rules import BY_NAME, Breach, ContentRule
from tatian.coreference.definition.clauses import share_modifiers
from tatian.coreference.definition.markable import (
    is_punctuated_apposition,
    is_unpunctuated_apposition,
)
from tatian.coreference.definition.outline import Outline
from tatian.coreference.definition.phrases import (
    MarkedPhrase,
    MarkedText,
    has_indefinite_wording,
    is_naming,
)
from tatian.coreference.definition.predicates import Kind, predications

_UNLINK = "remove the link"
_MAKE_OPTIONAL = 'write STATUS="OPT"'


def find_shared_modifiers(text: MarkedText) -> Iterator[Breach]:
    """Find conjuncts that share a modifier but whose links are not marked optional."""
    phrases = {(id(phrase.tree), phrase.first): phrase for phrase in text.phrases}
    for first in text.phrases:
        second = phrases.get((id(first.tree), first.end + 1))
        if second is None or first.word(first.end) not in ("and", "or"):
            continue
        if not share_modifiers((first, second)):
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


_Predication = tuple[MarkedPhrase, MarkedPhrase, Kind | None, bool]
"""Subject, predicate, kind of predication (None for an apposition), and whether it is asserted."""


@lru_cache(maxsize=1)
def linked_predications(text: MarkedText) -> tuple[_Predication, ...]:
    """Return the predications between linked phrases of one sentence."""
    return tuple(_find_predications(text)) if text.pairs else ()


def _find_predications(text: MarkedText) -> Iterator[_Predication]:
    outline = Outline(text.document)
    stated = _stated_predications(outline)
    for earlier, later in text.pairs:
        if earlier.is_pronoun and later.is_pronoun:
            continue
        orders = _order_of(outline, earlier), _order_of(outline, later)
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
        (stated.subject.order, stated.predicate.order): (stated.kind, stated.asserted)
        for stated in predications(outline)
    }
    further = {
        (subject, predicate): (kind, is_asserted and is_first_asserted)
        for (subject, middle), (_, is_first_asserted) in direct.items()
        for (next_subject, predicate), (kind, is_asserted) in direct.items()
        if middle == next_subject
    }
    return further | direct


def _order_of(outline: Outline, phrase: MarkedPhrase) -> int:
    markable = outline.with_head(phrase.tree.tokens[phrase.head])
    return -1 if markable is None else markable.order


def _link_rule(
    name: str,
    pairs: Callable[[MarkedText], Iterable[_Predication]],
    applies: Callable[[MarkedPhrase, MarkedPhrase, Kind | None, bool], bool],
    message: str,
    advice: str,
) -> ContentRule:
    """Make a rule on the second phrase of linked pairs; `message` quotes them as {0} and {1}."""

    def find(text: MarkedText) -> Iterator[Breach]:
        for first, second, kind, asserted in pairs(text):
            if applies(first, second, kind, asserted):
                quoted = message.format(text.quote(first.mark), text.quote(second.mark))
                yield Breach(second.mark, quoted, advice)

    return ContentRule(BY_NAME[name], find)


def _linked_pairs(text: MarkedText) -> Iterator[_Predication]:
    return ((first, second, None, True) for first, second in text.pairs)


LINK_RULES = (
    _link_rule(
        "indefinite-appositive",
        _linked_pairs,
        lambda host, other, *_: (
            is_punctuated_apposition(host, other) and has_indefinite_wording(other)
        ),
        "the appositive {1} is indefinite, but linked with {0}",
        f"{_UNLINK}: an indefinite apposition is not coreferential",
    ),
    _link_rule(
        "unpunctuated-apposition",
        _linked_pairs,
        lambda host, other, *_: is_unpunctuated_apposition(host, other),
        "no punctuation sets {1} off from {0}, with which it is linked",
        f"{_UNLINK}: only appositions marked by punctuation are linked",
    ),
    _link_rule(
        "indefinite-predicate",
        linked_predications,
        lambda _, predicate, kind, __: (
            kind != "as" and not predicate.is_pronoun and has_indefinite_wording(predicate)
        ),
        "the predicate {1} is indefinite, but linked with {0}",
        f"{_UNLINK}: an indefinite predicate nominal is not coreferential",
    ),
    _link_rule(
        "possible-identity",
        linked_predications,
        lambda _, predicate, kind, asserted: (
            kind == "copula" and not asserted and not has_indefinite_wording(predicate)
        ),
        "the text does not assert that {0} is {1}, but they are linked",
        f"{_UNLINK}: link only what the text asserts, whether past, present or future",
    ),
    _link_rule(
        "implied-copula",
        linked_predications,
        lambda subject, predicate, kind, _: (
            kind == "implied"
            and not (has_indefinite_wording(predicate) or _is_optional(subject, predicate))
        ),
        "no copula is written between {0} and {1}, but the link is not optional",
        f"{_MAKE_OPTIONAL}: a copula that the verb only implies makes a link optional",
    ),
    _link_rule(
        "as-phrase",
        linked_predications,
        lambda subject, predicate, kind, _: kind == "as" and not _is_optional(subject, predicate),
        "'as' equates {1} with {0}, but the link is not optional",
        f"{_MAKE_OPTIONAL}: links through 'as' are optional",
    ),
    ContentRule(BY_NAME["shared-modifier"], find_shared_modifiers),
)
