"""Names, dates and amounts are marked whole or not at all (§3.2)."""

from __future__ import annotations

from collections.abc import Iterator

from tatian.coreference.checking.content.rules import Breach, ContentRule, advice
from tatian.coreference.definition.phrases import MarkedPhrase, MarkedText
from tatian.coreference.definition.units import WholeUnit

_CALLED = {
    "name": "the name",
    "date": "the date",
    "amount": "the amount",
    "percentage": "the percentage",
}


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


RULES = (
    ContentRule(
        advice(
            "part-of-name",
            "3.2",
            "A name, date, amount or percentage is marked whole; no part of it is markable.",
        ),
        find_parts,
    ),
)
