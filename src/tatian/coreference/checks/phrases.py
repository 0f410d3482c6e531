"""Marks on what is not markable (§3), or only a part of a name, date or amount (§3.2)."""

from __future__ import annotations

from collections.abc import Iterator

from tatian.coreference.checks.rules import Breach, advice
from tatian.coreference.definition.markable import (
    conjuncts,
    is_clause,
    is_gerund,
    is_relative,
    participle,
)
from tatian.coreference.definition.phrases import MarkedPhrase, MarkedText
from tatian.coreference.definition.units import WholeUnit


@advice("conjoined", "3.7", "A phrase with two or more heads is not markable.")
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


@advice("gerund", "3.3", "A gerund is not markable, unless it is used like a noun.")
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


@advice("relative-pronoun", "3.6", "Relative pronouns are not marked.")
def find_relative_pronouns(page: MarkedText) -> Iterator[Breach]:
    """Marked relative pronouns."""
    for phrase in page.phrases:
        if phrase.end - phrase.first == 1 and is_relative(phrase):
            yield Breach(
                phrase.mark,
                f"{page.quote(phrase.mark)} is a relative pronoun",
                "take the mark away: the phrase it belongs to is marked as a whole",
            )


@advice("clause", "3.1", "Only nouns, noun phrases and pronouns are markable, no clauses.")
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


_CALLED = {
    "name": "the name",
    "date": "the date",
    "amount": "the amount",
    "percentage": "the percentage",
}


@advice(
    "part-of-name",
    "3.2",
    "A name, date, amount or percentage is marked whole; no part of it is markable.",
)
def find_parts(page: MarkedText) -> Iterator[Breach]:
    """Marked phrases that are only a part of a name, date, amount or percentage."""
    for phrase in page.phrases:
        mark = phrase.mark
        string = page.bare(mark)
        unit = page.unit_at(string)
        if unit is None or page.bare(unit) == string or _may_stand_alone(page, phrase, unit):
            continue
        yield Breach(
            mark,
            f"{page.quote(mark)} is only a part of {_CALLED[unit.kind]} {page.quote(unit)}",
            f"mark {page.quote(unit)} as a whole, or take the mark away",
        )


def _may_stand_alone(page: MarkedText, phrase: MarkedPhrase, unit: WholeUnit) -> bool:
    """Whether the encoder joined too much: an owner, one side of a slash, a name said twice."""
    mark = phrase.mark
    if phrase.is_possessor or phrase.is_pronoun or unit.type == "MISC":
        return True
    rest = page.text[unit.start : mark.start] + page.text[mark.end : unit.end]
    if rest.strip() == mark.of(page.text):
        return True
    return not rest.strip(" ./,-–") or any(sign in rest for sign in "/;()")


RULES = (find_clauses, find_gerunds, find_relative_pronouns, find_conjoined, find_parts)
