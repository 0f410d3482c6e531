"""Offices as common nouns: ``President of France`` makes presidents of France, and presidents."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tatian.aggregation.models.generating.lattice import ancestors, known
from tatian.aggregation.models.generating.trait import Trait, trait
from tatian.knowledge.dates import holds
from tatian.knowledge.entities import Fact
from tatian.text.lexicon import word_set

TITLES = word_set(
    "acting adviser advisor ambassador archbishop associate attorney bishop chair chairman "
    "chairperson chairwoman chancellor chief coach commander commissioner committee congressman "
    "defence defense deputy director emir emperor empress executive finance financial first "
    "foreign general governor head interior judge justice king lady leader lord majority mayor "
    "member minister minority national officer operating pope premier president presidential prime "
    "prince princess queen representative secretary security senator shah speaker spokesman state "
    "sultan supreme treasurer treasury under vice whip"
)
_AREAS = word_set(
    "Agriculture Commerce Defence Defense Education Energy Finance Health Homeland Interior "
    "Justice Labor State Transportation Treasury Foreign Affairs Security"
)
_SHORT = {
    "Associate Justice of the Supreme Court of the United States": "Supreme Court justice",
    "Chief Justice of the United States": "Supreme Court justice",
    "Member of the United States House of Representatives": "member of Congress",
}
"""What the holders of some offices are called by everybody."""
_PLACE = re.compile(r" (?:from|for) ")
_HOLDERS = re.compile(r"(?:Secretary|Minister|Department)\b.*?\bof\b")


def traits(fact: Fact, at: str) -> Iterator[Trait]:
    """What holding a position lets one be called; ``former`` where it has ended by then."""
    if short := _SHORT.get(fact.value):
        yield trait("whole", short, fact)
    former = bool(at) and not holds(fact, at)
    office = as_noun(fact.value)
    title = title_of(fact.value)
    names = {office: 0, _PLACE.split(office)[0]: 1} | ({title: 2} if title else {})
    for name, steps in names.items():
        if former:
            yield trait("whole", f"former {name}", fact, steps)
        if name != title or former:
            yield trait("whole", name, fact, steps + former)
    for noun, steps in ancestors(title).items() if title else ():
        if not former or noun == "politician":
            yield trait("noun", noun, fact, steps + 1)


def title_of(position: str) -> str:
    """What holders of a position are anywhere: ``prime minister``; empty if that is no noun."""
    title = _PLACE.split(as_noun(position))[0].partition(" of ")[0]
    short = title.removeprefix("United States ")
    return title if known(title) else short if known(short) else ""


def as_noun(position: str) -> str:
    """A position inside a sentence: ``prime minister of France``, ``secretary of state``."""
    words = position.split()
    lowered = [word.lower() if {*word.lower().split("-")} <= TITLES else word for word in words]
    if _HOLDERS.search(position):
        lowered = [word.lower() if word in _AREAS else word for word in lowered]
    return " ".join(lowered).replace("supreme Court", "Supreme Court")
