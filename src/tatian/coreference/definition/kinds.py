"""Rulings on types (§5.5, §3.5) and metonymy (§5.7).

Bare plurals, bare mass nouns and nouns before nouns refer to a type. In metonymy, a name stands for
something related, such as a government for its seat. Cases that the definition does not decide are
linked optionally.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from tatian.coreference import LISTS
from tatian.coreference.definition.clauses import later_first, subject
from tatian.coreference.definition.extents import COMMON
from tatian.coreference.definition.outline import MarkablePhrase, Outline, Ruling, forbid, link
from tatian.coreference.definition.phrases import is_bare_plural
from tatian.grouping import grouped
from tatian.text.lexicon import DETERMINERS, NUMBER_WORDS, word_set

_NOT_TYPES = LISTS["not types"]
"""Lemmas that never name a type: times, measures, offices, words of set phrases."""
_MAX_COMPARED = 30
"""Maximum number of earlier phrases with the same noun that a phrase is compared with."""
_PARTIAL_QUANTIFIERS = word_set("some few several many most both")


def kinds(outline: Outline) -> Iterator[Ruling]:
    """Link phrases for one type; forbid links between a type and some of its members."""
    common = filter(_is_common, outline.markables)
    groups = grouped((markable.lemma, markable) for markable in common)
    for group in groups.values():
        if len(group) > 1:
            yield from _rulings_on_noun(group)


def is_type(markable: MarkablePhrase) -> bool:
    """Return whether the phrase is a bare plural, a bare mass noun, or a noun before a noun."""
    if markable.lemma in _NOT_TYPES or not _is_common(markable):
        return False
    if is_prenominal(markable):
        return markable.phrase.end - markable.phrase.first == 1
    if _is_bare_plural(markable):
        return True
    is_one_word = markable.phrase.end - markable.phrase.first == 1
    return is_one_word and not markable.is_plural and _is_argument(markable)


def is_prenominal(markable: MarkablePhrase) -> bool:
    """Return whether the noun stands before the head of another phrase, as in "aluminum siding"."""
    return markable.relation == "compound" and markable.tree.heads[markable.head] > markable.head


def _rulings_on_noun(group: list[MarkablePhrase]) -> Iterator[Ruling]:
    by_modifiers = grouped((_modifiers(markable), markable) for markable in filter(is_type, group))
    for same in by_modifiers.values():
        for earlier, later in pairwise(same):
            is_certain = earlier.is_plural or later.is_plural
            yield link("type", "5.5", later, earlier, certain=is_certain)
    yield from _forbid_other_types(list(filter(is_type, group)))
    parts = [markable for markable in group if _is_quantified_set(markable)]
    for type_phrase in by_modifiers.get((), ()):
        for part in parts:
            yield forbid("type-and-set", "3.5", *later_first(type_phrase, part))


def _forbid_other_types(types: list[MarkablePhrase]) -> Iterator[Ruling]:
    """Forbid links of types with different modifiers: "young brewers", "old brewers"."""
    modified = [(markable, set(_modifiers(markable))) for markable in types]
    for number, (later, modifiers) in enumerate(modified):
        for earlier, earlier_modifiers in modified[max(0, number - _MAX_COMPARED) : number]:
            if modifiers and earlier_modifiers and modifiers.isdisjoint(earlier_modifiers):
                yield forbid("other-type", "5.5", later, earlier)


def _is_bare_plural(markable: MarkablePhrase) -> bool:
    """Return whether it is a bare plural, even if capitalised at the start of a sentence."""
    begins_sentence = markable.head == markable.phrase.first == 0
    return is_bare_plural(markable.phrase) or (
        markable.is_plural and begins_sentence and not _modifiers(markable)
    )


def _is_common(markable: MarkablePhrase) -> bool:
    return markable.tree.words[markable.head].fine in COMMON and markable.unit is None


def _is_argument(markable: MarkablePhrase) -> bool:
    """Return whether the phrase is a subject, object or modifier, not a predicate."""
    is_dependent = markable.relation in ("nsubj", "obj", "nmod", "obl", "conj")
    return is_dependent and not markable.tree.under(markable.head, "cop")


def _is_quantified_set(markable: MarkablePhrase) -> bool:
    """Return whether the phrase means some members of a type: "some painters", "three wolves"."""
    first = markable.phrase.word(markable.phrase.first)
    is_counted = first in _PARTIAL_QUANTIFIERS or first in NUMBER_WORDS or first.isdigit()
    return markable.is_plural and is_counted


def _modifiers(markable: MarkablePhrase) -> tuple[str, ...]:
    """Return the modifiers of the noun; phrases for one type have equal ones."""
    phrase = markable.phrase
    return tuple(
        phrase.lemma(index)
        for index in phrase.places
        if index != markable.head
        and phrase.tag(index) != "PUNCT"
        and phrase.word(index) not in DETERMINERS
    )


class Precedent(Struct, frozen=True):
    """A place that stands for those who govern from it."""

    name: str
    stands_for: frozenset[str]
    """Heads of definite phrases for those who govern from it."""
    decided: bool = False
    """True if the definition itself gives this case."""


PRECEDENTS = (
    Precedent("White House", word_set("administration"), decided=True),
    Precedent("Downing Street", word_set("government cabinet")),
    Precedent("Kremlin", word_set("government leadership")),
    Precedent("Élysée", word_set("presidency government")),
    Precedent("Pentagon", word_set("military")),
    Precedent("Wall Street", word_set("market markets")),
)
_PAPER_NOUNS = LISTS["paper nouns"]
_SPOKESPEOPLE = word_set("spokesman spokeswoman spokesperson official executive representative")
_HANDLING_VERBS = word_set("buy read sell fold carry drop throw tear burn deliver open unfold grab")


def coercions(outline: Outline) -> Iterator[Ruling]:
    """Yield rulings on metonymy: seats of government, copies of papers, companies that speak."""
    names = [markable for markable in outline.markables if markable.is_name]
    yield from _link_governments(outline, names)
    yield from _forbid_copies(outline, names)
    yield from _link_same_names(outline, names)
    yield from _link_spokespeople(outline)
    yield from _link_announcements(outline)


def _link_announcements(outline: Outline) -> Iterator[Ruling]:
    """Link "it" in "an Acme announcement that it will close" with Acme."""
    for pronoun in outline.markables:
        tree, clause = pronoun.tree, pronoun.tree.heads[pronoun.head]
        if pronoun.word != "it" or pronoun.relation != "nsubj" or clause < 0:
            continue
        noun = tree.heads[clause]
        if noun < 0 or tree.relation(clause) not in ("acl", "ccomp") or tree.tag(noun) != "NOUN":
            continue
        for index in tree.under(noun, "compound", "nmod"):
            name = outline.at(tree, index)
            if name is not None and name.is_name and name.head < noun and not name.is_person:
                yield link("announcement", "5.5", pronoun, name)


def _link_governments(outline: Outline, names: list[MarkablePhrase]) -> Iterator[Ruling]:
    for precedent in PRECEDENTS:
        seats = [name for name in names if _name(outline, name) == precedent.name]
        if not seats:
            continue
        for markable in outline.markables:
            before = [seat for seat in seats if seat.order < markable.order]
            definite = markable.phrase.word(markable.phrase.first) == "the"
            if before and definite and markable.lemma in precedent.stands_for:
                optional = not precedent.decided
                yield link("metonymy", "5.7", markable, before[-1], optional=optional)


def _forbid_copies(outline: Outline, names: list[MarkablePhrase]) -> Iterator[Ruling]:
    """Forbid links between a newspaper's copy, which is bought or read, and its organisation."""
    papers = [name for name in names if _name(outline, name).split()[-1].lower() in _PAPER_NOUNS]
    copies = [paper for paper in papers if _is_handled(paper)]
    for copy in copies:
        for paper in papers:
            if paper.order != copy.order and not _is_handled(paper):
                later, earlier = sorted((copy, paper), key=lambda marked: -marked.order)
                yield forbid("copy", "5.7", later, earlier)


def _link_same_names(outline: Outline, names: list[MarkablePhrase]) -> Iterator[Ruling]:
    """Link equal names of places or organisations."""
    linked = (name for name in names if name.mention.type in ("LOC", "ORG"))
    groups = grouped((_name(outline, name), name) for name in linked)
    for group in groups.values():
        for earlier, later in pairwise(group):
            yield link("same-name", "5.7", later, earlier, certain=False)


def _link_spokespeople(outline: Outline) -> Iterator[Ruling]:
    """Link "they" in the words of a company's spokesman with the company."""
    for pronoun in outline.markables:
        entry = pronoun.pronoun
        if entry is None or entry.number != "plural" or pronoun.relation != "nsubj":
            continue
        tree = pronoun.tree
        clause = tree.heads[pronoun.head]
        if tree.relation(clause) not in ("ccomp", "parataxis"):
            continue
        speaker = outline.at(tree, subject(tree, tree.heads[clause]))
        words = map(speaker.phrase.word, speaker.phrase.places) if speaker else ()
        if speaker is None or _SPOKESPEOPLE.isdisjoint(words):
            continue
        for markable in outline.by_sentence[outline.sentence(speaker)]:
            if markable.mention.type == "ORG" and speaker.mention.contains(markable.mention):
                yield link("voice", "5.7", pronoun, markable, certain=False)


def _name(outline: Outline, markable: MarkablePhrase) -> str:
    words = (markable.unit or markable.mention).of(outline.document.text).split()
    return " ".join(words[1:] if words[0].lower() == "the" and len(words) > 1 else words)


def _is_handled(markable: MarkablePhrase) -> bool:
    verb = markable.tree.heads[markable.head]
    is_object = verb >= 0 and markable.relation == "obj"
    return is_object and markable.tree.words[verb].lemma.lower() in _HANDLING_VERBS
