"""§5.5 and §3.5: bare plurals, bare mass nouns and nouns before nouns speak of a type."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tatian.coreference.definition.extents import COMMON
from tatian.coreference.definition.outline import Marked, Outline
from tatian.coreference.definition.rulings import Ruling, forbid, link
from tatian.coreference.phrases.page import is_bare_plural
from tatian.text.lexicon import DETERMINERS, NUMBER_WORDS, word_set

SECTION = "5.5"
_NO_TYPES = word_set(
    "year month week day hour minute second quarter time today tomorrow yesterday percent cent "
    "dollar point share way thing one lot kind sort number part page morning evening night "
    "president chairman director manager chief vice head example fact addition order course "
    "president-elect treasurer chair case deputy"
)
"""Lemmas whose bare use says nothing about a kind: times, measures, offices, set phrases."""
_NEAR = 30
"""Earlier phrases of one noun that a phrase is compared with."""
_SOME = word_set("some few several many most both")


def kinds(outline: Outline) -> Iterator[Ruling]:
    """Links of phrases for one type; none between a type and some of its kind."""
    groups: dict[str, list[Marked]] = {}
    for one in outline.markables:
        if _is_common(one):
            groups.setdefault(one.lemma, []).append(one)
    for group in groups.values():
        if len(group) > 1:
            yield from _of_one_noun(group)


def is_type(one: Marked) -> bool:
    """Whether the phrase is a bare plural, a bare mass noun, or a noun before a noun."""
    if one.lemma in _NO_TYPES or not _is_common(one):
        return False
    if is_prenominal(one):
        return one.phrase.end - one.phrase.first == 1
    if _is_bare_plural(one):
        return True
    return one.phrase.end - one.phrase.first == 1 and not one.is_plural and _is_mass_place(one)


def is_prenominal(one: Marked) -> bool:
    """Whether the noun stands before the head of another phrase, as in "aluminum siding"."""
    return one.relation == "compound" and one.tree.heads[one.head] > one.head


def _of_one_noun(group: list[Marked]) -> Iterator[Ruling]:
    alike: dict[tuple[str, ...], list[Marked]] = {}
    for one in filter(is_type, group):
        alike.setdefault(_modifiers(one), []).append(one)
    for same in alike.values():
        for earlier, later in pairwise(same):
            yield link("type", SECTION, later, earlier, certain=_is_sure(earlier, later))
    yield from _unlike(list(filter(is_type, group)))
    some = [one for one in group if _is_some(one)]
    for whole in alike.get((), ()):
        for part in some:
            yield forbid("type-and-set", "3.5", *_in_order(whole, part))


def _unlike(types: list[Marked]) -> Iterator[Ruling]:
    """ "Young brewers" are not "old brewers": each is said to be what the other is not."""
    said = [(one, set(_modifiers(one))) for one in types]
    for number, (later, own) in enumerate(said):
        for earlier, other in said[max(0, number - _NEAR) : number]:
            if own and other and own.isdisjoint(other):
                yield forbid("other-type", SECTION, later, earlier)


def _is_bare_plural(one: Marked) -> bool:
    """As the checker asks it, but a capital at the start of a sentence makes no name."""
    if is_bare_plural(one.phrase):
        return True
    return one.is_plural and one.head == one.phrase.first == 0 and not _modifiers(one)


def _is_sure(earlier: Marked, later: Marked) -> bool:
    """Two bare plurals are of one type; of singular nouns one can only suppose it."""
    return earlier.is_plural or later.is_plural


def _is_common(one: Marked) -> bool:
    return one.tree.words[one.head].fine in COMMON and one.unit is None


def _is_mass_place(one: Marked) -> bool:
    """Whether a lone singular noun is a subject or object: no role, no part of a set phrase."""
    return one.relation in ("nsubj", "obj", "nmod", "obl", "conj") and not one.tree.under(
        one.head, "cop"
    )


def _is_some(one: Marked) -> bool:
    """Whether it is some of a kind: "some painters", "three wolves"."""
    first = one.phrase.word(one.phrase.first)
    return one.is_plural and (first in _SOME or first in NUMBER_WORDS or first.isdigit())


def _modifiers(one: Marked) -> tuple[str, ...]:
    """What is said of the noun, word by word: only phrases that say the same are of one type."""
    phrase = one.phrase
    return tuple(
        phrase.lemma(place)
        for place in phrase.places
        if place != one.head
        and phrase.tag(place) != "PUNCT"
        and phrase.word(place) not in DETERMINERS
    )


def _in_order(one: Marked, other: Marked) -> tuple[Marked, Marked]:
    return (one, other) if one.order > other.order else (other, one)
