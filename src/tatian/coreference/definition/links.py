"""The link rules of the definition: what they link, and what they forbid to link."""

from __future__ import annotations

from collections.abc import Iterator

from tatian.coreference.definition.appositions import appositions
from tatian.coreference.definition.binding import (
    bound_anaphors,
    clause_subjects,
    owned_by_subjects,
    parallels,
    reflexives,
    subjects_and_objects,
)
from tatian.coreference.definition.conjuncts import conjoined
from tatian.coreference.definition.functions import values
from tatian.coreference.definition.kinds import kinds
from tatian.coreference.definition.metonymy import coercions
from tatian.coreference.definition.outline import Outline
from tatian.coreference.definition.predicates import predicate_nominals
from tatian.coreference.definition.rulings import Finder, Ruling, forbid
from tatian.coreference.definition.speech import speakers
from tatian.text import Document

FINDERS: tuple[Finder, ...] = (
    appositions,
    predicate_nominals,
    bound_anaphors,
    reflexives,
    clause_subjects,
    subjects_and_objects,
    speakers,
    values,
    kinds,
    coercions,
    conjoined,
    owned_by_subjects,
    parallels,
)
"""The rules by family; what an earlier one links, no later one forbids."""


def rulings(outline: Outline) -> list[Ruling]:
    """What the rules say, one ruling for each pair of markables: the first that was found."""
    found: dict[frozenset[int], Ruling] = {}
    orders = {one.mention: one.order for one in outline.markables}

    def add(ruling: Ruling) -> None:
        pair = frozenset((orders[ruling.anaphor], orders[ruling.antecedent]))
        if len(pair) == 2:
            known = found.get(pair)
            if known is None or (ruling.certain and not known.certain):
                found[pair] = ruling

    for finder in FINDERS:
        for ruling in finder(outline):
            add(ruling)
    for ruling in _nested(outline):
        add(ruling)
    return list(found.values())


def links(document: Document) -> list[Ruling]:
    """What the definition links in an analysed document, certain or not, optional or not."""
    return [one for one in rulings(Outline(document)) if one.verdict == "link"]


def prohibitions(document: Document) -> list[Ruling]:
    """Which markables of an analysed document the definition never links."""
    return [one for one in rulings(Outline(document)) if one.verdict == "forbid"]


def _nested(outline: Outline) -> Iterator[Ruling]:
    """§3.4: of "its chairperson" both are markable, and they are not each other."""
    for outer, inner in outline.nested():
        yield forbid("inside", "3.4", inner, outer)
