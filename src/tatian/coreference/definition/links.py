"""The link rules of the definition: what they link, and what they forbid to link."""

from __future__ import annotations

from collections.abc import Iterator

from tatian.coreference.definition.binding import (
    bound_anaphors,
    clause_subjects,
    owned_by_subjects,
    parallels,
    reflexives,
    subjects_and_objects,
)
from tatian.coreference.definition.conjuncts import conjoined, conjuncts_of, share_modifiers
from tatian.coreference.definition.functions import values
from tatian.coreference.definition.kinds import kinds
from tatian.coreference.definition.metonymy import coercions
from tatian.coreference.definition.outline import Marked, Outline
from tatian.coreference.definition.predicates import predicate_nominals
from tatian.coreference.definition.rulings import Finder, Ruling, forbid, link
from tatian.coreference.definition.speech import speakers
from tatian.coreference.definition.wording import is_indefinite
from tatian.coreference.phrases.apposition import is_bare
from tatian.text import Document
from tatian.text.lexicon import word_set

SECTION = "5.3"
_MARKS = word_set(", -- - – — ( [ :")
_NO_NAMING = word_set("e.g. i.e. such including notably especially particularly like often whose")
"""What begins an example, or a part of a clause, and no second name."""
_KINDS = frozenset(("PER", "ORG", "LOC", "DATE"))


def appositions(outline: Outline) -> Iterator[Ruling]:
    """Links of definite appositives; no link of indefinite ones, or where punctuation is missing.

    "Newark, New Jersey" is no apposition but a place with a modifier (§4.1).
    """
    for one in outline.markables:
        if one.relation == "appos":
            host = outline.at(one.tree, one.tree.heads[one.head])
            if host is not None and host.order != one.order:
                yield from _judged(outline, host, one)
    for outer, inner in outline.nested():
        if is_bare(outer.phrase, inner.phrase):
            yield forbid("unpunctuated-apposition", SECTION, inner, outer)


def _judged(outline: Outline, host: Marked, appositive: Marked) -> Iterator[Ruling]:
    joined = [appositive, *conjuncts_of(outline, appositive)]
    before = appositive.phrase.word(appositive.phrase.first - 1)
    if appositive.is_value or appositive.tree.tag(appositive.head) == "PRON":
        return
    if appositive.phrase.word(appositive.phrase.first) in _NO_NAMING:
        return
    if _are_of_two_kinds(host, appositive) or (before == ":" and len(joined) > 1):
        yield from (forbid("place-in-place", "4.1", one, host) for one in joined)
        return
    if before not in _MARKS:
        yield forbid("unpunctuated-apposition", SECTION, appositive, host)
        return
    shared = share_modifiers(joined)
    for one in joined:
        if is_indefinite(one):
            yield forbid("indefinite-appositive", SECTION, one, host)
        else:
            certain = len(joined) > 1 or _is_sure(host, one, before)
            yield link("apposition", SECTION, one, host, optional=shared, certain=certain)


def _is_sure(host: Marked, appositive: Marked, before: str) -> bool:
    """Not after a colon, not where one is singular and the other plural, not of "a ..., Ann"."""
    called = is_indefinite(host) and appositive.is_person and not _is_closed(appositive)
    same = host.is_name or appositive.is_name or host.is_plural == appositive.is_plural
    return before != ":" and same and not called and not (host.is_plural and appositive.is_name)


def _is_closed(appositive: Marked) -> bool:
    return appositive.phrase.word(appositive.phrase.end - 1) == ","


def _are_of_two_kinds(host: Marked, other: Marked) -> bool:
    """Whether names differ in kind, or one only says where or when: "Newark, New Jersey"."""
    kinds = [host.mention.type, other.mention.type]
    if not _KINDS.issuperset(kinds):
        return False
    return kinds[0] != kinds[1] or kinds[0] in ("LOC", "DATE")


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
