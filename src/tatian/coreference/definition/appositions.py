"""§5.3: definite appositions set off by punctuation corefer with the whole phrase they stand in."""

from __future__ import annotations

from collections.abc import Iterator

from tatian.coreference.checking.content.appositions import is_bare
from tatian.coreference.definition.conjuncts import conjuncts_of, share_modifiers
from tatian.coreference.definition.outline import Marked, Outline
from tatian.coreference.definition.rulings import Ruling, forbid, link
from tatian.coreference.definition.wording import is_indefinite
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
