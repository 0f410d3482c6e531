"""Marks on what is not markable (§3)."""

from __future__ import annotations

from collections.abc import Iterator

from tatian.coreference.checking.content.rules import Breach, ContentRule, advice
from tatian.coreference.definition.markable import (
    conjuncts,
    is_clause,
    is_gerund,
    is_relative,
    participle,
)
from tatian.coreference.definition.phrases import MarkedText


def find_conjoined(page: MarkedText) -> Iterator[Breach]:
    """Marked phrases with two or more heads."""
    for phrase in page.phrases:
        heads = conjuncts(page, phrase)
        if len(heads) > 1:
            words = ", ".join(f"'{phrase.tree.text(head)}'" for head in heads)
            yield Breach(
                phrase.mark,
                f"{page.quote(phrase.mark)} has {len(heads)} heads ({words})",
                "take the mark away; mark each part alone where it corefers with something",
            )


def find_gerunds(page: MarkedText) -> Iterator[Breach]:
    """Marked phrases headed by a present participle that is still a verb."""
    for phrase in page.phrases:
        if is_gerund(phrase):
            yield Breach(
                phrase.mark,
                f"{page.quote(phrase.mark)} is headed by the gerund "
                f"'{phrase.tree.text(participle(phrase))}'",
                "take the mark away, and the marks that are linked only to it",
            )


def find_relative_pronouns(page: MarkedText) -> Iterator[Breach]:
    """Marked relative pronouns."""
    for phrase in page.phrases:
        if phrase.end - phrase.first == 1 and is_relative(phrase):
            yield Breach(
                phrase.mark,
                f"{page.quote(phrase.mark)} is a relative pronoun",
                "take the mark away: the phrase it belongs to is marked as a whole",
            )


def find_clauses(page: MarkedText) -> Iterator[Breach]:
    """Marked clauses and verbs."""
    for phrase in page.phrases:
        if is_clause(phrase) and not is_gerund(phrase):
            what = "a verb" if phrase.end - phrase.first == 1 else "a clause"
            yield Breach(
                phrase.mark,
                f"{page.quote(phrase.mark)} is {what}, not a noun phrase",
                "take the mark away, and the marks that are linked only to it",
            )


RULES = (
    ContentRule(
        advice("clause", "3.1", "Only nouns, noun phrases and pronouns are markable, no clauses."),
        find_clauses,
    ),
    ContentRule(
        advice("gerund", "3.3", "A gerund is not markable, unless it is used like a noun."),
        find_gerunds,
    ),
    ContentRule(
        advice("relative-pronoun", "3.6", "Relative pronouns are not marked."),
        find_relative_pronouns,
    ),
    ContentRule(
        advice("conjoined", "3.7", "A phrase with two or more heads is not markable."),
        find_conjoined,
    ),
)
