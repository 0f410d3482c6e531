"""§5.5, §3.5 and §5.7: phrases that speak of a type, and names used for something near them.

Bare plurals, bare mass nouns and nouns before nouns speak of a type. Coreference is decided after
coercion: what the definition has decided is `decided` in the table of precedents; cases like one of
its own, but not decided by it, are linked optionally, as it asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from tatian.coreference.definition.clauses import subject
from tatian.coreference.definition.extents import COMMON
from tatian.coreference.definition.outline import MarkablePhrase, Outline, Ruling, forbid, link
from tatian.coreference.definition.phrases import is_bare_plural
from tatian.text.lexicon import DETERMINERS, NUMBER_WORDS, word_set

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
    groups: dict[str, list[MarkablePhrase]] = {}
    for one in outline.markables:
        if _is_common(one):
            groups.setdefault(one.lemma, []).append(one)
    for group in groups.values():
        if len(group) > 1:
            yield from _of_one_noun(group)


def is_type(one: MarkablePhrase) -> bool:
    """Whether the phrase is a bare plural, a bare mass noun, or a noun before a noun."""
    if one.lemma in _NO_TYPES or not _is_common(one):
        return False
    if is_prenominal(one):
        return one.phrase.end - one.phrase.first == 1
    if _is_bare_plural(one):
        return True
    return one.phrase.end - one.phrase.first == 1 and not one.is_plural and _is_mass_place(one)


def is_prenominal(one: MarkablePhrase) -> bool:
    """Whether the noun stands before the head of another phrase, as in "aluminum siding"."""
    return one.relation == "compound" and one.tree.heads[one.head] > one.head


def _of_one_noun(group: list[MarkablePhrase]) -> Iterator[Ruling]:
    alike: dict[tuple[str, ...], list[MarkablePhrase]] = {}
    for one in filter(is_type, group):
        alike.setdefault(_modifiers(one), []).append(one)
    for same in alike.values():
        for earlier, later in pairwise(same):
            yield link("type", "5.5", later, earlier, certain=_is_sure(earlier, later))
    yield from _unlike(list(filter(is_type, group)))
    some = [one for one in group if _is_some(one)]
    for whole in alike.get((), ()):
        for part in some:
            yield forbid("type-and-set", "3.5", *_in_order(whole, part))


def _unlike(types: list[MarkablePhrase]) -> Iterator[Ruling]:
    """ "Young brewers" are not "old brewers": each is said to be what the other is not."""
    said = [(one, set(_modifiers(one))) for one in types]
    for number, (later, own) in enumerate(said):
        for earlier, other in said[max(0, number - _NEAR) : number]:
            if own and other and own.isdisjoint(other):
                yield forbid("other-type", "5.5", later, earlier)


def _is_bare_plural(one: MarkablePhrase) -> bool:
    """As the checker asks it, but a capital at the start of a sentence makes no name."""
    if is_bare_plural(one.phrase):
        return True
    return one.is_plural and one.head == one.phrase.first == 0 and not _modifiers(one)


def _is_sure(earlier: MarkablePhrase, later: MarkablePhrase) -> bool:
    """Two bare plurals are of one type; of singular nouns one can only suppose it."""
    return earlier.is_plural or later.is_plural


def _is_common(one: MarkablePhrase) -> bool:
    return one.tree.words[one.head].fine in COMMON and one.unit is None


def _is_mass_place(one: MarkablePhrase) -> bool:
    """Whether a lone singular noun is a subject or object: no role, no part of a set phrase."""
    return one.relation in ("nsubj", "obj", "nmod", "obl", "conj") and not one.tree.under(
        one.head, "cop"
    )


def _is_some(one: MarkablePhrase) -> bool:
    """Whether it is some of a kind: "some painters", "three wolves"."""
    first = one.phrase.word(one.phrase.first)
    return one.is_plural and (first in _SOME or first in NUMBER_WORDS or first.isdigit())


def _modifiers(one: MarkablePhrase) -> tuple[str, ...]:
    """What is said of the noun, word by word: only phrases that say the same are of one type."""
    phrase = one.phrase
    return tuple(
        phrase.lemma(place)
        for place in phrase.places
        if place != one.head
        and phrase.tag(place) != "PUNCT"
        and phrase.word(place) not in DETERMINERS
    )


def _in_order(one: MarkablePhrase, other: MarkablePhrase) -> tuple[MarkablePhrase, MarkablePhrase]:
    return (one, other) if one.order > other.order else (other, one)


class Precedent(Struct, frozen=True):
    """That a place stands for those who govern from it."""

    name: str
    stands_for: frozenset[str]
    """Heads of definite phrases for the same."""
    decided: bool = False
    """Whether the definition itself decides it."""


PRECEDENTS = (
    Precedent("White House", word_set("administration"), decided=True),
    Precedent("Downing Street", word_set("government cabinet")),
    Precedent("Kremlin", word_set("government leadership")),
    Precedent("Élysée", word_set("presidency government")),
    Precedent("Pentagon", word_set("military")),
    Precedent("Wall Street", word_set("market markets")),
)
_PAPERS = word_set(
    "times post journal herald tribune gazette chronicle guardian telegraph observer sun mail "
    "globe star news independent courier mirror newsweek economist"
)
_VOICES = word_set("spokesman spokeswoman spokesperson official executive representative")
_HANDLED = word_set("buy read sell fold carry drop throw tear burn deliver open unfold grab")


def coercions(outline: Outline) -> Iterator[Ruling]:
    """Precedents of places for governments, and of papers for their copies.

    Countries and companies need no coercion: a country that is a democracy is the one that has an
    area, and a company can speak.
    """
    names = [one for one in outline.markables if one.is_name]
    yield from _governments(outline, names)
    yield from _copies(outline, names)
    yield from _same_names(outline, names)
    yield from _voices(outline)
    yield from _announcements(outline)


def _announcements(outline: Outline) -> Iterator[Ruling]:
    """ "It" in "an Acme announcement that it will close" is Acme."""
    for pronoun in outline.markables:
        tree, clause = pronoun.tree, pronoun.tree.heads[pronoun.head]
        if pronoun.word != "it" or pronoun.relation != "nsubj" or clause < 0:
            continue
        noun = tree.heads[clause]
        if noun < 0 or tree.relation(clause) not in ("acl", "ccomp") or tree.tag(noun) != "NOUN":
            continue
        for place in tree.under(noun, "compound", "nmod"):
            name = outline.at(tree, place)
            if name is not None and name.is_name and name.head < noun and not name.is_person:
                yield link("announcement", "5.5", pronoun, name)


def _governments(outline: Outline, names: list[MarkablePhrase]) -> Iterator[Ruling]:
    for precedent in PRECEDENTS:
        seats = [one for one in names if _name(outline, one) == precedent.name]
        if not seats:
            continue
        for one in outline.markables:
            before = [seat for seat in seats if seat.order < one.order]
            definite = one.phrase.word(one.phrase.first) == "the"
            if before and definite and one.lemma in precedent.stands_for:
                optional = not precedent.decided
                yield link("metonymy", "5.7", one, before[-1], optional=optional)


def _copies(outline: Outline, names: list[MarkablePhrase]) -> Iterator[Ruling]:
    """A copy of a paper, which is bought or read, is not the organisation of that name."""
    papers = [one for one in names if _name(outline, one).split()[-1].lower() in _PAPERS]
    copies = [one for one in papers if _is_handled(one)]
    for copy in copies:
        for one in papers:
            if one.order != copy.order and not _is_handled(one):
                later, earlier = sorted((copy, one), key=lambda marked: -marked.order)
                yield forbid("copy", "5.7", later, earlier)


def _same_names(outline: Outline, names: list[MarkablePhrase]) -> Iterator[Ruling]:
    """The same name for a place or organisation is the same thing, whatever is said of it."""
    groups: dict[str, list[MarkablePhrase]] = {}
    for one in names:
        if one.mention.type in ("LOC", "ORG"):
            groups.setdefault(_name(outline, one), []).append(one)
    for group in groups.values():
        for earlier, later in pairwise(group):
            yield link("same-name", "5.7", later, earlier, certain=False)


def _voices(outline: Outline) -> Iterator[Ruling]:
    """What "they" will do, as a company's spokesman says, the company will do."""
    for pronoun in outline.markables:
        meaning = pronoun.pronoun
        if meaning is None or meaning.number != "plural" or pronoun.relation != "nsubj":
            continue
        tree = pronoun.tree
        clause = tree.heads[pronoun.head]
        if tree.relation(clause) not in ("ccomp", "parataxis"):
            continue
        speaker = outline.at(tree, subject(tree, tree.heads[clause]))
        if speaker is None or not any(map(_VOICES.__contains__, _words(speaker))):
            continue
        for one in outline.by_sentence[outline.sentence(speaker)]:
            if one.mention.type == "ORG" and speaker.mention.contains(one.mention):
                yield link("voice", "5.7", pronoun, one, certain=False)


def _words(one: MarkablePhrase) -> list[str]:
    return [one.phrase.word(place) for place in one.phrase.places]


def _name(outline: Outline, one: MarkablePhrase) -> str:
    words = (one.unit or one.mention).of(outline.document.text).split()
    return " ".join(words[1:] if words[0].lower() == "the" and len(words) > 1 else words)


def _is_handled(one: MarkablePhrase) -> bool:
    verb = one.tree.heads[one.head]
    return verb >= 0 and one.relation == "obj" and one.tree.words[verb].lemma.lower() in _HANDLED
