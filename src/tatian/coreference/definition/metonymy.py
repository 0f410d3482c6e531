"""§5.7: names used for something near what they name, by a table of precedents.

Coreference is decided after coercion. What the definition has decided is `certain` in the table;
cases like one of its own, but not decided by it, are linked optionally, as it asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from tatian.coreference.definition.clauses import subject
from tatian.coreference.definition.outline import Marked, Outline
from tatian.coreference.definition.rulings import Ruling, forbid, link
from tatian.text.lexicon import word_set

SECTION = "5.7"


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


def _governments(outline: Outline, names: list[Marked]) -> Iterator[Ruling]:
    for precedent in PRECEDENTS:
        seats = [one for one in names if _name(outline, one) == precedent.name]
        if not seats:
            continue
        for one in outline.markables:
            before = [seat for seat in seats if seat.order < one.order]
            definite = one.phrase.word(one.phrase.first) == "the"
            if before and definite and one.lemma in precedent.stands_for:
                optional = not precedent.decided
                yield link("metonymy", SECTION, one, before[-1], optional=optional)


def _copies(outline: Outline, names: list[Marked]) -> Iterator[Ruling]:
    """A copy of a paper, which is bought or read, is not the organisation of that name."""
    papers = [one for one in names if _name(outline, one).split()[-1].lower() in _PAPERS]
    copies = [one for one in papers if _is_handled(one)]
    for copy in copies:
        for one in papers:
            if one.order != copy.order and not _is_handled(one):
                later, earlier = sorted((copy, one), key=lambda marked: -marked.order)
                yield forbid("copy", SECTION, later, earlier)


def _same_names(outline: Outline, names: list[Marked]) -> Iterator[Ruling]:
    """The same name for a place or organisation is the same thing, whatever is said of it."""
    groups: dict[str, list[Marked]] = {}
    for one in names:
        if one.mention.type in ("LOC", "ORG"):
            groups.setdefault(_name(outline, one), []).append(one)
    for group in groups.values():
        for earlier, later in pairwise(group):
            yield link("same-name", SECTION, later, earlier, certain=False)


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
                yield link("voice", SECTION, pronoun, one, certain=False)


def _words(one: Marked) -> list[str]:
    return [one.phrase.word(place) for place in one.phrase.places]


def _name(outline: Outline, one: Marked) -> str:
    words = (one.unit or one.mention).of(outline.document.text).split()
    return " ".join(words[1:] if words[0].lower() == "the" and len(words) > 1 else words)


def _is_handled(one: Marked) -> bool:
    verb = one.tree.heads[one.head]
    return verb >= 0 and one.relation == "obj" and one.tree.words[verb].lemma.lower() in _HANDLED
